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
import { type RouteRequest, route, type Sites, TIERS } from './route.ts';
import { visibleIndices } from './visibility.ts';

const query = z.object({
  page,
  per_page: perPage,
  venue: oneOf(PLATFORMS),
  embed: oneOf(['markets']),
  scope: oneOf(['constituents', 'all']),
  created_since: instantParameter,
  created_until: instantParameter,
});

const eventList = route({
  path: '/events',
  summary: 'Events, newest added first',
  tiers: TIERS,
  query,
  refuses: {
    search: 'is not supported by this version',
    expires_after: 'is for markets only',
    expires_before: 'is for markets only',
  },
  answer(request) {
    const { reader, sites } = request;
    const wanted = request.query;
    const filter = filterOf(request);
    const limits = { limit: wanted.per_page, offset: (wanted.page - 1) * wanted.per_page };
    const constituents = wanted.embed ? new Set(constituentsOfPublicIndices(reader)) : undefined;
    const rows = listEvents(reader, filter, limits);
    const { total, total_pages, has_next } = pageMeta(
      countEvents(reader, filter),
      wanted.page,
      wanted.per_page,
    );
    return {
      data: rows.map((row) => eventBody(reader, row, sites, constituents)),
      total,
      total_pages,
      has_next,
    };
  },
  documents: () => [''],
});

/** Filters by scope and by creation belong to the authenticated tier; the public list passes them over. */
function filterOf({ reader, tier, query: wanted }: RouteRequest<z.output<typeof query>>): CatalogFilter {
  const filter: CatalogFilter = wanted.venue ? { platform: wanted.venue } : {};
  if (tier === 'public') return filter;
  if (wanted.scope === 'constituents') filter.holdingOneOf = constituentsOfPublicIndices(reader);
  if (wanted.created_since !== undefined) filter.listedSince = wanted.created_since;
  if (wanted.created_until !== undefined) filter.listedUntil = wanted.created_until;
  return filter;
}

function constituentsOfPublicIndices(reader: Reader): string[] {
  const indices = visibleIndices(reader, { tier: 'public' });
  return [
    ...new Set(indices.flatMap((each) => each.definition.constituents.map((member) => member.market_id))),
  ];
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

export const eventRoutes = [eventList];
