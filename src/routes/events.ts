import { z } from 'zod';
import { PLATFORMS, platformOf } from '../model/platform.ts';
import { formatInstant } from '../model/time.ts';
import {
  type CatalogFilter,
  countEvents,
  type EventListRow,
  listEvents,
  listMarketsOfEvent,
} from '../store/market-lists.ts';
import type { Reader } from '../store/store.ts';
import { marketBody, present } from './market-body.ts';
import { pageMeta } from './paging.ts';
import { instantParameter, oneOf, page, perPage } from './parameters.ts';
import { type RouteRequest, route, type Sites } from './route.ts';
import { publicConstituents } from './visibility.ts';

const publicQuery = z.object({ page, per_page: perPage, venue: oneOf(PLATFORMS), embed: oneOf(['markets']) });
const query = publicQuery.extend({
  scope: oneOf(['constituents', 'all']),
  created_since: instantParameter,
  created_until: instantParameter,
});

const common = {
  path: '/events',
  summary: 'Events, newest added first',
  refuses: {
    search: 'is not supported by this version',
    expires_after: 'is for markets only',
    expires_before: 'is for markets only',
  },
};

const publicEventList = route({
  ...common,
  tiers: ['public'],
  query: publicQuery,
  answer: (request) => eventPage(request, {}),
  documents: () => [''],
});

const eventList = route({
  ...common,
  tiers: ['authenticated'],
  query,
  answer(request) {
    const { scope, created_since, created_until } = request.query;
    const filter: CatalogFilter = {};
    if (scope === 'constituents') filter.holdingOneOf = publicConstituents(request.reader, request.now);
    if (created_since !== undefined) filter.listedSince = created_since;
    if (created_until !== undefined) filter.listedUntil = created_until;
    return eventPage(request, filter);
  },
});

function eventPage(
  { reader, now, sites, query: wanted }: RouteRequest<z.output<typeof publicQuery>>,
  limits: CatalogFilter,
) {
  const filter = wanted.venue ? { ...limits, platform: wanted.venue } : limits;
  const page = { limit: wanted.per_page, offset: (wanted.page - 1) * wanted.per_page };
  const constituents = wanted.embed ? new Set(publicConstituents(reader, now)) : undefined;
  const rows = listEvents(reader, filter, page);
  const meta = pageMeta(countEvents(reader, filter), wanted.page, wanted.per_page);
  const { total, total_pages, has_next } = meta;
  const data = rows.map((row) => eventBody(reader, row, sites, constituents));
  return { data, total, total_pages, has_next };
}

/** @param constituents given when markets are to be embedded: the constituents of public indices */
function eventBody(
  reader: Reader,
  row: EventListRow,
  sites: Sites,
  constituents: ReadonlySet<string> | undefined,
) {
  const body = {
    event_id: row.event_id,
    platform: platformOf(row.family),
    title: row.title,
    ...present('description', row.description),
    ...present('series', row.series),
    ...present('category', row.category),
    ...(row.listed_at === null ? {} : { listed_at: formatInstant(row.listed_at) }),
    ...(row.closes_at === null ? {} : { closes_at: formatInstant(row.closes_at) }),
    ...present('volume', row.volume ?? row.markets_volume),
    ...present('open_interest', row.open_interest ?? row.markets_open_interest),
    market_count: row.markets,
  };
  if (!constituents) return body;
  const markets = listMarketsOfEvent(reader, row.event_id).map((market) => ({
    ...marketBody(market, sites),
    is_constituent: constituents.has(market.market_id),
  }));
  return { ...body, is_constituent: markets.some((market) => market.is_constituent), markets };
}

export const eventRoutes = [publicEventList, eventList];
