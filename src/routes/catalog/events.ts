import { z } from 'zod';
import { given } from '../../model/given.ts';
import { PLATFORMS, platformOf } from '../../model/platform.ts';
import { countRows } from '../../store/catalog/catalog-counts.ts';
import type { CatalogFilter } from '../../store/catalog/catalog-filter.ts';
import {
  EVENT_SORTS,
  type EventListRow,
  type EventOrder,
  eachEvent,
  listEvents,
  listFoundEvents,
} from '../../store/catalog/event-lists.ts';
import { listMarketsOfEvent } from '../../store/catalog/market-lists.ts';
import { MOST_MATCHES } from '../../store/catalog/search.ts';
import { isFarDown, type Paged, pageMeta, rowsOf } from '../paging.ts';
import { instantParameter, oneOf, page, perPage, searchText, sortDirection } from '../parameters.ts';
import { present, presentInstant, presentNumber } from '../present.ts';
import { exportRoute, type RouteRequest, route } from '../route.ts';
import { event } from '../shapes/catalog.ts';
import { publicConstituents } from '../visibility.ts';
import { marketBody } from './market-body.ts';

const publicFilter = z.object({
  search: searchText,
  venue: oneOf(PLATFORMS),
  embed: oneOf(['markets']),
  sort: oneOf(EVENT_SORTS),
  sort_dir: sortDirection,
});
const filterQuery = publicFilter.extend({
  scope: oneOf(['constituents', 'all']),
  created_since: instantParameter,
  created_until: instantParameter,
  start: instantParameter,
  end: instantParameter,
});

type Wanted = z.output<typeof publicFilter> & Partial<z.output<typeof filterQuery>>;

const REFUSED = {
  expires_after: 'is for markets only',
  expires_before: 'is for markets only',
};
const DEPRECATED_SINCE = Date.parse('2026-11-21T00:00:00Z');
const DEPRECATED = {
  start: { since: DEPRECATED_SINCE, instead: 'created_since' },
  end: { since: DEPRECATED_SINCE, instead: 'created_until' },
};

const common = {
  path: '/events',
  summary: 'Events, newest added first; with search, by relevance',
  refuses: REFUSED,
  needsSearch: ({ search }: Wanted) => search !== undefined,
  // No database index has these orders, or the page is far down; and some events have hundreds of markets.
  takesLong: (query: Wanted & Paged) =>
    query.search !== undefined ||
    query.embed !== undefined ||
    (query.sort ?? 'listed') !== 'listed' ||
    isFarDown(query),
};

const publicEventList = route({
  ...common,
  tiers: ['public'],
  query: publicFilter.extend({ page, per_page: perPage }),
  answer: eventPage,
  documents: () => [''],
});

const eventList = route({
  ...common,
  deprecates: DEPRECATED,
  tiers: ['authenticated'],
  query: filterQuery.extend({ page, per_page: perPage }),
  answer: eventPage,
});

const eventExport = exportRoute({
  path: '/export/events/{ext}',
  summary: 'All events as a file; with search, the first 10,000 matches',
  refuses: REFUSED,
  deprecates: DEPRECATED,
  needsSearch: () => true,
  query: filterQuery,
  columns: Object.keys(event.shape),
  *rows(request) {
    const { reader, now, query } = request;
    const constituents = query.embed ? new Set(publicConstituents(reader, now)) : undefined;
    for (const row of eachWanted(request)) yield eventBody(row, request, constituents);
  },
});

function eventPage(request: RouteRequest<Wanted & Paged>): object {
  const { reader, now, query: wanted } = request;
  const filter = filterOf(request);
  const page = rowsOf(wanted);
  const constituents = wanted.embed ? new Set(publicConstituents(reader, now)) : undefined;
  const bodies = (rows: readonly EventListRow[]) => rows.map((row) => eventBody(row, request, constituents));
  if (wanted.search !== undefined) {
    const order = wanted.sort === undefined ? undefined : orderOf(wanted);
    const { rows, has_next } = listFoundEvents(reader, wanted.search, filter, order, page);
    return { data: bodies(rows), total: null, total_pages: null, has_next };
  }
  const data = bodies(listEvents(reader, filter, orderOf(wanted), page));
  const { total, total_pages, has_next } = pageMeta(countRows(reader, 'event', filter), wanted);
  return { data, total, total_pages, has_next };
}

function eachWanted(request: RouteRequest<Wanted>): Iterable<EventListRow> {
  const { reader, query: wanted } = request;
  const filter = filterOf(request);
  if (wanted.search === undefined) return eachEvent(reader, filter, orderOf(wanted));
  const order = wanted.sort === undefined ? undefined : orderOf(wanted);
  const page = { limit: MOST_MATCHES, offset: 0 };
  return listFoundEvents(reader, wanted.search, filter, order, page).rows;
}

function filterOf({ reader, now, query }: RouteRequest<Wanted>): CatalogFilter {
  const { venue, scope, ...wanted } = query;
  return given({
    platform: venue,
    holdingOneOf: scope === 'constituents' ? publicConstituents(reader, now) : undefined,
    listedSince: wanted.created_since ?? wanted.start,
    listedUntil: wanted.created_until ?? wanted.end,
  });
}

function orderOf({ sort, sort_dir }: Wanted): EventOrder {
  return { sort: sort ?? 'listed', direction: sort_dir ?? (sort === 'title' ? 'asc' : 'desc') };
}

/** @param constituents given when markets are to be embedded: the constituents of public indices */
function eventBody(
  row: EventListRow,
  request: RouteRequest<object>,
  constituents: ReadonlySet<string> | undefined,
) {
  const body = {
    event_id: row.event_id,
    platform: platformOf(row.family),
    title: row.title,
    description: present(row.description),
    series: present(row.series),
    category: present(row.category),
    listed_at: presentInstant(row.listed_at),
    closes_at: presentInstant(row.closes_at),
    volume: presentNumber(row.shown_volume),
    open_interest: presentNumber(row.shown_open_interest),
    market_count: row.markets,
  };
  if (!constituents) return body;
  const markets = listMarketsOfEvent(request.reader, row.event_id).map((market) => ({
    ...marketBody(market, request),
    is_constituent: constituents.has(market.market_id),
  }));
  return { ...body, is_constituent: markets.some((market) => market.is_constituent), markets };
}

export const eventRoutes = [publicEventList, eventList];
export const eventExports = [eventExport];
