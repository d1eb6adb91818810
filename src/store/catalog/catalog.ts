import type { CatalogEvent, CatalogMarket, SeenStatus } from '../../model/catalog.ts';
import { type Family, platformOf } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { LatestQuoteRow } from '../prices/latest-quotes.ts';
import { findRecent } from '../recent.ts';
import type { RowOf } from '../row-values.ts';
import type { Reader, Writer } from '../store.ts';
import { rowWriter, type StandingRow } from './catalog-rows.ts';
import { marketKeys } from './market-names.ts';
import { type MarketLife, noteStatuses } from './market-statuses.ts';
import { forgetPagesSeenAt } from './page-notes.ts';
import { indexRecords } from './search-index.ts';

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

export type EventRow = RowOf<CatalogEvent, (typeof EVENT_COLUMNS)[number]> & {
  event_key: number;
  first_seen_at: Instant;
};

export type MarketRow = RowOf<CatalogMarket, (typeof MARKET_COLUMNS)[number]> & {
  market_key: number;
  first_seen_at: Instant;
  last_seen_at: Instant;
};

const writeEvents = rowWriter<CatalogEvent>('event', EVENT_COLUMNS, nextEventKeys);
const writeMarkets = rowWriter<CatalogMarket>('market', MARKET_COLUMNS, marketKeys);

/** The result of writing a page to the catalog. */
export interface Upserted {
  /** Keys in the store, by id. */
  keys: Map<string, number>;
  /** How many are new or changed. */
  changed: number;
  /** How many had already been seen at the same instant. */
  again: number;
}

/**
 * Inserts or updates events. Earlier values are overwritten: the catalog keeps only the current texts. If an event is
 * given twice, the last one counts.
 */
export function upsertEvents(writer: Writer, events: readonly CatalogEvent[], seenAt: Instant): Upserted {
  const listed = new Map(events.map((each) => [each.event_id, each]));
  const known = findStandingEvents(writer, [...listed.keys()]);
  const { keys, changed, again } = writeEvents(writer, listed, known, seenAt);
  indexRecords(writer, 'event', changed);
  return { keys, changed: changed.size, again: again + events.length - listed.size };
}

function findStandingEvents(reader: Reader, eventIds: readonly string[]): Map<string, StandingRow> {
  const known = reader.all<StandingRow & { event_id: string }>(
    `SELECT event_id, event_key AS key, lower(hex(digest)) AS digest, last_seen_at
     FROM json_each(?) AS wanted CROSS JOIN events ON event_id = wanted.value`,
    JSON.stringify(eventIds),
  );
  return new Map(known.map((each) => [each.event_id, each]));
}

function nextEventKeys(reader: Reader, eventIds: readonly string[]): Map<string, number> {
  const last = reader.value<number>('SELECT max(event_key) FROM events') ?? 0;
  return new Map(eventIds.map((id, i) => [id, last + 1 + i]));
}

/**
 * Inserts or updates markets, and records each change of status. If a market is given twice, the last one counts.
 *
 * @param known the markets that the catalog already has, by id
 */
export function upsertMarkets(
  writer: Writer,
  markets: readonly CatalogMarket[],
  seenAt: Instant,
  known: ReadonlyMap<string, StandingRow & MarketLife>,
): Upserted {
  const listed = new Map(
    markets.map((market) => [market.market_id, withSettlement(market, known.get(market.market_id), seenAt)]),
  );
  const { keys, changed, again } = writeMarkets(writer, listed, known, seenAt);
  const written = Array.from(changed, ([market_key, market]) => ({
    market_key,
    market,
    before: known.get(market.market_id),
  }));
  noteStatuses(writer, written, seenAt);
  indexRecords(writer, 'market', changed);
  return { keys, changed: changed.size, again: again + markets.length - listed.size };
}

// Some lists omit when a market settled: the known instant is kept as long as the payout is the same. A market seen as
// settled has settled by now, even if its venue gives a later instant.
function withSettlement(
  market: CatalogMarket,
  before: MarketLife | undefined,
  seenAt: Instant,
): CatalogMarket {
  const { status, settled_at, payout = null } = market;
  if (status !== 'settled' || (settled_at !== undefined && settled_at <= seenAt)) return market;
  if (before?.status === 'settled' && before.payout === payout && before.settled_at !== null)
    return { ...market, settled_at: before.settled_at };
  return settled_at === undefined ? market : { ...market, settled_at: seenAt };
}

/** Like {@link upsertMarkets} for one market. @returns its key in the store, and whether it is new or changed */
export function upsertMarket(
  writer: Writer,
  market: CatalogMarket,
  seenAt: Instant,
): { market_key: number; changed: boolean } {
  const { market_id } = market;
  const { keys, changed } = upsertMarkets(writer, [market], seenAt, findKnownMarkets(writer, [market_id]));
  return { market_key: keys.get(market_id) as number, changed: changed > 0 };
}

