// Runs the real pipeline over recorded venue data, beside the clone or where REAL_DATA points, and prints the figures that
// test/real/README.md refers to. Each set is played with whatever names, dates and pages it contains; the results are verified
// and, if there is a python3, recalculated by the independent program. Exits with 1 if a set fails or anything differs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../src/compute/recalculation/verify.ts';
import { messageOf } from '../src/model/errors.ts';
import { formatInstant } from '../src/model/time.ts';
import { toCents, toLevel } from '../src/model/units.ts';
import { findMarket } from '../src/store/catalog/catalog.ts';
import { countStore } from '../src/store/counts.ts';
import { listIndexDefinitions } from '../src/store/definitions/definitions.ts';
import { findIndexPrint, selectIndexPrints } from '../src/store/prints/index-prints.ts';
import { listRatePrints } from '../src/store/prints/rate-prints.ts';
import { openStore, type Reader, type Store } from '../src/store/store.ts';
import { compareStores, hasPython } from '../test/oracle/season/season.ts';
import { dailyTables, type PriceSeries, playDailyPrices, readSeries } from '../test/real/daily-prices.ts';
import { realRun } from '../test/real/real-run.ts';
import { writeElection } from '../test/real/recorded-definitions.ts';
import {
  pairsOf,
  playTwoVenues,
  readSnapshots,
  snapshotsFolder,
} from '../test/real/two-venue-live-2026-08.ts';
import { playStates2020, racesFolder } from '../test/real/us-president-2020.ts';
import { playWorldCup, teamsFolder } from '../test/real/world-cup-2026.ts';
import { RECORDS, recordedFiles, recordedFolders } from '../test/replay/recorded.ts';
import { type Replay, scenarioNames, startReplay, startScenario } from '../test/replay/replay.ts';
import { contracts, decisionFolder, fedDec2025, halfHours } from '../test/replay/scenarios/fed-dec-2025.ts';
import { foundPages } from '../test/replay/scenarios/found-pages.ts';
import { electionFolder, states } from '../test/replay/states.ts';
import { reviewIndex } from './index-review.ts';

const ELECTION = Date.parse('2024-11-05T00:00:00Z');
const print = (...cells: (string | number)[]) => process.stdout.write(`${cells.join('  ')}\n`);

/** Plays one set into a store at a path, in a folder that is removed afterwards. */
type Play = (path: string, folder: string) => Promise<void>;

