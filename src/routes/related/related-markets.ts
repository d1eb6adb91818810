import { z } from 'zod';
import { spreadOverVenues } from '../../methodology/venue-spread.ts';
import { PLATFORMS, type Platform, platformOf } from '../../model/platform.ts';
import { roundTo } from '../../model/units.ts';
import { findMarket, hasMarket } from '../../store/catalog/catalog.ts';
import { eachMarketId, findNearMarket } from '../../store/catalog/market-lists.ts';
import { listMarketsOfTerms } from '../../store/filings/series-filings.ts';
import { listNearRecords } from '../../store/relations/neighbours.ts';
import type { Reader } from '../../store/store.ts';
import { oneOf, wholeNumber } from '../parameters.ts';
import { present, presentCents } from '../present.ts';
import { type RouteRequest, route } from '../route.ts';
import { checkTimeLeft } from '../time-budget.ts';

/** Rows of the authenticated list, from which the public one chooses. */
export const NEAREST = 10;

/** Rows of a public related list. */
export const relatedPerPage = wholeNumber(1, 3).default(3);

interface NearMarket {
  market_id: string;
  platform: Platform;
  similarity: number;
}

/** The active markets nearest to a record, the nearest first, of one venue or across them. */
export function nearMarkets(
  request: Pick<RouteRequest, 'reader' | 'hasTime'>,
  of: Parameters<typeof listNearRecords>[1],
  platform: Platform | undefined,
): NearMarket[] {
  const { reader } = request;
  const found: NearMarket[] = [];
  for (const venue of platform ? [platform] : PLATFORMS) {
    checkTimeLeft(request);
    for (const { record_id, similarity, status } of listNearRecords(reader, of, venue, NEAREST))
      if (status === 'active' && record_id !== of.record_id)
        found.push({ market_id: record_id, platform: venue, similarity });
  }
  found.sort((a, b) => b.similarity - a.similarity || (a.market_id < b.market_id ? -1 : 1));
  return found.slice(0, NEAREST);
}

/** The active markets whose contract terms a filing is about, by the venue's own reference. */
export function marketsOfTerms({ reader }: Pick<RouteRequest, 'reader'>, filingId: number): NearMarket[] {
  return listMarketsOfTerms(reader, filingId, NEAREST).flatMap((id) => {
    const market = findMarket(reader, id);
    return market ? [{ market_id: id, platform: platformOf(market.family), similarity: 1 }] : [];
  });
}

/** Rows of a related list. @see Spec 2.1.3 */
export function nearMarketBodies(reader: Reader, near: readonly NearMarket[]) {
  return near.flatMap(({ market_id, platform, similarity }) => {
    const market = findNearMarket(reader, market_id);
    if (!market) return [];
    return {
      market_id,
      similarity: roundTo(similarity, 4),
      platform,
      question: market.question,
      description: present(market.description),
      latest_price: presentCents(market.price),
    };
  });
}

const similarMarkets = route({
  path: '/markets/{id}/similar',
  summary: 'Active markets most similar to a market, of one venue or of all',
  tiers: ['authenticated'],
  caching: 'related',
  query: z.object({ platform: oneOf(PLATFORMS) }),
  answer(request) {
    const { reader, id, query } = request;
    if (!hasMarket(reader, id)) return undefined;
    const nearest = nearMarkets(request, { sort: 'market', record_id: id }, query.platform);
    return { data: nearMarketBodies(reader, nearest) };
  },
});

const relatedMarkets = route({
  path: '/markets/{id}/related',
  summary: 'Up to three active markets similar to a market; of several venues if the most similar ones are',
  tiers: ['public'],
  caching: 'related',
  query: z.object({ per_page: relatedPerPage }),
  answer(request) {
    const { reader, id, query } = request;
    if (!hasMarket(reader, id)) return undefined;
    const nearest = nearMarkets(request, { sort: 'market', record_id: id }, undefined);
    const chosen = spreadOverVenues(nearest, (each) => each.platform, query.per_page);
    return { data: nearMarketBodies(reader, chosen) };
  },
  isWatched: true,
  documents: eachMarketId,
});

export const relatedMarketRoutes = [similarMarkets, relatedMarkets];