/** The statuses that a market was seen in, oldest first; each holds until the next. */
export function selectStatuses(reader: Reader, marketKey: number): SeenStatus[] {
  return reader.all(
    `SELECT observed_at, status, settled_at, payout, closes_at FROM market_statuses WHERE market_key = +?
     ORDER BY observed_at`,
    marketKey,
  );
}

/** The known state of a market, with which a new listing is compared. */
export interface KnownMarket extends StandingRow, MarketLife, Omit<LatestQuoteRow, 'last_at'> {
  volume: number | null;
  open_interest: number | null;
  closes_at: Instant | null;
}

/** The known state of markets and their newest quotes, by id; markets that are not in the catalog are left out. */
export function findKnownMarkets(reader: Reader, marketIds: readonly string[]): Map<string, KnownMarket> {
  const known = reader.all<KnownMarket & { market_id: string }>(
    `SELECT market_id, market_key AS key, lower(hex(digest)) AS digest, status, settled_at, payout, volume, open_interest,
       closes_at, last_seen_at, book_at, bid, ask, last, point
     FROM json_each(?) AS wanted CROSS JOIN markets ON market_id = wanted.value
     LEFT JOIN latest_quotes USING (market_key)`,
    JSON.stringify(marketIds),
  );
  return new Map(known.map((each) => [each.market_id, each]));
}

/** A market by its id; undefined when it is not in the catalog. */
export function findMarket(reader: Reader, marketId: string): MarketRow | undefined {
  return reader.get('SELECT * FROM markets WHERE market_id = ?', marketId);
}

/** The key of a market by its id; undefined when it is not in the catalog. */
export function findMarketKey(reader: Reader, marketId: string): number | undefined {
  return reader.value('SELECT market_key FROM markets WHERE market_id = +?', marketId);
}

/** Whether the catalog has a market. */
export function hasMarket(reader: Reader, marketId: string): boolean {
  return reader.reading('status', marketId, () =>
    findRecent(reader, 'markets', marketId, () => findMarketKey(reader, marketId) !== undefined),
  );
}

/** What the prices of a market are of, by its id: a token and what that stands for; undefined when it is not in the catalog. */
export function findYesSide(
  reader: Reader,
  marketId: string,
): Pick<MarketRow, 'price_token' | 'yes_sub_title'> | undefined {
  return reader.get('SELECT price_token, yes_sub_title FROM markets WHERE market_id = ?', marketId);
}

/** The question of a market and the slug of its event, by its id; undefined when it is not in the catalog. */
export function findMarketNames(
  reader: Reader,
  marketId: string,
): Pick<MarketRow, 'question' | 'event_slug'> | undefined {
  return reader.get('SELECT question, event_slug FROM markets WHERE market_id = ?', marketId);
}

/** The unsettled markets of a family. The range of ids skips the other platforms. */
const UNSETTLED = `market_id > ? AND market_id < ? AND family = ? AND status <> 'settled'`;

function unsettledOf(family: Family): string[] {
  // Ids begin with the platform and a colon; the semicolon is the next character after the colon.
  const platform = platformOf(family);
  return [`${platform}:`, `${platform};`, family];
}

/** The unsettled markets of a family, ordered by id. */
export function listUnsettledMarkets(reader: Reader, family: Family): MarketRow[] {
  const sql = `SELECT * FROM markets WHERE ${UNSETTLED} ORDER BY market_id`;
  return reader.all(sql, ...unsettledOf(family));
}

/**
 * Ids of the unsettled markets of a family that were last seen before an instant, ascending.
 *
 * @param without venue status of the markets to leave out
 */
export function listUnsettledUnseen(
  reader: Reader,
  family: Family,
  before: Instant,
  without: MarketRow['venue_status'],
): string[] {
  return reader.column(
    `SELECT market_id FROM markets WHERE ${UNSETTLED} AND last_seen_at < ? AND venue_status <> ?
     ORDER BY market_id`,
    ...unsettledOf(family),
    before,
    without,
  );
}

/** An event by its id; undefined when it is not in the catalog. */
export function findEvent(reader: Reader, eventId: string): EventRow | undefined {
  return reader.get('SELECT * FROM events WHERE event_id = ?', eventId);
}

/** Turns a row of the catalog back into the record that its venue listed. */
export function toCatalogMarket(row: MarketRow): CatalogMarket {
  const known = MARKET_COLUMNS.map((column) => [column, row[column]]).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as CatalogMarket;
}

/**
 * Changes a market that its venue does not list now; its `last_seen_at` stays as it was.
 *
 * @returns whether anything changed
 */
export function changeUnseenMarket(
  writer: Writer,
  row: MarketRow,
  change: Partial<MarketRow>,
  now: Instant,
): boolean {
  const { changed } = upsertMarket(writer, toCatalogMarket({ ...row, ...change }), now);
  forgetPagesSeenAt(writer, row.last_seen_at);
  writer.run('UPDATE markets SET last_seen_at = ? WHERE market_key = ?', row.last_seen_at, row.market_key);
  return changed;
}
