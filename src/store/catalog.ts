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

const UPSERT_EVENT = upsertSql('events', 'event_id', EVENT_COLUMNS);
const UPSERT_MARKET = upsertSql('markets', 'market_id', ['market_key', ...MARKET_COLUMNS]);

function upsertSql(table: string, id: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}, first_seen_at, last_seen_at, digest)
    VALUES (${columns.map((each) => `@${each}`).join(', ')}, @seen_at, @seen_at, @digest)
    ON CONFLICT (${id}) DO UPDATE SET
      ${columns.map((each) => `${each} = excluded.${each}`).join(', ')},
      last_seen_at = excluded.last_seen_at, digest = excluded.digest`;
}

/**
 * Adds an event or brings it up to date. What it was before is overwritten: the catalog shows today's texts.
 *
 * @returns true when it is new or something of it differs
 */
export function upsertEvent(writer: Writer, event: CatalogEvent, seenAt: Instant): boolean {
  const { row, digest } = bind(EVENT_COLUMNS, event);
  const known = writer.get<{ digest: Buffer }>(
    'SELECT digest FROM events WHERE event_id = ?',
    event.event_id,
  );
  if (known?.digest.equals(digest)) {
    writer.run('UPDATE events SET last_seen_at = ? WHERE event_id = ?', seenAt, event.event_id);
    return false;
  }
  writer.run(UPSERT_EVENT, { ...row, seen_at: seenAt, digest });
  indexEvent(writer, eventKey(writer, event.event_id), event);
  return true;
}

function eventKey(reader: Reader, eventId: string): number {
  const sql = 'SELECT event_key FROM events WHERE event_id = ?';
  return reader.get<{ event_key: number }>(sql, eventId)?.event_key as number;
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
  known: Pick<KnownMarket, 'market_key' | 'digest'> | null = findKnownMarket(writer, market.market_id),
): { market_key: number; changed: boolean } {
  const { row, digest } = bind(MARKET_COLUMNS, market);
  if (known?.digest.equals(digest)) {
    writer.run('UPDATE markets SET last_seen_at = ? WHERE market_key = ?', seenAt, known.market_key);
    return { market_key: known.market_key, changed: false };
  }
  const market_key = known?.market_key ?? marketKey(writer, market.market_id);
  row.market_key = market_key;
  row.seen_at = seenAt;
  row.digest = digest;
  writer.run(UPSERT_MARKET, row);
  noteStatus(writer, market_key, market, seenAt);
  indexMarket(writer, market_key, market);
  return { market_key, changed: true };
}

function noteStatus(writer: Writer, marketKey: number, market: CatalogMarket, seenAt: Instant): void {
  const last = selectStatuses(writer, marketKey).at(-1);
  const settled_at = market.settled_at ?? null;
  const payout = market.payout ?? null;
  if (last && last.status === market.status && last.settled_at === settled_at && last.payout === payout)
    return;
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

/** The values of a record's columns, null where the record has none, and a digest that tells one state from another. */
export function bind<Item extends object>(columns: readonly (keyof Item & string)[], item: Item) {
  const row: Record<string, Value> = {};
  for (const column of columns) row[column] = (item[column] as Value | undefined) ?? null;
  return { row, digest: hash('sha1', JSON.stringify(Object.values(row)), 'buffer') };
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
    'SELECT observed_at, status, settled_at, payout FROM market_statuses WHERE market_key = ? ORDER BY observed_at',
    marketKey,
  );
}

/** What a listing of a market is compared with. */
export interface KnownMarket {
  market_key: number;
  digest: Buffer;
  status: MarketStatus;
  volume: number | null;
  open_interest: number | null;
  closes_at: Instant | null;
  book_at: Instant | null;
  bid: Probability | null;
  ask: Probability | null;
  last: Probability | null;
}

/** What is known of a market and its newest quote, or null when the catalog does not know it. */
export function findKnownMarket(reader: Reader, marketId: string): KnownMarket | null {
  const known = reader.get<KnownMarket>(
    `SELECT market_key, digest, status, volume, open_interest, closes_at, book_at, bid, ask, last
     FROM markets LEFT JOIN latest_quotes USING (market_key) WHERE market_id = ?`,
    marketId,
  );
  return known ?? null;
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