/** Plays a set, prints its results, checks its prints, and says how long it took. */
async function play(title: string, work: Play): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-real-'));
  const path = join(folder, 'foremark.db');
  const started = performance.now();
  print(`\n${title}`);
  try {
    await work(path, folder);
    checkPrints(path);
  } catch (error) {
    process.exitCode = 1;
    print('  failed:', messageOf(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  print(`  ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function checkPrints(path: string): void {
  const { recalculated, differences } = readStore(path, (reader) => verify(reader, []));
  if (recalculated === 0) return;
  print(`  verified: ${recalculated} prints, ${differences.length} differ`);
  for (const { kind, ticker, at, reason } of differences)
    print(`    ${kind} ${ticker ?? ''} at ${formatInstant(at)}: ${reason}`);
  if (hasPython) {
    const independent = compareStores([path]);
    print(
      `  the independent program: ${independent.compared} numbers, differences: ${independent.differences || 'none'}`,
    );
    if (independent.differences) process.exitCode = 1;
  }
  if (differences.length > 0) process.exitCode = 1;
}

function readStore<T>(path: string, work: (reader: Reader) => T): T {
  const store = openStore(path, { readonly: true });
  try {
    return store.read(work);
  } finally {
    store.close();
  }
}

/**
 * Plays a recording that goes into a store without a venue's wire format.
 *
 * @param tell prints its results from what was filled in
 */
function intoStore<Filled>(
  fill: (store: Store) => Filled,
  tell: (reader: Reader, filled: Filled) => void = () => {},
): Play {
  return async (path) => {
    const store = openStore(path);
    const filled = fill(store);
    store.read((reader) => {
      tell(reader, filled);
      look(reader);
    });
    store.close();
  };
}

const election: Play = async (_path, folder) => {
  const definitions = join(folder, 'definitions');
  writeElection(definitions);
  const replay = await startReplay('us-president-2024');
  const run = realRun(replay, folder, definitions);
  const { ingest } = await run.at(ELECTION);
  await replay.close();
  for (const feed of ingest?.feeds ?? [])
    print(
      `  ${feed.feed}: ${feed.rows_read} rows, ${feed.observations_added} observations, ${feed.rows_left_out} left out`,
    );
  readStore(run.store, (reader) => {
    for (const ticker of ['USPRES24-R', 'USPRES24-R-GAUGE'])
      for (const month of ['2024-08-05', '2024-09-01', '2024-10-01', '2024-11-01', '2024-11-05']) {
        const found = findIndexPrint(reader, ticker, Date.parse(`${month}T00:00:00Z`));
        if (found)
          print(`  ${ticker}`, formatInstant(found.at), toLevel(found.level), `${found.lines.length} names`);
      }
    look(reader);
  });
};

const decision =
  (contract: string): Play =>
  async (_path, folder) => {
    const replay = await startScenario('fed-dec-2025', fedDec2025(contract));
    const run = realRun(replay, folder, 'fed-2025-12');
    const instants = halfHours(contract).map((row) => Number(row.timestamp_ms));
    for (const at of instants) await run.at(at, ['ingest', 'compute']);
    const end = instants.at(-1) ?? 0;
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
  };

const twoVenues = intoStore(
  (store) => {
    const snapshots = readSnapshots();
    playTwoVenues(store, snapshots);
    return snapshots;
  },
  (reader, snapshots) => {
    for (const { ticker, kalshi, polymarket } of pairsOf(snapshots)) {
      const prints = listRatePrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER);
      const widest = Math.max(0, ...prints.map((each) => each.spread));
      print(
        `  ${ticker} (${kalshi}, ${polymarket}): ${prints.length} prints of ${snapshots.length} snapshots, spread ${toCents(widest)}c at most`,
      );
    }
  },
);

const worldCup = intoStore(playWorldCup, (reader, instants) => {
  const ends = listIndexDefinitions(reader).flatMap(({ definition }) => {
    const prints = selectIndexPrints(reader, definition.ticker, 0, instants.at(-1) ?? 0);
    const last = prints.at(-1);
    return last ? [{ ticker: definition.ticker, prints, last }] : [];
  });
  ends.sort((a, b) => b.last.level - a.last.level);
  print(`  ${ends.length} teams, ${instants.length} snapshots`);
  for (const { ticker, prints, last } of ends) {
    const highest = Math.max(...prints.map((each) => each.level));
    print(
      `    ${ticker.padEnd(22)}  ${prints.length} prints, highest ${toLevel(highest).toFixed(0)}, ` +
        `last ${toLevel(last.level).toFixed(2)} at ${formatInstant(last.at)}`,
    );
  }
});

const dailyPrices = intoStore(
  (store) => playDailyPrices(store, dailyTables().flatMap(seriesOrFault)),
  (reader, names) => {
    for (const [ticker, name] of names) {
      const prints = listRatePrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER);
      const [first = Number.NaN, last = Number.NaN] = [prints[0]?.price, prints.at(-1)?.price];
      print(`    ${name}: ${prints.length} prints, first ${toCents(first)}c, last ${toCents(last)}c`);
    }
  },
);

/** The series of a table; none if it cannot be read, which is reported. */
function seriesOrFault(path: string): PriceSeries[] {
  try {
    return readSeries(path);
  } catch (thrown) {
    process.exitCode = 1;
    print('  failed:', messageOf(thrown));
    return [];
  }
}

/** Plays one set of catalog pages as the venues answer them. */
function catalogPages(start: () => Promise<Replay>, catalog: 'gamma' | 'clob'): Play {
  return async (_path, folder) => {
    const replay = await start();
    const run = realRun(replay, folder, 'fed-2025-12', { catalog });
    const { ingest } = await run.at(Date.now(), ['ingest']);
    await replay.close();
    for (const feed of ingest?.feeds.filter((each) => each.rows_read > 0) ?? []) {
      print(
        `  ${feed.feed}: ${feed.rows_read} rows, ${feed.rows_changed} taken in, ${feed.rows_left_out} left out`,
      );
      for (const reason of feed.first_reasons) print(`    ${reason}`);
    }
    const { events, markets } = readStore(run.store, countStore);
    print(`  catalog: ${events} events, ${markets} markets`);
  };
}

/** Prints the review of each index for an editor. */
function look(reader: Reader): void {
  const questions = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!questions.has(id)) questions.set(id, findMarket(reader, id)?.question ?? id);
    return questions.get(id) ?? id;
  };
  for (const { definition } of listIndexDefinitions(reader))
    for (const line of reviewIndex(reader, definition, nameOf)) print(`  ${line}`);
}

/** What can be played, each with the folder of its recording. */
const RECORDINGS: { folder: string; title: string; work: Play }[] = [
  {
    folder: `${electionFolder}/csv_hour`,
    title: `2024 US presidential election, ${states.length} states, as of 2024-11-05`,
    work: election,
  },
  {
    folder: racesFolder,
    title: '2020 US presidential election, the races on PredictIt',
    work: intoStore(playStates2020),
  },
  ...[...contracts.keys()].map((contract) => ({
    folder: decisionFolder,
    title: `Fed, December 2025: ${contract.replaceAll('_', ' ')}, two venues, every half-hour`,
    work: decision(contract),
  })),
  {
    folder: snapshotsFolder,
    title: 'August 2026, the busiest markets of two venues, snapshot by snapshot',
    work: twoVenues,
  },
  { folder: teamsFolder, title: 'World Cup 2026, snapshot by snapshot', work: worldCup },
];

const found = RECORDINGS.filter(({ folder }) => recordedFiles(folder, /csv|jsonl/).length > 0);
const pages = scenarioNames
  .filter((name) => name.startsWith('catalog-pages/'))
  .map((name) => ({ name, start: () => startReplay(name), hasListing: /clob|samples/.test(name) }));
const withPages = foundPages();
for (const [folder, { scenario, hasListing }] of withPages)
  pages.push({
    name: `pages of ${folder}`,
    start: async () => startScenario('found', scenario()),
    hasListing,
  });
if (found.length + pages.length + dailyTables().length === 0)
  print('no recorded venue data is beside the clone; REAL_DATA may name its folder');
for (const { title, work } of found) await play(title, work);
if (dailyTables().length > 0) await play('Tables of prices by day', dailyPrices);
for (const { name, start, hasListing } of pages) {
  await play(name, catalogPages(start, 'gamma'));
  if (hasListing) await play(`${name} (CLOB listing)`, catalogPages(start, 'clob'));
}

// What is not recognized must not look as if it had been played.
const unplayed = recordedFolders().flatMap((folder) => {
  if (found.some((each) => each.folder.split('/')[0] === folder)) return [];
  const files = recordedFiles(folder, RECORDS);
  const left = files.filter(
    (path) => !dailyTables().includes(path) && !(withPages.has(folder) && /json/.test(path)),
  );
  const isPlayed =
    left.length < files.length || dailyTables().some((path) => path.startsWith(join(folder, '/')));
  return isPlayed ? left : [folder];
});
if (unplayed.length > 0) print(`\nnot played, because nothing here reads such files: ${unplayed.join(', ')}`);
