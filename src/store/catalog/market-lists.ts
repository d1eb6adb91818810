import { findRecent } from '../recent.ts';
import type { Reader } from '../store.ts';
import type { MarketRow } from './catalog.ts';
import { countRows } from './catalog-counts.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { type Direction, isWholeList, listByKeys, orderTerms, type Page, sortedOnce } from './list-pages.ts';
import type { MarketMarkRow } from './market-marks.ts';
import { listMatches, listMatchIds } from './search.ts';
import { keyOfSearchId, mostTraded } from './search-index.ts';

const SHOWN_COLUMNS = [
  'market_key',
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
  'closes_at',
  'payout',
  'volume',
  'volume_unit',
  'open_interest',
] as const satisfies readonly (keyof MarketRow)[];
const MARK_COLUMNS = [
  'price',
  'basis',
  'observed_at',
  'beyond_quote',
] as const satisfies readonly (keyof MarketMarkRow)[];

/** The columns of a market that are shown, with its mark; the mark's fields are null when there is none. */
export type MarkedMarketRow = Pick<MarketRow, (typeof SHOWN_COLUMNS)[number]> & {
  [Field in (typeof MARK_COLUMNS)[number]]: MarketMarkRow[Field] | null;
};

// Only the columns needed: the time to read a row grows with its columns.
const MARKED = `SELECT ${[...SHOWN_COLUMNS, ...MARK_COLUMNS].join(', ')}
  FROM markets LEFT JOIN market_marks USING (market_key)`;

export const MARKET_SORTS = ['listed', 'volume', 'latest_price', 'closes'] as const;
type MarketSort = (typeof MARKET_SORTS)[number];

/** The order of a list; rows without the value come last in both directions. */
export interface MarketOrder {
  sort: MarketSort;
  direction: Direction;
}

const SORT_SQL: Record<MarketSort, string> = {
  listed: 'coalesce(listed_at, first_seen_at)',
  volume: 'volume',
  latest_price: 'price',
  closes: 'closes_at',
};

function orderSql({ sort, direction }: MarketOrder): string {
  return orderTerms(SORT_SQL[sort], 'market_id', direction);
}

/** A market by its id, with its mark. */
export function findMarkedMarket(reader: Reader, marketId: string): MarkedMarketRow | undefined {
  return reader.reading('market', marketId, () =>
    reader.get<MarkedMarketRow>(`${MARKED} WHERE market_id = +?`, marketId),
  );
}

type NearMarketRow = Pick<MarkedMarketRow, 'question' | 'description' | 'price'>;

/** The columns of a market that are shown where it is listed as a neighbour of another record. */
export function findNearMarket(reader: Reader, marketId: string): NearMarketRow | undefined {
  const sql = `SELECT question, description, price FROM markets LEFT JOIN market_marks USING (market_key)
    WHERE market_id = +?`;
  return reader.reading('near', marketId, () =>
    findRecent(reader, 'near markets', marketId, () => reader.get<NearMarketRow>(sql, marketId)),
  );
}

/** Every market with its mark, ordered by id. */
export function eachMarkedMarket(reader: Reader): IterableIterator<MarkedMarketRow> {
  return reader.iterate(`${MARKED} ORDER BY market_id`);
}

/** The markets of an event, ordered by id. */
export function listMarketsOfEvent(reader: Reader, eventId: string): MarkedMarketRow[] {
  return reader.all(`${MARKED} WHERE event_id = ? ORDER BY market_id`, eventId);
}

function marketsByKeys(reader: Reader, keys: Iterable<number>): MarkedMarketRow[] {
  return listByKeys(reader, MARKED, 'market_key', keys);
}

/** A page of the market list; rows without the value sorted by come last. */
export function listMarkets(
  reader: Reader,
  filter: CatalogFilter,
  order: MarketOrder,
  { limit, offset }: Page,
): MarkedMarketRow[] {
  const { sql, values } = sortedKeys(reader, filter, order);
  if (order.sort === 'latest_price' && offset >= FAR_DOWN && isWholeList(filter))
    return marketsByKeys(reader, sortedOnce(reader, sql, values).subarray(offset, offset + limit));
  const keys = reader.column<number>(`${sql} LIMIT @limit OFFSET @offset`, { ...values, limit, offset });
  return marketsByKeys(reader, keys);
}

