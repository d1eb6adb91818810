/**
 * Command: what ingest costs, as ratios of one run. `npm run bench:ingest -- --points 450000 --markets 20000
 * [--world 100000]`. Peers are the sqlite3 shell (Debian package sqlite3) and JSON.parse alone; with --world a
 * whole run over the simulated world of that many markets follows, each program in a process of its own.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from 'simple-statistics';
import { newWalkState, type WalkState } from '../../src/ingest/catalog-walk.ts';
import { keepCatalog } from '../../src/ingest/keep-catalog.ts';
import { keepNoted, pageName, recallPage, seeAgain } from '../../src/ingest/known-pages.ts';
import { parseCandlesPage } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import { parseEventsPage, parseMarketsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { withKnownNames } from '../../src/ingest/venues/kalshi/what-is-known.ts';
import { config } from '../../src/model/config.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { dropListIndexes, makeListIndexes } from '../../src/store/catalog/list-indexes.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertFetch } from '../../src/store/payloads.ts';
import { compactTail } from '../../src/store/prices/price-compaction.ts';
import { insertObservations, insertQuotes } from '../../src/store/prices/prices.ts';
import { insertRun } from '../../src/store/runs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { catalogTables } from './catalog-tables.ts';
import { candlePages, eventPages, marketRow, type Page } from './ingest-data.ts';
import { measureWorld } from './ingest-world.ts';
import { hasShell, importSeconds } from './sqlite-import.ts';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '450000' },
    markets: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    world: { type: 'string' },
  },
});
const POINTS = Number(values.points);
const MARKETS = Number(values.markets);
const ROUNDS = Number(values.rounds);
const NOW = Date.UTC(2026, 10, 2);
const TICK = 10_000;
const MOVED = 0.01;

const folder = mkdtempSync(join(tmpdir(), 'foremark-bench-'));
const print = (name: string, value: string) => process.stdout.write(`${name.padEnd(66)} ${value}\n`);
const times = (value: number) => `${value.toFixed(2)} x`;

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

/** A store that is written as venues' pages are. */
function openNew(): Store {
  return openStore(join(folder, `store-${process.hrtime.bigint()}.db`)).later();
}

function freshState(): WalkState {
  return newWalkState({ named: [], config: config.parse({}) });
}

function parseAlone(pages: readonly Page[]): number {
  return timed(() => {
    for (const page of pages) JSON.parse(page.toString('utf8'));
  });
}

function loadPoints(store: Store, pages: readonly Page[]): number {
  return timed(() => {
    for (const page of pages) {
      const read = parseCandlesPage(JSON.parse(page.toString('utf8')), NOW);
      store.write((writer) => {
        for (const [ticker, observations] of read.byTicker) {
          const batch = { series: 'candle_60' as const, observations };
          insertObservations(writer, marketKey(writer, `venue_a:${ticker}`), batch, NOW);
        }
      });
    }
    store.write((writer) => compactTail(writer));
  });
}

function measurePoints(): void {
  const pages = candlePages(POINTS, NOW / 1000);
  const rows = pages.flatMap((page) =>
    [...parseCandlesPage(JSON.parse(page.toString('utf8')), NOW).byTicker].flatMap(([ticker, observations]) =>
      observations.map((each) => [
        each.observed_at,
        Number(ticker.slice('KXBENCH-'.length)),
        'candle_60',
        NOW,
        each.bid ?? null,
        each.ask ?? null,
        each.last ?? null,
        each.open ?? null,
        each.high ?? null,
        each.low ?? null,
        each.volume ?? null,
        each.open_interest ?? null,
      ]),
    ),
  );
  const schema = `CREATE TABLE points (observed_at INTEGER, market_key INTEGER, series TEXT, recorded_at INTEGER,
    bid REAL, ask REAL, last REAL, open REAL, high REAL, low REAL, volume REAL, open_interest REAL,
    PRIMARY KEY (market_key, observed_at)) WITHOUT ROWID;`;
  const measured = { ours: [] as number[], parse: [] as number[], shell: [] as number[] };
  for (let i = 0; i < ROUNDS; i++) {
    const store = openNew();
    measured.ours.push(loadPoints(store, pages));
    store.close();
    measured.parse.push(parseAlone(pages));
    if (hasShell()) measured.shell.push(importSeconds(folder, schema, [{ name: 'points', rows }]));
  }
  const ours = median(measured.ours);
  const rate = Math.round(rows.length / ours / 1000);
  print(
    `points, JSON to column blobs (${rows.length} points)`,
    `${ours.toFixed(2)} s, ${rate} thousand a second`,
  );
  print('  against the shell’s .import of the rows (2.5 or more wanted)', shellRatio(measured.shell, ours));
  print('  against JSON.parse alone (0.7 or more wanted)', times(median(measured.parse) / ours));
}

function shellRatio(measured: readonly number[], ours: number): string {
  return measured.length === 0
    ? 'no sqlite3 shell; install the Debian package sqlite3'
    : times(median(measured) / ours);
}

