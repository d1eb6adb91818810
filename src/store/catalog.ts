import { hash } from 'node:crypto';
import type { CatalogEvent, CatalogMarket, MarketStatus, SeenStatus } from '../model/catalog.ts';
import { ForemarkError } from '../model/errors.ts';
import type { Family } from '../model/platform.ts';
import type { Instant, Probability } from '../model/units.ts';
import { noteLateInput } from './restatements.ts';
import { indexEvent, indexMarket } from './search-index.ts';
import type { Reader, Value, Writer } from './store.ts';

const EVENT_COLUMNS = [
  'event_id',
  'family',
  'native_id',
  'title',
  'slug',
  'series',
  'category',
  'description',
  'listed_at',
  'closes_at',
  'volume',
  'open_interest',
] as const satisfies readonly (keyof CatalogEvent)[];

const MARKET_COLUMNS = [
  'market_id',
  'event_id',
  'family',
  'native_id',
  'question',
  'description',
  'slug',
  'event_slug',
  'rules_primary',
  'yes_sub_title',
  'market_type',
  'status',
  'venue_status',
  'price_token',
  'listed_at',
  'opens_at',
  'closes_at',
  'settled_at',
  'payout',
  'volume',
  'volume_unit',
  'open_interest',
] as const satisfies readonly (keyof CatalogMarket)[];

/** A record as a row: what the venue may leave out is null where it did. */
export type RowOf<Item, Column extends keyof Item> = {
  [C in Column]-?: undefined extends Item[C] ? NonNullable<Item[C]> | null : Item[C];
};

/** An event of the catalog. */
export type EventRow = RowOf<CatalogEvent, (typeof EVENT_COLUMNS)[number]> & {
  event_key: number;
  first_seen_at: Instant;
};

/** A market of the catalog. */
export type MarketRow = RowOf<CatalogMarket, (typeof MARKET_COLUMNS)[number]> & {
  market_key: number;
  first_seen_at: Instant;
  last_seen_at: Instant;
};

// Two statements instead of one that does either: where foreign keys are held, that one takes four times as long.
const INSERT_EVENT = insertSql('events', EVENT_COLUMNS);
const UPDATE_EVENT = updateSql('events', 'event_key', EVENT_COLUMNS);
const INSERT_MARKET = insertSql('markets', [...MARKET_COLUMNS, 'market_key']);
const UPDATE_MARKET = updateSql('markets', 'market_key', MARKET_COLUMNS);

