/**
 * Command: measures what compute costs, in processor time, as ratios within one run.
 * `npm run bench:compute -- --indices 5 --hours 17520`. PYTHON names a Python that has pandas,
 * `npm install --no-save @duckdb/node-api` installs DuckDB; a peer that is not installed is reported and left out.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { findIndexPrint, listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { calculateOnly, compareRates, sumsAlone } from './compute-only.ts';
import { PEERS, writePeerFiles } from './compute-peers/peers.ts';
import { addTick, type BenchWorld, FIRST, fillStore, makeWorld } from './compute-world.ts';
import { measureCorrelation } from './correlation.ts';
import { measureLongGrid } from './long-grid.ts';
import { print } from './print.ts';
import { timed } from './processor-time.ts';

const { values } = parseArgs({
  options: {
    indices: { type: 'string', default: '5' },
    hours: { type: 'string', default: '17520' },
  },
});
const INDICES = Number(values.indices);
const HOURS = Number(values.hours);
const LAST = FIRST + (HOURS - 1) * HOUR_MS;

const seconds = (value: number) => `${value.toFixed(value < 0.01 ? 6 : 3)} s`;

/** Sums the levels that were recorded, as each peer sums its own. */
function sumOfLevels(store: Store): number {
  return store.read((reader) => {
    let total = 0;
    for (let i = 0; i < INDICES; i++)
      for (const { level } of listIndexPrints(reader, `BENCH${i}`, FIRST, LAST)) total += level;
    return total;
  });
}

/** @returns seconds that the whole calculation took */
function measureCompute(store: Store, world: BenchWorld): number {
  const only = store.read((reader) => calculateOnly(reader, world, HOURS));
  const { took: whole, result: report } = timed(() => compute(store, LAST, () => {}));
  const prints = report.index_prints + report.rate_prints;
  const alone = only.load + only.indices + only.rates;
  print(
    `${report.index_prints} index prints and ${report.rate_prints} rate prints, recorded`,
    seconds(whole),
  );
  print('  a print', `${((whole / prints) * 1e6).toFixed(1)} us`);
  print('  loading what was known at each instant', seconds(only.load));
  print('  arithmetic of the indices: marks, checks, levels, weights', seconds(only.indices));
  print('  arithmetic of the rates', seconds(only.rates));
  print('  ledger, hashes and receipts on top of these', `${((whole / alone - 1) * 100).toFixed(0)} %`);
  const rates = store.read((reader) => compareRates(reader, world, HOURS));
  print(
    '  the same rates with an object for each source and print, over ours',
    ratio(rates.objects, rates.ours),
  );
  print(
    '  the mids of their sources averaged so, and nothing else, over ours',
    ratio(rates.bare, rates.ours),
  );
  return whole;
}

function ratio(theirs: number, ours: number): string {
  return theirs < ours ? `1/${(ours / theirs).toFixed(1)}` : `${(theirs / ours).toFixed(2)} x`;
}

/** The commands whose sources were compiled. */
const compiled = new Set<string>();

/**
 * Runs a command of this folder up to an hour or instant, with sources compiled before, as those of the product are.
 */
function runCommand(script: string, path: string, upTo: number) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const run = (end: number) =>
    spawnSync(process.execPath, [join(import.meta.dirname, script), path, String(end)], {
      encoding: 'utf8',
      env,
    });
  if (!compiled.has(script)) run(0);
  compiled.add(script);
  return run(upTo);
}

/**
 * Measures our levels in a process of their own, like each peer.
 *
 * @returns its processor time in seconds, and the sum of all levels
 */
function measureLevels(path: string): { seconds: number; total: number } {
  const { stdout, stderr } = runCommand('compute-levels.ts', path, HOURS);
  const [taken = Number.NaN, total = Number.NaN, most] = stdout.split(' ').map(Number);
  print(
    'levels alone, out of the store: books checked, marked, summed',
    stderr || `${seconds(taken)}, ${most} MB at most`,
  );
  return { seconds: taken, total };
}

function measurePeers(store: Store, world: BenchWorld, path: string, whole: number): void {
  const bases = store.read((reader) =>
    world.indices.flatMap(({ ticker }) => findIndexPrint(reader, ticker, FIRST) ?? []),
  );
  writePeerFiles(folder, world, bases);
  const total = sumOfLevels(store);
  const agrees = (other: number) =>
    Math.abs(other / total - 1) < 1e-9 ? 'same levels' : `OTHER LEVELS ${other}`;
  const sums = sumsAlone(world, bases, HOURS);
  print('the sums of the levels alone, in memory', `${seconds(sums.seconds)}, ${agrees(sums.total)}`);
  const levels = measureLevels(path);
  print('  the same levels as were recorded', agrees(levels.total));
  const ours = { sums: sums.seconds, levels: levels.seconds };
  const beside = { sums: 'our sums', levels: 'our levels' };
  for (const peer of PEERS) {
    const result = peer.run(folder, HOURS);
    if (typeof result === 'string') {
      print(peer.name, `left out: ${result}`);
      continue;
    }
    const theirs = `${ratio(result.seconds, ours[peer.beside])} of ${beside[peer.beside]}`;
    print(peer.name, `${seconds(result.seconds)}, ${theirs}, ${agrees(result.total)}`);
    if (peer.beside === 'levels')
      print('  over our whole run, with rates, ledger, hashes and receipts', ratio(result.seconds, whole));
  }
}

/** Measures whole runs in processes of their own, as runs are: this process also holds the world and much garbage. */
function measureRuns(path: string, world: BenchWorld): void {
  const run = (upTo: number) => {
    const { stdout, stderr } = runCommand('compute-process.ts', path, upTo);
    if (stdout === '') throw new Error(stderr);
    const [seconds = Number.NaN, most = Number.NaN, before = Number.NaN] = stdout.split(' ').map(Number);
    return { seconds, most, before };
  };
  const whole = run(LAST);
  print(
    'memory of a process that computes them',
    `${whole.most} MB at most, ${whole.before} MB before it began`,
  );
  const store = openStore(path);
  addTick(store, world);
  store.close();
  const share = (100 * run(LAST + HOUR_MS).seconds) / whole.seconds;
  print(`one new hour for all, over calculating all ${HOURS}`, `${share.toFixed(2)} %`);
}

const folder = mkdtempSync(join(tmpdir(), 'foremark-bench-'));
try {
  print('processes waiting for the machine at the start', (loadavg()[0] ?? 0).toFixed(1));
  measureCorrelation();
  measureLongGrid();
  const world = makeWorld(INDICES, HOURS);
  const path = join(folder, 'foremark.db');
  const filled = openStore(path);
  fillStore(filled, world);
  filled.close();
  const copy = join(folder, 'runs.db');
  copyFileSync(path, copy);
  measureRuns(copy, world);
  const store = openStore(path);
  const whole = measureCompute(store, world);
  measurePeers(store, world, path, whole);
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
