import type { RelationSort, TextGroup } from '../../model/relations.ts';
import { findMarketStatus } from '../../store/catalog/catalog.ts';
import { eachMarketId } from '../../store/catalog/market-lists.ts';
import { listFilingsOfTerms } from '../../store/filings/series-filings.ts';
import { listNearRecords } from '../../store/relations/neighbours.ts';
import { marketsOfIndex } from '../indices/member-markets.ts';
import type { Route, RouteRequest } from '../route.ts';
import { spendTime } from '../time-budget.ts';
import { publicIndexTickers, publicRateTickers, requestedIndex, requestedRate } from '../visibility.ts';

/** Neighbours that are read for each member. */
const OF_EACH = 10;

/** A record near one of several, and which of them it is nearest to. */
export interface NearMember {
  record_id: string;
  similarity: number;
  /** The market that it is nearest to; absent when it is nearer to what the markets belong to. */
  via_market_id?: string;
}

/**
 * Records of a group near a record itself or one of its markets, each once, the nearest first. A tie goes to the
 * record itself, then to the market that comes first. A filing that the venue's own terms refer to is nearest of all.
 * Cost: a look-up a market, two for filings.
 */
export function nearMembers(
  request: Pick<RouteRequest, 'reader' | 'hasTime'>,
  own: { sort: RelationSort; record_id: string } | undefined,
  markets: readonly string[],
  group: TextGroup,
): NearMember[] {
  const nearest = new Map<string, NearMember>();
  const take = (near: NearMember) => {
    const known = nearest.get(near.record_id);
    if (!known || near.similarity > known.similarity) nearest.set(near.record_id, near);
  };
  if (own) spendTime(request);
  if (own)
    for (const { record_id, similarity } of listNearRecords(request.reader, own, group, OF_EACH))
      take({ record_id, similarity });
  for (const market_id of markets) {
    spendTime(request);
    // The terms that a contract was filed with are as near as can be.
    if (group === 'filing')
      for (const filing of listFilingsOfTerms(request.reader, market_id, OF_EACH))
        take({ record_id: String(filing), similarity: 1, via_market_id: market_id });
    for (const { record_id, similarity } of listNearRecords(
      request.reader,
      { sort: 'market', record_id: market_id },
      group,
      OF_EACH,
    ))
      take({ record_id, similarity, via_market_id: market_id });
  }
  return [...nearest.values()].sort(
    (a, b) => b.similarity - a.similarity || (a.record_id < b.record_id ? -1 : 1),
  );
}

/** A kind of record that articles and filings are near to, each on a path of its own. */
interface NearKind {
  path: string;
  /** What they are near to, in words. */
  of: string;
  /** Records near the one that an id names; undefined when the asker may not see it or there is none. */
  find(request: RouteRequest, group: TextGroup): NearMember[] | undefined;
  published: Pick<Route, 'documents' | 'isWatched'>;
}

/** All kinds, in the order of their paths. */
export const NEAR_KINDS: readonly NearKind[] = [
  {
    path: '/markets/{id}',
    of: 'a market',
    find: (request, group) =>
      findMarketStatus(request.reader, request.id) && nearMembers(request, undefined, [request.id], group),
    published: { documents: eachMarketId, isWatched: true },
  },
  {
    path: '/indices/{id}',
    of: 'the markets that an index includes',
    find(request, group) {
      const index = requestedIndex(request);
      return index && nearMembers(request, undefined, marketsOfIndex(request, index), group);
    },
    published: { documents: publicIndexTickers },
  },
  {
    path: '/rates/{id}',
    of: 'a rate or one of its source markets',
    find(request, group) {
      const rate = requestedRate(request);
      const markets = rate?.sources.map((each) => each.market_id) ?? [];
      return rate && nearMembers(request, { sort: 'rate', record_id: rate.ticker }, markets, group);
    },
    published: { documents: publicRateTickers },
  },
];
