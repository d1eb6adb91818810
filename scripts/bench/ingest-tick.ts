/**
 * Measures a tick of many markets, compared with the same rows in a table that is clustered by market instead of by
 * time.
 */
import { median } from 'simple-statistics';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { marketKeys } from '../../src/store/catalog/market-names.ts';
import { RowInsertion } from '../../src/store/many-rows.ts';
import { insertQuotes } from '../../src/store/prices/prices.ts';
import type { Store, Writer } from '../../src/store/store.ts';
import { openNew } from './ingest-store.ts';
import { print } from './print.ts';

const MARKETS = 10_000;
const HOURS = 200;
const TICKS_A_ROUND = 5;
const PRICES = { bid: 0.4, ask: 0.43, last: 0.41 };

const clusteredRows = new RowInsertion({
  table: 'clustered',
  columns: ['market_key', 'observed_at', 'recorded_at', 'bid', 'ask', 'last'],
  constant: ['series'],
});

/**
 * Prints the cost of a tick relative to rows that are clustered by market, with the same columns and constraints but
 * without the newest books.
 */
export function measureTick(folder: string, rounds: number, now: Instant): void {
  const ours = openNew(folder);
  const peer = openNew(folder);
  const keys = keysOf(ours.store);
  makeClustered(peer.store, keysOf(peer.store));
  const took = { ours: [] as number[], peer: [] as number[] };
  for (let i = 1; i <= rounds * TICKS_A_ROUND; i++) {
    const at = now + i * MINUTE_MS;
    const quotes = keys.map((market_key) => ({ market_key, prices: PRICES }));
    const tick = ours.time(() => ours.store.write((writer) => insertQuotes(writer, quotes, at)));
    const rows = peer.time(() => peer.store.write((writer) => insertClustered(writer, keys, [at])));
    took.ours.push(tick.processor);
    took.peer.push(rows.processor);
  }
  ours.close();
  peer.close();
  const [tick, rows] = [median(took.ours), median(took.peer)];
  print(`a tick of ${MARKETS} markets`, `${(1000 * tick).toFixed(0)} ms of processor time`);
  print('  of clustered row writes (0.1 or less wanted)', `${(tick / rows).toFixed(3)} x`);
}

function keysOf(store: Store): number[] {
  const ids = Array.from({ length: MARKETS }, (_, i) => `venue_a:T${i}`);
  return store.write((writer) => [...marketKeys(writer, ids).values()]);
}

/** Makes a copy of the tail's table with another key and rows of every market. */
function makeClustered(store: Store, keys: readonly number[]): void {
  const hours = Array.from({ length: HOURS }, (_, hour) => hour * HOUR_MS);
  store.write((writer) => {
    const sql = "SELECT sql FROM sqlite_schema WHERE name = 'price_tail'";
    const own = writer.value<string>(sql) as string;
    const key = 'PRIMARY KEY (market_key, series, observed_at, recorded_at)';
    writer.run(own.replace('price_tail', 'clustered').replace(/PRIMARY KEY \(.*?\)/, key));
    for (const each of keys) insertClustered(writer, [each], hours);
  });
}

function insertClustered(writer: Writer, keys: readonly number[], instants: readonly Instant[]): void {
  const { bid, ask, last } = PRICES;
  const rows: number[] = [];
  for (const key of keys) for (const at of instants) rows.push(key, at, at, bid, ask, last);
  clusteredRows.insert(writer, rows, ['quote']);
}
