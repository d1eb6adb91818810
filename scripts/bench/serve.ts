/**
 * Command: measures what serving costs, as ratios within one run. `npm run bench:serve -- --markets 1000000`. Ours and
 * the peer are measured in turn, query by query, so that other load on the machine affects both. With `--folder <path>`
 * the markets are kept there, and the next run with the same folder measures without filling it again.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { encode } from '../../src/routes/encode.ts';
import { parseQuery } from '../../src/routes/parameters.ts';
import { routes } from '../../src/routes/routes.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { setMarketMark } from '../../src/store/catalog/market-marks.ts';
import { joinSearch } from '../../src/store/catalog/search-index.ts';
import { hasServedCatalog, setCatalogState } from '../../src/store/runs.ts';
import { openStore, type Reader, type Store } from '../../src/store/store.ts';
import { seededRandom } from '../seeded-random.ts';
import { print } from './print.ts';
import { queriesOf, questionOf } from './search-world.ts';
import { measureHttp } from './serve-http.ts';

const { values } = parseArgs({
  options: { markets: { type: 'string', default: '200000' }, folder: { type: 'string' } },
});
const MARKETS = Number(values.markets);
const NOW = Date.UTC(2026, 10, 2);
const SITES = { venue_a: 'https://kalshi.com', venue_b_global: 'https://polymarket.com' };
const BATCH = 20_000;
/** A week in which one market in sixteen closes. */
const WEEK = {
  expires_after: new Date(NOW).toISOString(),
  expires_before: new Date(NOW + 7 * DAY_MS).toISOString(),
};

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'foremark-bench-'));
const PATHS = { ours: join(folder, 'foremark.db'), plain: join(folder, 'plain.db') };
const ms = (value: number) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

interface Latencies {
  [way: string]: number[];
}

function report(name: string, latencies: Latencies, peer: string, own: string): void {
  const sorted = (way: string) => [...(latencies[way] ?? [])].sort((a, b) => a - b);
  const [theirs, ours] = [sorted(peer), sorted(own)];
  for (const [what, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
    ['worst', 1],
  ] as const)
    print(
      `${name} ${what}: ${own} against ${peer}`,
      `${ms(at(ours, share))} / ${ms(at(theirs, share))} = 1/${(at(theirs, share) / at(ours, share)).toFixed(1)}`,
    );
}

function marketOf(i: number, random: () => number): CatalogMarket {
  const question = questionOf(random);
  const platform = (['venue_a', 'venue_b', 'venue_c'] as const)[i % 3] ?? 'venue_a';
  const slug = question.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return {
    market_id: `${platform}:M${i}`,
    family: platform === 'venue_b' ? 'venue_b_global' : platform,
    native_id: `M${i}`,
    question,
    slug: `${slug}${i.toString(36)}`,
    status: 'active',
    venue_status: 'active',
    event_id: `${platform}:E${i % 50_000}`,
    listed_at: NOW - Math.floor(random() * 1e10),
    closes_at: NOW + Math.floor(random() * 1e10),
    volume: Math.floor(Math.exp(random() * 16)),
    volume_unit: 'usd',
  };
}

/** Fills our store, and a plain full-text index of SQLite with the same texts, unless an earlier run has left both. */
function fill(): { store: Store; plain: Database.Database } {
  mkdirSync(folder, { recursive: true });
  const store = openStore(PATHS.ours);
  const plain = new Database(PATHS.plain);
  if (store.read(hasServedCatalog)) return { store, plain };
  plain.pragma('journal_mode = WAL');
  plain.exec('CREATE VIRTUAL TABLE texts USING fts5(question, slug)');
  const insert = plain.prepare('INSERT INTO texts (rowid, question, slug) VALUES (?, ?, ?)');
  const random = seededRandom(1);
  let ours = 0;
  let theirs = 0;
  for (let from = 0; from < MARKETS; from += BATCH) {
    const markets = Array.from({ length: Math.min(BATCH, MARKETS - from) }, (_, i) =>
      marketOf(from + i, random),
    );
    const started = performance.now();
    store.write((writer) => {
      for (const market of markets) {
        const { market_key } = upsertMarket(writer, market, NOW);
        setMarketMark(writer, market_key, { price: 0.42, basis: 'mid', observed_at: NOW });
      }
    });
    const between = performance.now();
    plain.exec('BEGIN');
    markets.forEach((market, i) => {
      insert.run(from + i + 1, market.question, market.slug);
    });
    plain.exec('COMMIT');
    ours += between - started;
    theirs += performance.now() - between;
  }
  plain.exec(`INSERT INTO texts (texts) VALUES ('optimize')`);
  store.write((writer) => {
    // As an ingest that has filled the catalog does.
    joinSearch(writer);
    setCatalogState(writer, 'serving', NOW);
  });
  print(
    `filled with ${MARKETS} markets (catalog, marks, search; beside it the plain index)`,
    `${(ours / 1000).toFixed(0)} s; ${(theirs / 1000).toFixed(0)} s`,
  );
  return { store, plain };
}