/** From this offset on, sorting a whole list once is faster than finding the page in an order that has no index. */
const FAR_DOWN = 2_000;

// Only the keys: skipped rows are then not read, and the sorted rows are short.
function sortedKeys(reader: Reader, filter: CatalogFilter, order: MarketOrder) {
  const { where, values } = conditions(filter, 'market_id');
  const from = sortedFrom(reader, filter, order);
  return { sql: `SELECT market_key AS key FROM ${from} WHERE ${where} ORDER BY ${orderSql(order)}`, values };
}

/** A covering index of ids and all sort values: the fastest way to scan for an order that has no index. */
const SORT_VALUES = 'markets INDEXED BY markets_sort_values';

const IN_ORDER = { listed: 'listing', volume: 'volume' };

/** If more markets than this close within a window, scanning all in order finds a page sooner than sorting those. */
const MANY = 20_000;

function sortedFrom(reader: Reader, filter: CatalogFilter, { sort }: MarketOrder): string {
  if (sort === 'latest_price') return `${SORT_VALUES} LEFT JOIN market_marks USING (market_key)`;
  const { closesAfter, closesBefore, platform, among } = filter;
  const hasWindow = (closesAfter ?? closesBefore) !== undefined;
  if (!hasWindow || sort === 'closes' || among || countRows(reader, 'market', filter) <= MANY)
    return 'markets';
  return `markets INDEXED BY markets_${platform === undefined ? '' : 'of_venue_'}by_${IN_ORDER[sort]}`;
}

/** Rows read at once when the whole list is read. */
const BATCH = 100;

/** Every market that matches a filter, in an order. */
export function* eachMarket(
  reader: Reader,
  filter: CatalogFilter,
  order: MarketOrder,
): Generator<MarkedMarketRow> {
  const { sql, values } = sortedKeys(reader, filter, order);
  let keys: number[] = [];
  for (const { key } of reader.iterate<{ key: number }>(sql, values)) {
    keys.push(key);
    if (keys.length < BATCH) continue;
    yield* marketsByKeys(reader, keys);
    keys = [];
  }
  yield* marketsByKeys(reader, keys);
}

/** A page of the markets that match a search, by rank; see {@link listMatches}. */
export function listFoundMarkets(
  reader: Reader,
  text: string,
  filter: CatalogFilter,
  page: Page,
): { rows: MarkedMarketRow[]; has_next: boolean } {
  const { keys, has_next } = listMatches(reader, 'market', { text, filter }, page);
  return { rows: marketsByKeys(reader, keys), has_next };
}

/** A page of the markets that match a search, in an order other than rank, and the number of matches. */
export function listSortedMatches(
  reader: Reader,
  text: string,
  filter: CatalogFilter,
  order: MarketOrder,
  { limit, offset }: Page,
): { rows: MarkedMarketRow[]; total: number } {
  const found = listMatchIds(reader, 'market', { text, filter });
  const isByVolume = order.sort === 'volume' && order.direction === 'desc';
  const candidates = isByVolume ? mostTraded(found, offset + limit) : found;
  const marks = order.sort === 'latest_price' ? 'LEFT JOIN market_marks USING (market_key)' : '';
  const shown = reader.column<number>(
    `SELECT market_key FROM ${SORT_VALUES} ${marks}
     WHERE market_key IN (SELECT value FROM json_each(@keys))
     ORDER BY ${orderSql(order)} LIMIT @limit OFFSET @offset`,
    { keys: JSON.stringify(candidates.map(keyOfSearchId)), limit, offset },
  );
  return { rows: marketsByKeys(reader, shown), total: found.length };
}

/** Every market id, in order. */
export function* eachMarketId(reader: Reader): Generator<string> {
  for (const row of reader.iterate<{ market_id: string }>('SELECT market_id FROM markets ORDER BY market_id'))
    yield row.market_id;
}
