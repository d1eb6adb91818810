import type { Reader, Value } from '../store.ts';
import type { EventRow } from './catalog.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { type Direction, isWholeList, listByKeys, orderTerms, type Page, sortedOnce } from './list-pages.ts';
import { listMatches, listMatchIds } from './search.ts';
import { keyOfSearchId } from './search-index.ts';

/**
 * An event with its number of markets, and the shown figures: the venue's own or the sum over the markets; null when no
 * market reports one.
 */
export type EventListRow = EventRow & {
  markets: number;
  shown_volume: number | null;
  shown_open_interest: number | null;
};

// Lifetime volume only grows: if the markets sum to more than the venue's own figure, that figure is older.
const VOLUME = shownSql('volume', 'max(coalesce(events.volume, 0), sum(volume))');
const OPEN_INTEREST = shownSql('open_interest', 'coalesce(events.open_interest, sum(open_interest))');

const SUMMED = `SELECT *, ${VOLUME} AS shown_volume, ${OPEN_INTEREST} AS shown_open_interest,
    (SELECT count(*) FROM markets WHERE event_id = events.event_id) AS markets
  FROM events`;

// If no market reports the figure, the venue's own is not shown either.
function shownSql(column: 'volume' | 'open_interest', shown: string): string {
  return `(SELECT iif(count(${column}) = 0, NULL, ${shown}) FROM markets WHERE event_id = events.event_id)`;
}

export const EVENT_SORTS = ['listed', 'closes', 'title', 'volume'] as const;

const EVENT_SORT_SQL: Record<(typeof EVENT_SORTS)[number], string> = {
  listed: 'coalesce(listed_at, first_seen_at)',
  closes: 'closes_at',
  title: 'title',
  volume: VOLUME,
};

/** The order of the event list; rows without the value come last in both directions. */
export interface EventOrder {
  sort: (typeof EVENT_SORTS)[number];
  direction: Direction;
}

function orderSql({ sort, direction }: EventOrder): string {
  return orderTerms(EVENT_SORT_SQL[sort], 'event_id', direction);
}

function eventsByKeys(reader: Reader, keys: Iterable<number>): EventListRow[] {
  return listByKeys(reader, SUMMED, 'event_key', keys);
}

/** A page of the event list. */
export function listEvents(
  reader: Reader,
  filter: CatalogFilter,
  order: EventOrder,
  { limit, offset }: Page,
): EventListRow[] {
  const { where, values } = conditions(filter, 'event_id');
  // Any page needs the summed volumes of all events.
  if (order.sort === 'volume' && isWholeList(filter))
    return eventsByKeys(
      reader,
      sortedOnce(reader, keysSql(where, order), values).subarray(offset, offset + limit),
    );
  return eventsByKeys(reader, listKeys(reader, where, order, { ...values, limit, offset }));
}

// Only the keys, so that nothing is summed for events that are not on the page.
function keysSql(where: string, order: EventOrder): string {
  return `SELECT event_key AS key FROM events WHERE ${where} ORDER BY ${orderSql(order)}`;
}

function listKeys(reader: Reader, where: string, order: EventOrder, values: Record<string, Value>): number[] {
  return reader.column(`${keysSql(where, order)} LIMIT @limit OFFSET @offset`, values);
}

/** Every event that matches a filter, in an order. */
export function eachEvent(
  reader: Reader,
  filter: CatalogFilter,
  order: EventOrder,
): IterableIterator<EventListRow> {
  const { where, values } = conditions(filter, 'event_id');
  return reader.iterate(`${SUMMED} WHERE ${where} ORDER BY ${orderSql(order)}`, values);
}

/**
 * A page of the events that match a search, by rank or in another order; see {@link listMatches}.
 *
 * @param order by rank when left out
 */
export function listFoundEvents(
  reader: Reader,
  text: string,
  filter: CatalogFilter,
  order: EventOrder | undefined,
  page: Page,
): { rows: EventListRow[]; has_next: boolean } {
  if (order) {
    const found = JSON.stringify(listMatchIds(reader, 'event', { text, filter }).map(keyOfSearchId));
    const where = 'event_key IN (SELECT value FROM json_each(@found))';
    const { limit, offset } = page;
    const keys = listKeys(reader, where, order, { found, limit: limit + 1, offset });
    return {
      rows: eventsByKeys(reader, keys.slice(0, limit)),
      has_next: keys.length > limit,
    };
  }
  const { keys, has_next } = listMatches(reader, 'event', { text, filter }, page);
  return { rows: eventsByKeys(reader, keys), has_next };
}