/** The bytes of a route's answer. */
function answerOf(reader: Reader, path: string, parameters: Record<string, string>): string {
  const route = routes.find((each) => each.path === path && each.tiers.includes('public'));
  if (!route) throw new Error(`no route ${path}`);
  const raw = new Map(Object.entries(parameters).map(([name, value]) => [name, [value]]));
  const query = parseQuery(route.query, raw);
  return encode(route.answer({ reader, now: NOW, tier: 'public', id: '', query, sites: SITES }) ?? {});
}

/** Each piece of work is repeated this often and the fastest time counts, since other processes may slow down some. */
const TIMES = 3;

function timed(latencies: Latencies, way: string, work: () => unknown): void {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TIMES; i++) {
    const started = performance.now();
    work();
    least = Math.min(least, performance.now() - started);
  }
  const list = latencies[way] ?? [];
  list.push(least);
  latencies[way] = list;
}

function measureSearch(reader: Reader, plain: Database.Database): void {
  const bm25 = plain
    .prepare('SELECT rowid, question, slug FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 25')
    .raw();
  const quoted = (text: string) =>
    text
      .split(' ')
      .map((word) => `"${word}"`)
      .join(' ');
  const queries = queriesOf(99);
  for (const text of ['bitcoin above', 'will']) answerOf(reader, '/markets', { search: text });
  const all: Latencies = {};
  for (const [kind, texts] of Object.entries(queries)) {
    const own: Latencies = {};
    for (const text of texts) {
      timed(own, 'plain bm25', () => bm25.all(quoted(text)));
      timed(own, 'ours', () => answerOf(reader, '/markets', { search: text, per_page: '25' }));
      timed(own, 'sorted', () =>
        answerOf(reader, '/markets', { search: text, per_page: '25', sort: 'volume' }),
      );
      timed(own, 'sorted in a week', () =>
        answerOf(reader, '/markets', { search: text, per_page: '25', sort: 'volume', ...WEEK }),
      );
    }
    for (const [way, list] of Object.entries(own)) all[way] = [...(all[way] ?? []), ...list];
    report(`search, ${kind} words`, own, 'plain bm25', 'ours');
  }
  report('search, all 490 queries', all, 'plain bm25', 'ours');
  report('sorted search, all 490 queries', all, 'plain bm25', 'sorted');
  report('the same of what closes within a week', all, 'plain bm25', 'sorted in a week');
}

function measurePages(reader: Reader): void {
  const latencies: Latencies = {};
  const rows = `SELECT * FROM markets LEFT JOIN market_marks USING (market_key)
    WHERE market_id > 'venue_b:' AND market_id < 'venue_b;' ORDER BY volume DESC, market_key DESC LIMIT 100`;
  const parameters = { venue: 'venue_b', sort: 'volume', per_page: '100' };
  for (let i = 0; i < 100; i++) {
    timed(latencies, 'rows + stringify', () => JSON.stringify(reader.all(rows)));
    timed(latencies, 'the route', () => answerOf(reader, '/markets', parameters));
  }
  report('filtered, sorted page of 100', latencies, 'rows + stringify', 'the route');
}

try {
  const { store, plain } = fill();
  store.read((reader) => {
    measureSearch(reader, plain);
    measurePages(reader);
  });
  plain.close();
  store.close();
  await measureHttp(PATHS.ours);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