function insertSql(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}, last_seen_at, digest, first_seen_at)
    VALUES (${columns.map(() => '?').join(', ')}, ?, ?, ?)`;
}

function updateSql(table: string, key: string, columns: readonly string[]): string {
  return `UPDATE ${table} SET ${columns.map((each) => `${each} = ?`).join(', ')}, last_seen_at = ?, digest = ?
    WHERE ${key} = ?`;
}

/**
 * Adds an event or brings it up to date. What it was before is overwritten: the catalog shows today's texts.
 *
 * @returns true when it is new or something of it differs
 */
export function upsertEvent(writer: Writer, event: CatalogEvent, seenAt: Instant): boolean {
  const values = valuesOf(EVENT_COLUMNS, event);
  const digest = digestOf(values);
  const known = writer.get<{ event_key: number; digest: Buffer }>(
    'SELECT event_key, digest FROM events WHERE event_id = ?',
    event.event_id,
  );
  if (known?.digest.equals(digest)) {
    writer.run('UPDATE events SET last_seen_at = ? WHERE event_key = ?', seenAt, known.event_key);
    return false;
  }
  if (known) writer.run(UPDATE_EVENT, ...values, seenAt, digest, known.event_key);
  const key = known?.event_key ?? writer.run(INSERT_EVENT, ...values, seenAt, digest, seenAt).key;
  indexEvent(writer, key, event);
  return true;
}

/**
 * Adds a market or brings it up to date, and notes its status when that changed.
 *
 * @param known what the catalog has of it, where the caller has read that
 * @returns its key in the store, and whether it is new or something of it differs
 */
export function upsertMarket(
  writer: Writer,
  market: CatalogMarket,
  seenAt: Instant,
  known: StandingMarket | undefined = findStandingMarket(writer, market.market_id),
): { market_key: number; changed: boolean } {
  const values = valuesOf(MARKET_COLUMNS, market);
  const digest = digestOf(values);
  if (known?.digest.equals(digest)) {
    writer.run('UPDATE markets SET last_seen_at = ? WHERE market_key = ?', seenAt, known.market_key);
    return { market_key: known.market_key, changed: false };
  }
  const market_key = known?.market_key ?? marketKey(writer, market.market_id);
  if (known) writer.run(UPDATE_MARKET, ...values, seenAt, digest, market_key);
  else writer.run(INSERT_MARKET, ...values, market_key, seenAt, digest, seenAt);
  if (!known || !standsAs(known, market)) noteStatus(writer, market_key, market, seenAt);
  indexMarket(writer, market_key, market);
  return { market_key, changed: true };
}

function noteStatus(writer: Writer, marketKey: number, market: CatalogMarket, seenAt: Instant): void {
  const last = writer.get<Standing>(
    // The plus keeps the value from the planner, which would plan anew for each one: five times the time.
    `SELECT status, settled_at, payout FROM market_statuses WHERE market_key = +?
     ORDER BY observed_at DESC LIMIT 1`,
    marketKey,
  );
  if (last && standsAs(last, market)) return;
  const settled_at = market.settled_at ?? null;
  const payout = market.payout ?? null;
  if (market.status === 'settled' && settled_at !== null && payout !== null && settled_at < seenAt)
    noteLateInput(writer, marketKey, settled_at, 'late_settlement');
  writer.run(
    `INSERT INTO market_statuses (market_key, observed_at, status, settled_at, payout) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (market_key, observed_at) DO UPDATE SET
       status = excluded.status, settled_at = excluded.settled_at, payout = excluded.payout`,
    marketKey,
    seenAt,
    market.status,
    settled_at,
    payout,
  );
}

function standsAs(before: Standing, market: CatalogMarket): boolean {
  const { status, settled_at, payout } = market;
  return (
    before.status === status &&
    before.settled_at === (settled_at ?? null) &&
    before.payout === (payout ?? null)
  );
}

/** The values of a record's columns, null where the record has none, and a digest that tells one state from another. */
export function bind<Item extends object>(columns: readonly (keyof Item & string)[], item: Item) {
  const values = valuesOf(columns, item);
  const row = Object.fromEntries(columns.map((column, i) => [column, values[i] as Value]));
  return { row, digest: digestOf(values) };
}

function valuesOf<Item extends object>(columns: readonly (keyof Item & string)[], item: Item): Value[] {
  return columns.map((column) => (item[column] as Value | undefined) ?? null);
}

function digestOf(values: readonly Value[]): Buffer {
  return hash('sha1', JSON.stringify(values), 'buffer');
}

/** The key of a market for good, given to it the first time that it is named. */
export function marketKey(writer: Writer, marketId: string): number {
  const known = writer.get<{ market_key: number }>(
    'SELECT market_key FROM market_names WHERE market_id = ?',
    marketId,
  );
  return known?.market_key ?? writer.run('INSERT INTO market_names (market_id) VALUES (?)', marketId).key;
}

/** The id behind a key. */
export function marketIdOf(reader: Reader, key: number): string {
  const row = reader.get<{ market_id: string }>(
    'SELECT market_id FROM market_names WHERE market_key = ?',
    key,
  );
  if (!row) throw new ForemarkError('store_unusable', `store has no market with key ${key}`);
  return row.market_id;
}

/** The statuses that a market was seen in, oldest first; a status stands until the next. */
export function selectStatuses(reader: Reader, marketKey: number): SeenStatus[] {
  return reader.all(
    'SELECT observed_at, status, settled_at, payout FROM market_statuses WHERE market_key = +? ORDER BY observed_at',
    marketKey,
  );
}

/** How a market stands: trading, over, and what it paid. */
interface Standing {
  status: MarketStatus;
  settled_at: Instant | null;
  payout: number | null;
}

/** What tells whether a market differs from what the catalog has. */
interface StandingMarket extends Standing {
  market_key: number;
  digest: Buffer;
}

/** What a listing of a market is compared with. */
export interface KnownMarket extends StandingMarket {
  volume: number | null;
  open_interest: number | null;
  closes_at: Instant | null;
  book_at: Instant | null;
  bid: Probability | null;
  ask: Probability | null;
  last: Probability | null;
}

/** What is known of some markets and their newest quotes, by id; nothing of those that the catalog does not know. */
export function findKnownMarkets(reader: Reader, marketIds: readonly string[]): Map<string, KnownMarket> {
  const known = reader.all<KnownMarket & { market_id: string }>(
    `SELECT market_id, market_key, digest, status, settled_at, payout, volume, open_interest, closes_at,
       book_at, bid, ask, last
     FROM json_each(?) AS wanted CROSS JOIN markets ON market_id = wanted.value
     LEFT JOIN latest_quotes USING (market_key)`,
    JSON.stringify(marketIds),
  );
  return new Map(known.map((each) => [each.market_id, each]));
}

function findStandingMarket(reader: Reader, marketId: string): StandingMarket | undefined {
  return reader.get(
    'SELECT market_key, digest, status, settled_at, payout FROM markets WHERE market_id = ?',
    marketId,
  );
}

/** The market with an id, or undefined when the catalog does not know it. */
export function findMarket(reader: Reader, marketId: string): MarketRow | undefined {
  return reader.get('SELECT * FROM markets WHERE market_id = ?', marketId);
}

/** The status of a market by its id, or undefined when it is unknown. */
export function findMarketStatus(reader: Reader, marketId: string): MarketRow['status'] | undefined {
  const sql = 'SELECT status FROM markets WHERE market_id = ?';
  return reader.get<Pick<MarketRow, 'status'>>(sql, marketId)?.status;
}

/** The markets of a family whose outcome is not final, by id. */
export function listUnsettledMarkets(reader: Reader, family: Family): MarketRow[] {
  const sql = "SELECT * FROM markets WHERE family = ? AND status <> 'settled' ORDER BY market_id";
  return reader.all(sql, family);
}

/** The markets of a family without a final outcome that were last seen before an instant, those longest ago first. */
export function listUnsettledUnseen(
  reader: Reader,
  family: Family,
  before: Instant,
  limit: number,
): MarketRow[] {
  return reader.all(
    `SELECT * FROM markets WHERE family = ? AND status <> 'settled' AND last_seen_at < ?
     ORDER BY last_seen_at, market_id LIMIT ?`,
    family,
    before,
    limit,
  );
}

/** The event with an id, or undefined when the catalog does not know it. */
export function findEvent(reader: Reader, eventId: string): EventRow | undefined {
  return reader.get('SELECT * FROM events WHERE event_id = ?', eventId);
}

/** A market of the catalog as its venue would list it again. */
export function marketAgain(row: MarketRow): CatalogMarket {
  const known = MARKET_COLUMNS.map((column) => [column, row[column]]).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as CatalogMarket;
}

/** Notes at an instant what became of a market that was not seen then. */
export function changeUnseenMarket(
  writer: Writer,
  row: MarketRow,
  change: Pick<CatalogMarket, 'status' | 'venue_status'>,
  now: Instant,
): void {
  upsertMarket(writer, { ...marketAgain(row), ...change }, now);
  writer.run('UPDATE markets SET last_seen_at = ? WHERE market_key = ?', row.last_seen_at, row.market_key);
}
