// Runs the real pipeline over the recorded venue data beside the clone and prints what came of it: the figures
// that the README speaks of. The tests under test/real hold the same runs to an independent calculation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatInstant } from '../src/model/time.ts';
import { toCents, toLevel } from '../src/model/units.ts';
import { findMarket } from '../src/store/catalog/catalog.ts';
import { countStore } from '../src/store/counts.ts';
import { listIndexDefinitions } from '../src/store/definitions/definitions.ts';
import { findIndexPrint, listIndexPrints } from '../src/store/prints/index-prints.ts';
import { listRatePrints } from '../src/store/prints/rate-prints.ts';
import { openStore, type Reader } from '../src/store/store.ts';
import { realRun } from '../test/real/real-run.ts';
import { playStates2020 } from '../test/real/us-president-2020.ts';
import { playWorldCup } from '../test/real/world-cup-2026.ts';
import { hasRecorded } from '../test/replay/recorded.ts';
import { scenarioNames, startReplay } from '../test/replay/replay.ts';
import { editorsLook } from './editors-look.ts';

const ELECTION = Date.parse('2024-11-05T00:00:00Z');
const print = (...cells: (string | number)[]) => process.stdout.write(`${cells.join('  ')}\n`);

/** Runs `work` in a folder that is gone afterwards, and tells how long it took. */
async function timed(title: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-real-'));
  const started = performance.now();
  print(`\n${title}`);
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  print(`  ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function readStore(path: string, work: (reader: Reader) => void): void {
  const store = openStore(path, { readonly: true });
  store.read(work);
  store.close();
}

async function election(folder: string): Promise<void> {
  const replay = await startReplay('us-president-2024');
  const run = realRun(replay, folder, 'us-president-2024');
  const { ingest } = await run.at(ELECTION);
  await replay.close();
  for (const feed of ingest?.feeds ?? [])
    print(
      `  ${feed.feed}: ${feed.rows_read} rows, ${feed.observations_added} observations, ${feed.rows_left_out} left out`,
    );
  readStore(run.store, (reader) => {
    for (const ticker of ['USPRES24-R', 'USPRES24-R-GAUGE']) {
      const prints = listIndexPrints(reader, ticker, 0, ELECTION);
      print(`  ${ticker}: ${prints.length} prints`);
      for (const month of ['2024-08-05', '2024-09-01', '2024-10-01', '2024-11-01', '2024-11-05']) {
        const found = findIndexPrint(reader, ticker, Date.parse(`${month}T00:00:00Z`));
        if (found) print('   ', formatInstant(found.at), toLevel(found.level), `${found.lines.length} names`);
      }
    }
    look(reader);
  });
}

async function decision(folder: string): Promise<void> {
  const replay = await startReplay('fed-dec-2025');
  const run = realRun(replay, folder, 'fed-2025-12');
  const half_hours = Date.parse('2025-11-16T06:01:20.028Z');
  const end = Date.parse('2025-11-29T18:27:49.902Z');
  for (let at = half_hours; at <= end; at += 30 * 60_000) await run.at(at, ['ingest', 'compute']);
  await run.at(end);
  await replay.close();
  readStore(run.store, (reader) => {
    const prints = listRatePrints(reader, 'FED-2025-12-HOLD', 0, end);
    const spreads = prints.map((each) => each.spread * 100).sort((a, b) => a - b);
    print(
      `  ${prints.length} prints, spread median ${spreads[spreads.length >> 1]?.toFixed(2)}c, highest ${spreads.at(-1)?.toFixed(2)}c`,
    );
    for (const each of [prints[0], prints[prints.length >> 1], prints.at(-1)])
      if (each)
        print('   ', formatInstant(each.at), `${toCents(each.price)}c`, `spread ${toCents(each.spread)}c`);
  });
}

async function catalogPages(): Promise<void> {
  for (const name of scenarioNames.filter((each) => each.startsWith('catalog-pages/'))) {
    for (const catalog of name.includes('clob') || name.includes('samples')
      ? (['gamma', 'clob'] as const)
      : (['gamma'] as const))
      await timed(`${name}${catalog === 'clob' ? ' (CLOB listing)' : ''}`, async (folder) => {
        const replay = await startReplay(name);
        const run = realRun(replay, folder, 'fed-2025-12', { catalog });
        const { ingest } = await run.at(Date.now(), ['ingest']);
        await replay.close();
        for (const feed of ingest?.feeds.filter((each) => each.rows_read > 0) ?? []) {
          print(
            `  ${feed.feed}: ${feed.rows_read} rows, ${feed.rows_changed} taken in, ${feed.rows_left_out} left out`,
          );
          for (const reason of feed.first_reasons) print(`    ${reason}`);
        }
        readStore(run.store, (reader) => {
          const { events, markets } = countStore(reader);
          print(`  catalog: ${events} events, ${markets} markets`);
        });
      });
  }
}

/** Prints what an editor looks at, of each index. */
function look(reader: Reader): void {
  const questions = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!questions.has(id)) questions.set(id, findMarket(reader, id)?.question ?? id);
    return questions.get(id) ?? id;
  };
  for (const { definition } of listIndexDefinitions(reader))
    for (const line of editorsLook(reader, definition, nameOf)) print(`  ${line}`);
}

function states2020(): void {
  const store = openStore(':memory:');
  playStates2020(store);
  store.read(look);
  store.close();
}

function worldCup(): void {
  const store = openStore(':memory:');
  const instants = playWorldCup(store);
  store.read((reader) => {
    const ends = listIndexDefinitions(reader).flatMap(({ definition }) => {
      const prints = listIndexPrints(reader, definition.ticker, 0, instants.at(-1) ?? 0);
      const last = prints.at(-1);
      return last ? [{ ticker: definition.ticker, prints, last }] : [];
    });
    ends.sort((a, b) => b.last.level - a.last.level);
    print(`  ${ends.length} teams, ${instants.length} snapshots`);
    for (const { ticker, prints, last } of ends) {
      const highest = Math.max(...prints.map((each) => each.level));
      const names = [`${prints.length} prints`, `highest ${toLevel(highest).toFixed(0)}`];
      print(
        '   ',
        ticker.padEnd(22),
        ...names,
        `last ${toLevel(last.level).toFixed(2)}`,
        formatInstant(last.at),
      );
    }
    look(reader);
  });
  store.close();
}

if (hasRecorded) {
  await timed('2024 US presidential election, 30 states, as of 2024-11-05', election);
  await timed('2020 US presidential election, 56 races on PredictIt, June to September', async () =>
    states2020(),
  );
  await timed('Fed, December 2025: no change, two venues, every half-hour', decision);
  await timed('World Cup 2026, 32 teams, snapshot by snapshot', async () => worldCup());
  await catalogPages();
} else print('the recorded venue data is not beside the clone; REAL_DATA may name its folder');