function loadCatalog(store: Store, pages: readonly Page[], now: number): number {
  const state = freshState();
  return timed(() => {
    for (const page of pages) {
      const name = pageName('bench', page);
      const note = store.read((reader) => recallPage(reader, name, now, state));
      const read = note ? undefined : parseEventsPage(JSON.parse(page.toString('utf8')));
      store.write((writer) => {
        if (read) keepNoted(writer, name, read, now, state);
        else if (!note || !seeAgain(writer, note, now, state)) throw new Error('page is another');
      });
    }
  });
}

function measureCatalog(): void {
  const still = eventPages(MARKETS, () => false);
  const moved = eventPages(MARKETS, (market) => market % (1 / MOVED) === 0);
  const changes = Buffer.from(
    JSON.stringify({
      markets: Array.from({ length: MARKETS * MOVED }, (_, i) => marketRow(i * 100, i * 10, 2)),
      cursor: '',
    }),
  );
  const measured: Record<'first' | 'same' | 'full' | 'delta' | 'kept' | 'shell' | 'whole', number[]> = {
    first: [],
    same: [],
    full: [],
    delta: [],
    kept: [],
    shell: [],
    whole: [],
  };
  for (let i = 0; i < ROUNDS; i++) {
    const store = openNew();
    measured.first.push(
      timed(() => {
        store.write(dropListIndexes);
        loadCatalog(store, still, NOW);
        store.write(makeListIndexes);
      }),
    );
    measured.same.push(loadCatalog(store, still, NOW + HOUR_MS / 4));
    measured.full.push(loadCatalog(store, moved, NOW + HOUR_MS / 2));
    measured.delta.push(
      timed(() => {
        const { markets } = parseMarketsPage(JSON.parse(changes.toString('utf8')));
        store.write((writer) => {
          const known = markets.map((listed) => withKnownNames(writer, listed));
          keepCatalog(writer, { events: [], markets: known }, NOW + HOUR_MS, freshState());
        });
      }),
    );
    const runId = store.write((writer) => insertRun(writer, 'bench', NOW));
    measured.kept.push(
      timed(() => {
        for (const body of still)
          store.write((writer) =>
            insertFetch(writer, { run_id: runId, feed: 'bench', request: 'GET', observed_at: NOW, body }),
          );
      }),
    );
    if (hasShell()) {
      const { schema, tables } = store.read(catalogTables);
      const markets = tables.filter(({ name }) => name === 'markets');
      measured.shell.push(importSeconds(folder, schema, markets));
      measured.whole.push(importSeconds(folder, schema, tables));
    }
    store.close();
  }
  const first = median(measured.first);
  const share = (of: readonly number[]) => `${((100 * median(of)) / first).toFixed(1)} %`;
  print(`catalog, JSON to rows (${MARKETS} markets)`, `${first.toFixed(2)} s`);
  print(
    '  against the shell’s .import of the markets alone (0.65 or more wanted)',
    shellRatio(measured.shell, first),
  );
  print('  against its .import of all that a load writes, words included', shellRatio(measured.whole, first));
  print('  second run, 1% moved, of the first (40% or less wanted)', share(measured.full));
  print('  second run, pages unchanged, of the first (15% or less wanted)', share(measured.same));
  print('  what changed alone, of the first (1.5% or less wanted)', share(measured.delta));
  print('  keeping the answers as they came, of the first', share(measured.kept));
}

function measureTick(): void {
  const store = openNew();
  const keys = store.write((writer) => {
    const all = Array.from({ length: TICK }, (_, i) => marketKey(writer, `venue_a:T${i}`));
    writer.run(
      `CREATE TABLE clustered (market_key INTEGER, observed_at INTEGER, bid REAL, ask REAL, last REAL,
         PRIMARY KEY (market_key, observed_at)) WITHOUT ROWID`,
    );
    return all;
  });
  const add = 'INSERT INTO clustered VALUES (?, ?, ?, ?, ?)';
  store.write((writer) => {
    for (const key of keys)
      for (let hour = 0; hour < 200; hour++) writer.run(add, key, hour * HOUR_MS, 0.4, 0.43, 0.41);
  });
  const measured = { tail: [] as number[], rows: [] as number[] };
  for (let i = 1; i <= ROUNDS; i++) {
    const at = NOW + i * 60_000;
    measured.tail.push(
      timed(() =>
        store.write((writer) => {
          const prices = { bid: 0.4, ask: 0.43, last: 0.41 };
          const quotes = keys.map((market_key) => ({ market_key, prices }));
          insertQuotes(writer, quotes, at);
        }),
      ),
    );
    measured.rows.push(
      timed(() =>
        store.write((writer) => {
          for (const key of keys) writer.run(add, key, at, 0.4, 0.43, 0.41);
        }),
      ),
    );
  }
  store.close();
  print(`a tick of ${TICK} markets`, `${(1000 * median(measured.tail)).toFixed(0)} ms`);
  print(
    '  of clustered row writes (0.1 or less wanted)',
    times(median(measured.tail) / median(measured.rows)),
  );
}

try {
  measurePoints();
  measureCatalog();
  measureTick();
  if (values.world !== undefined) await measureWorld(Number(values.world), folder, print);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
