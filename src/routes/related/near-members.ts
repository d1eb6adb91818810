import { FILING_GROUPS, type RelationSort, type TextGroup } from '../../model/relations.ts';
import { hasMarket } from '../../store/catalog/catalog.ts';
import { eachMarketId } from '../../store/catalog/market-lists.ts';
import { listFilingsOfTerms } from '../../store/filings/series-filings.ts';
import { listNearRecords } from '../../store/relations/neighbours.ts';
import { marketsOfIndex } from '../indices/member-markets.ts';
import type { Route, RouteRequest } from '../route.ts';
import { checkTimeLeft } from '../time-budget.ts';
import { publicIndexTickers, publicRateTickers, requestedIndex, requestedRate } from '../visibility.ts';

/** Neighbours that are read for each member, in each group. */
const OF_EACH = 10;

/** The kinds of near records: articles or filings. */
type NearSort = 'news' | 'filing';

/** The groups that each sort is searched in: separate ones, so that old filings do not crowd out recent ones. */
const GROUPS: Readonly<Record<NearSort, readonly TextGroup[]>> = { news: ['news'], filing: FILING_GROUPS };

/** A record near one of several others. */
export interface NearMember {
  record_id: string;
  similarity: number;
  /** The market that it is nearest to; absent if it is nearer to the index or rate itself. */
  via_market_id?: string;
}

/**
 * Articles or filings near a record or one of its markets, each once, the nearest first. A tie goes to the first market,
 * since only the record itself being nearer means that no market produced the match. A filing that the venue's own terms
 * refer to is nearest of all. Cost: one look-up for each market, three for filings.
 */
export function nearMembers(
  request: Pick<RouteRequest, 'reader' | 'hasTime'>,
  own: { sort: RelationSort; record_id: string } | undefined,
  markets: readonly string[],
  sort: NearSort,
): NearMember[] {
  const { reader } = request;
  const nearest = new Map<string, NearMember>();
  const take = (near: NearMember) => {
    const known = nearest.get(near.record_id);
    if (!known || near.similarity > known.similarity) nearest.set(near.record_id, near);
  };
  const takeNear = (
    of: { sort: RelationSort; record_id: string },
    via: Pick<NearMember, 'via_market_id'>,
  ) => {
    for (const group of GROUPS[sort])
      for (const { record_id, similarity } of listNearRecords(reader, of, group, OF_EACH))
        take({ record_id, similarity, ...via });
  };
  for (const market_id of markets) {
    checkTimeLeft(request);
    const via = { via_market_id: market_id };
    // Nothing is nearer than the contract's own terms.
    if (sort === 'filing')
      for (const filing of listFilingsOfTerms(reader, market_id, OF_EACH))
        take({ record_id: String(filing), similarity: 1, ...via });
    takeNear({ sort: 'market', record_id: market_id }, via);
  }
  if (own) {
    checkTimeLeft(request);
    takeNear(own, {});
  }
  return [...nearest.values()].sort(
    (a, b) => b.similarity - a.similarity || (a.record_id < b.record_id ? -1 : 1),
  );
}

/** A kind of record that has near articles and filings, under a path of its own. */
interface NearKind {
  path: string;
  /** The kind, in words. */
  of: string;
  /** Records near the requested one; undefined if there is none or the asker may not see it. */
  find(request: RouteRequest, sort: NearSort): NearMember[] | undefined;
  published: Pick<Route, 'documents' | 'isWatched'>;
}

/** All kinds, in the order of their paths. */
export const NEAR_KINDS: readonly NearKind[] = [
  {
    path: '/markets/{id}',
    of: 'a market',
    find: (request, sort) =>
      hasMarket(request.reader, request.id) ? nearMembers(request, undefined, [request.id], sort) : undefined,
    published: { documents: eachMarketId, isWatched: true },
  },
  {
    path: '/indices/{id}',
    of: 'the markets that an index includes',
    find(request, sort) {
      const index = requestedIndex(request);
      return index && nearMembers(request, undefined, marketsOfIndex(request, index), sort);
    },
    published: { documents: publicIndexTickers },
  },
  {
    path: '/rates/{id}',
    of: 'a rate or one of its source markets',
    find(request, sort) {
      const rate = requestedRate(request);
      const markets = rate?.sources.map((each) => each.market_id) ?? [];
      return rate && nearMembers(request, { sort: 'rate', record_id: rate.ticker }, markets, sort);
    },
    published: { documents: publicRateTickers },
  },
];
