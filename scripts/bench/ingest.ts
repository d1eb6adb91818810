/**
 * Command: measures what ingest costs, as ratios within one run.
 * `npm run bench:ingest -- --points 450000 --markets 20000 [--world 100000]`. Peers are the sqlite3 shell (Debian package
 * sqlite3) and JSON.parse alone; with --world a whole run over the simulated world of that many markets follows, each
 * program in a process of its own.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from 'simple-statistics';
import { newWalkState, type WalkState } from '../../src/ingest/catalog/catalog-walk.ts';
import { keepCatalog } from '../../src/ingest/catalog/keep-catalog.ts';
import { recallPage, seeOrKeepPage } from '../../src/ingest/catalog/known-pages.ts';
import { parseEventsPage, parseMarketsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { withKnownNames } from '../../src/ingest/venues/kalshi/what-is-known.ts';
import { config } from '../../src/model/config.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { dropListIndexes, makeListIndexes } from '../../src/store/catalog/list-indexes.ts';
import { insertFetch } from '../../src/store/payloads.ts';
import { insertRun } from '../../src/store/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { catalogTables } from './catalog-tables.ts';
import { eventPages, MARKETS_AN_EVENT, marketRow, type Page } from './ingest-data.ts';
import { measurePoints } from './ingest-points.ts';
import { openNew } from './ingest-store.ts';
import { measureTick } from './ingest-tick.ts';
import { measureWorld } from './ingest-world.ts';
import { print } from './print.ts';
import { hasShell, importSeconds, shellRatio } from './sqlite-import.ts';

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
const MOVED = 0.01;

const folder = mkdtempSync(join(tmpdir(), 'foremark-bench-'));

function freshState(): WalkState {
  return newWalkState({ named: [], config: config.parse({}) });
}

function loadCatalog(store: Store, pages: readonly Page[], now: number): void {
  const state = freshState();
  for (const body of pages) {
    const note = store.read((reader) => recallPage(reader, 'bench', body, now, state));
    const parsed = note ? undefined : parseEventsPage(JSON.parse(body.toString('utf8')));
    const read = () => {
      if (!parsed) throw new Error('page is another');
      return parsed;
    };
    store.write((writer) => seeOrKeepPage(writer, { feed: 'bench', body, note, read }, now, state));
  }
}

/**
 * The venue's answer when one market in a hundred has changed. The limit of 1.5 % was set for a hundred neighbouring
 * markets at a time; if each lies apart, three times as many database pages are written.
 */
function changesOf(moves: number, marketOf: (i: number) => number): Buffer {
  const markets = Array.from({ length: MARKETS * MOVED }, (_, i) => {
    const market = marketOf(i);
    return marketRow(market, Math.floor(market / MARKETS_AN_EVENT), moves);
  });
  return Buffer.from(JSON.stringify({ markets, cursor: '' }));
}

function keepChanges(store: Store, changes: Buffer, now: number): void {
  const { markets } = parseMarketsPage(JSON.parse(changes.toString('utf8')));
  store.write((writer) => {
    const known = markets.map((listed) => withKnownNames(writer, listed));
    keepCatalog(writer, { events: [], markets: known }, now, freshState());
  });
}

function measureCatalog(): void {
  const still = eventPages(MARKETS, () => false);
  const moved = eventPages(MARKETS, (market) => market % (1 / MOVED) === 0);
  const ofWholeEvents = changesOf(
    2,
    (i) => Math.floor(i / MARKETS_AN_EVENT) * 1_000 + (i % MARKETS_AN_EVENT),
  );
  const anywhere = changesOf(3, (i) => i * 100);
  const names = ['first', 'same', 'full', 'together', 'apart', 'kept'] as const;
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  const seconds = { first: [] as number[], shell: [] as number[], whole: [] as number[] };
  for (let i = 0; i < ROUNDS; i++) {
    const { store, time, close } = openNew(folder);
    const measure = (name: (typeof names)[number], work: () => void) => {
      const { wall, processor } = time(work);
      measured[name]?.push(processor);
      return wall;
    };
    const first = measure('first', () => {
      store.write(dropListIndexes);
      loadCatalog(store, still, NOW);
      store.write(makeListIndexes);
    });
    seconds.first.push(first);
    measure('same', () => loadCatalog(store, still, NOW + HOUR_MS / 4));
    measure('full', () => loadCatalog(store, moved, NOW + HOUR_MS / 2));
    measure('together', () => keepChanges(store, ofWholeEvents, NOW + HOUR_MS));
    measure('apart', () => keepChanges(store, anywhere, NOW + HOUR_MS + MINUTE_MS));
    const runId = store.write((writer) => insertRun(writer, 'bench', NOW));
    measure('kept', () => {
      for (const body of still)
        store.write((writer) =>
          insertFetch(writer, { run_id: runId, feed: 'bench', request: 'GET', observed_at: NOW, body }),
        );
    });
    if (hasShell()) {
      const { schema, tables } = store.read(catalogTables);
      const markets = tables.filter(({ name }) => name === 'markets');
      seconds.shell.push(importSeconds(folder, schema, markets));
      seconds.whole.push(importSeconds(folder, schema, tables));
    }
    close();
  }
  const first = median(seconds.first);
  const share = (name: (typeof names)[number]) =>
    `${((100 * median(measured[name] ?? [])) / median(measured.first ?? [])).toFixed(1)} %`;
  print(`catalog, JSON to rows (${MARKETS} markets)`, `${first.toFixed(2)} s`);
  print(
    '  against the shell’s .import of the markets alone (0.65 or more wanted)',
    shellRatio(seconds.shell, first),
  );
  print('  against its .import of all that a load writes, words included', shellRatio(seconds.whole, first));
  print('  second run, 1% moved, of the first (40% or less wanted)', share('full'));
  print('  second run, pages unchanged, of the first (15% or less wanted)', share('same'));
  print('  what changed alone, whole events, of the first (1.5% or less wanted)', share('together'));
  print('  what changed alone, a market here and there, of the first', share('apart'));
  print('  keeping the answers as they came, of the first', share('kept'));
}

try {
  measurePoints(folder, { points: POINTS, rounds: ROUNDS, now: NOW });
  measureCatalog();
  measureTick(folder, ROUNDS, NOW);
  if (values.world !== undefined) await measureWorld(Number(values.world), folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
