import type { EventRow } from './catalog.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import type { Page } from './market-lists.ts';
import { listMatches, listMatchKeys } from './search.ts';
import type { Reader } from './store.ts';

/** An event with what is shown of it and its markets: the venue's own figure, else their sum; null where none reports one. */
export type EventListRow = EventRow & {
  markets: number;
  shown_volume: number | null;
  shown_open_interest: number | null;
};

const SUMMED = `SELECT *, ${shownSql('volume')} AS shown_volume, ${shownSql('open_interest')} AS shown_open_interest,
    (SELECT count(*) FROM markets WHERE event_id = events.event_id) AS markets
  FROM events`;

// Without a market that reports one, the venue's own figure is not shown either.
function shownSql(column: 'volume' | 'open_interest'): string {
  return `(SELECT iif(count(${column}) = 0, NULL, coalesce(events.${column}, sum(${column})))
    FROM markets WHERE event_id = events.event_id)`;
}

export const EVENT_SORTS = ['listed', 'closes', 'title', 'volume'] as const;

const EVENT_SORT_SQL: Record<(typeof EVENT_SORTS)[number], string> = {
  listed: 'coalesce(listed_at, first_seen_at)',
  closes: 'closes_at',
  title: 'title',
  volume: 'shown_volume',
};

/** The order of the event list; rows without the value come last, whichever way. */
export interface EventOrder {
  sort: (typeof EVENT_SORTS)[number];
  direction: 'asc' | 'desc';
}

function eventOrderSql({ sort, direction }: EventOrder): string {
  const way = direction === 'asc' ? 'ASC' : 'DESC';
  return `${EVENT_SORT_SQL[sort]} ${way} NULLS LAST, event_id ${way}`;
}

/** A page of the event list. */
export function listEvents(
  reader: Reader,
  filter: CatalogFilter,
  order: EventOrder,
  { limit, offset }: Page,
): EventListRow[] {
  const { where, values } = conditions(filter, 'event_id');
  return reader.all(`${SUMMED} WHERE ${where} ORDER BY ${eventOrderSql(order)} LIMIT @limit OFFSET @offset`, {
    ...values,
    limit,
    offset,
  });
}

/** Every event that a filter leaves, in an order. */
export function eachEvent(
  reader: Reader,
  filter: CatalogFilter,
  order: EventOrder,
): IterableIterator<EventListRow> {
  const { where, values } = conditions(filter, 'event_id');
  return reader.iterate(`${SUMMED} WHERE ${where} ORDER BY ${eventOrderSql(order)}`, values);
}

/**
 * A page of the events that are found, by rank, or in another order; see {@link listMatches}.
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
    const keys = JSON.stringify(listMatchKeys(reader, 'event', { text, filter }));
    const rows = reader.all<EventListRow>(
      `${SUMMED} WHERE event_key IN (SELECT value FROM json_each(@keys))
       ORDER BY ${eventOrderSql(order)} LIMIT @limit OFFSET @offset`,
      { keys, limit: page.limit + 1, offset: page.offset },
    );
    return { rows: rows.slice(0, page.limit), has_next: rows.length > page.limit };
  }
  const { keys, has_next } = listMatches(reader, 'event', { text, filter }, page);
  const found = reader.all<EventListRow>(
    `${SUMMED} WHERE event_key IN (SELECT value FROM json_each(?))`,
    JSON.stringify(keys),
  );
  const byKey = new Map(found.map((row) => [row.event_key, row]));
  return { rows: keys.flatMap((key) => byKey.get(key) ?? []), has_next };
}

/** The number of events that a filter leaves. */
export function countEvents(reader: Reader, filter: CatalogFilter): number {
  const { where, values } = conditions(filter, 'event_id');
  return (
    reader.get<{ count: number }>(`SELECT count(*) AS count FROM events WHERE ${where}`, values)?.count ?? 0
  );
}
