/** Other programs that calculate the same levels: a loop in C, DuckDB and pandas, each only if it is installed. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexPrint } from '../../../src/model/print.ts';
import type { BenchWorld } from '../compute-world.ts';

interface PeerResult {
  seconds: number;
  /** The sum of all levels of all baskets. */
  total: number;
}

export interface Peer {
  name: string;
  /** The part of ours that it is compared with: the sums alone, or a process that loads books, marks them and sums. */
  beside: 'sums' | 'levels';
  /** @returns the result, or why the peer cannot run here */
  run(folder: string, hours: number): PeerResult | string;
}

/** Writes what the peers read: books with their mids, and what each basket held at its base. */
export function writePeerFiles(folder: string, world: BenchWorld, bases: readonly IndexPrint[]): void {
  const hours = (world.prices[0]?.length ?? 1) - 1;
  const prices = new Float64Array(world.prices.length * hours);
  for (const [i, row] of world.prices.entries()) prices.set(row.subarray(0, hours), i * hours);
  const baskets = world.members.flatMap((names, i) => [
    names.length,
    ...names,
    ...(bases[i]?.lines.map((line) => line.quantity) ?? []),
  ]);
  const away = (cents: number) => prices.map((mid) => (Math.round(mid * 100) + cents) / 100);
  writeFileSync(join(folder, 'prices.f64'), prices);
  writeFileSync(join(folder, 'bids.f64'), away(-1));
  writeFileSync(join(folder, 'asks.f64'), away(1));
  writeFileSync(join(folder, 'baskets.f64'), Float64Array.from(baskets));
}

const inC: Peer = {
  name: 'C (cc -O3 -march=native), the sums alone, in memory',
  beside: 'sums',
  run(folder, hours) {
    const program = join(folder, 'levels');
    const source = join(import.meta.dirname, 'levels.c');
    const made = spawnSync('cc', ['-O3', '-march=native', '-ffast-math', '-o', program, source]);
    if (made.status !== 0) return 'no C compiler here';
    const files = [join(folder, 'prices.f64'), join(folder, 'baskets.f64')];
    return resultOf(spawnSync(program, [String(hours), ...files], { encoding: 'utf8' }).stdout);
  },
};

/** A peer that first writes its own file of the books, then is measured in a process of its own. */
const inTwoSteps = (name: string, missing: string, program: string, script: string): Peer => ({
  name,
  beside: 'levels',
  run(folder, hours) {
    const take = (step: string) =>
      spawnSync(program, [join(import.meta.dirname, script), folder, String(hours), step], {
        encoding: 'utf8',
      });
    const prepared = take('prepare');
    const ended = prepared.status === 0 ? take('measure') : prepared;
    if (ended.status === 3 || ended.error) return missing;
    return ended.status === 0 ? resultOf(ended.stdout) : ended.stderr.trim();
  },
});

export const PEERS: readonly Peer[] = [
  inC,
  inTwoSteps(
    'DuckDB, one thread, from its own file: marks and levels',
    'not installed (npm install --no-save @duckdb/node-api)',
    process.execPath,
    'levels-duckdb.ts',
  ),
  inTwoSteps(
    'pandas groupby, from rows of SQLite: marks and levels',
    'no pandas here (PYTHON names another Python)',
    process.env.PYTHON ?? 'python3',
    'levels-pandas.py',
  ),
];

function resultOf(line: string): PeerResult {
  const [seconds = Number.NaN, total = Number.NaN] = line.trim().split(' ').map(Number);
  return { seconds, total };
}
