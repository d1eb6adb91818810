import type { Announcement } from '../model/announcement.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { Instant } from '../model/units.ts';
import { pricesOtherwise } from './index-families/index-families.ts';

/**
 * The notice that a changed definition asks for: which names it takes in and out, or that it weighs the same
 * names anew. The change counts from the calculation at the instant of its adoption.
 *
 * @returns undefined when the change touches nothing that is priced
 */
export function draftRebalance(
  before: IndexDefinition,
  after: IndexDefinition,
  at: Instant,
): Announcement | undefined {
  const [then, now] = [pricedIds(before), pricedIds(after)];
  const added = now.filter((id) => !then.includes(id));
  const removed = then.filter((id) => !now.includes(id));
  const members = added.length + removed.length > 0;
  if (!members && !pricesOtherwise(before, after)) return undefined;
  const { ticker, name } = after;
  const body = members
    ? `${name} takes in ${count(added)} and leaves out ${count(removed)}.`
    : `${name} weighs the same constituents anew.`;
  const title = members ? `Reconstitution of ${ticker}` : `Rebalance of ${ticker}`;
  return { type: 'rebalance', ticker, title, body, announced_at: at, effective_at: at, added, removed };
}

function pricedIds({ constituents }: IndexDefinition): string[] {
  return constituents.flatMap((each) => (each.status === 'included' ? [each.market_id] : []));
}

function count(ids: readonly string[]): string {
  return ids.length === 1 ? '1 constituent' : `${ids.length} constituents`;
}
