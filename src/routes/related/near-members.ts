import type { RelationSort, TextGroup } from '../../model/relations.ts';
import { listFilingsOfTerms } from '../../store/filings/series-filings.ts';
import { listNearRecords } from '../../store/relations/neighbours.ts';
import type { RouteRequest } from '../route.ts';
import { spendTime } from '../time-budget.ts';

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
