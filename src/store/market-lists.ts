import type { EventRow, MarketRow } from './catalog.ts';
import type { MarketMarkRow } from './market-marks.ts';
import type { Reader, Value } from './store.ts';

/** A market with the mark that the catalog shows for it; the mark's fields are null without one. */
export type MarkedMarketRow = MarketRow & { [Field in keyof MarketMarkRow]: MarketMarkRow[Field] | null };

const MARKED = 'SELECT * FROM markets LEFT JOIN market_marks USING (market_key)';

/** A page of a list. */
export interface Page {
  limit: number;
  offset: number;
}

export const MARKET_SORTS = ['listed', 'volume', 'latest_price', 'closes'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

const SORT_SQL: Record<MarketSort, string> = {
  listed: 'coalesce(listed_at, first_seen_at)',
  volume: 'volume',
  latest_price: 'price',
  closes: 'closes_at',
};

/** Which rows of a list are wanted; all of it when a field is left out. */
export interface CatalogFilter {
  /** Market or event ids of one venue begin with its token. */
  platform?: string;
  listedSince?: number;
  listedUntil?: number;
  /** Markets: only these. */
  among?: readonly string[];
  /** Events: only those that hold one of these markets. */
  holdingOneOf?: readonly string[];
}

function conditions(
  filter: CatalogFilter,
  idColumn: string,
): { where: string; values: Record<string, Value> } {
  const parts = ['true'];
  const values: Record<string, Value> = {};
  if (filter.platform !== undefined) {
    // A range instead of LIKE, so that the index on the id serves it; ';' follows ':'.
    parts.push(`${idColumn} > @platform || ':' AND ${idColumn} < @platform || ';'`);
    values.platform = filter.platform;
  }
  if (filter.listedSince !== undefined) {
    parts.push('coalesce(listed_at, first_seen_at) >= @since');
    values.since = filter.listedSince;
  }
  if (filter.listedUntil !== undefined) {
    parts.push('coalesce(listed_at, first_seen_at) <= @until');
    values.until = filter.listedUntil;
  }
  if (filter.among !== undefined) {
    parts.push('market_id IN (SELECT value FROM json_each(@among))');
    values.among = JSON.stringify(filter.among);
  }
  if (filter.holdingOneOf !== undefined) {
    parts.push(
      `event_id IN (SELECT event_id FROM markets WHERE market_id IN (SELECT value FROM json_each(@holding)))`,
    );
    values.holding = JSON.stringify(filter.holdingOneOf);
  }
  return { where: parts.join(' AND '), values };
}

/** A market by its id, with its mark. */
export function findMarkedMarket(reader: Reader, marketId: string): MarkedMarketRow | undefined {
  return reader.get(`${MARKED} WHERE market_id = ?`, marketId);
}

/** The markets of an event, in a fixed order. */
export function listMarketsOfEvent(reader: Reader, eventId: string): MarkedMarketRow[] {
  return reader.all(`${MARKED} WHERE event_id = ? ORDER BY market_id`, eventId);
}

/** A page of the market list, newest listed first unless said otherwise; rows without the value come last. */
export function listMarkets(
  reader: Reader,
  filter: CatalogFilter,
  order: { sort: MarketSort; direction: 'asc' | 'desc' },
  { limit, offset }: Page,
): MarkedMarketRow[] {
  const { where, values } = conditions(filter, 'market_id');
  const direction = order.direction === 'asc' ? 'ASC' : 'DESC';
  return reader.all(
    `${MARKED} WHERE ${where}
     ORDER BY ${SORT_SQL[order.sort]} ${direction} NULLS LAST, market_key ${direction} LIMIT @limit OFFSET @offset`,
    { ...values, limit, offset },
  );
}

/** The number of markets that a filter leaves. */
export function countMarkets(reader: Reader, filter: CatalogFilter): number {
  const { where, values } = conditions(filter, 'market_id');
  return (
    reader.get<{ count: number }>(`SELECT count(*) AS count FROM markets WHERE ${where}`, values)?.count ?? 0
  );
}

/** Every market id, in order. */
export function* eachMarketId(reader: Reader): Generator<string> {
  for (const row of reader.iterate<{ market_id: string }>('SELECT market_id FROM markets ORDER BY market_id'))
    yield row.market_id;
}

/** An event with sums over its markets; null where none of them reports a value. */
export type EventListRow = EventRow & {
  markets: number;
  markets_volume: number | null;
  markets_open_interest: number | null;
};

/** A page of the event list, newest added first. */
export function listEvents(reader: Reader, filter: CatalogFilter, { limit, offset }: Page): EventListRow[] {
  const { where, values } = conditions(filter, 'event_id');
  return reader.all(
    `SELECT *,
       (SELECT count(*) FROM markets WHERE event_id = events.event_id) AS markets,
       (SELECT sum(volume) FROM markets WHERE event_id = events.event_id) AS markets_volume,
       (SELECT sum(open_interest) FROM markets WHERE event_id = events.event_id) AS markets_open_interest
     FROM events WHERE ${where}
     ORDER BY coalesce(listed_at, first_seen_at) DESC, event_key DESC LIMIT @limit OFFSET @offset`,
    { ...values, limit, offset },
  );
}

/** The number of events that a filter leaves. */
export function countEvents(reader: Reader, filter: CatalogFilter): number {
  const { where, values } = conditions(filter, 'event_id');
  return (
    reader.get<{ count: number }>(`SELECT count(*) AS count FROM events WHERE ${where}`, values)?.count ?? 0
  );
}
