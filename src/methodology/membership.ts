import type { DivisorStep } from '../model/print.ts';
import type { Instant } from '../model/units.ts';

/** The period of a constituent in an index: from its admission until it settled or departed. */
export interface Membership {
  market_id: string;
  from: Instant;
  /** Absent while it is still in the index. */
  until?: Instant;
  ended?: 'settlement' | 'departure';
}

/** The admission of a constituent to an index, or its settlement there. */
export interface MembershipEvent {
  at: Instant;
  kind: 'admission' | 'settlement';
  market_id: string;
}

/**
 * The memberships of an index, from its ledger, in the order of admission. When a new season of a series begins,
 * everything held before has departed.
 *
 * @param steps the ledger, oldest first
 */
export function memberships(steps: readonly DivisorStep[]): Membership[] {
  const all: Membership[] = [];
  const open = new Map<string, Membership>();
  const end = (id: string, until: Instant, ended: 'settlement' | 'departure') => {
    const membership = open.get(id);
    if (membership) Object.assign(membership, { until, ended });
    open.delete(id);
  };
  for (const { at, reason, market_ids } of steps) {
    if (reason === 'settlement' || reason === 'departure' || reason === 'deletion') {
      for (const id of market_ids) end(id, at, reason === 'settlement' ? reason : 'departure');
      continue;
    }
    if (reason !== 'admission') {
      const goesOn = new Set(reason === 'base' ? [] : market_ids);
      for (const id of [...open.keys()]) if (!goesOn.has(id)) end(id, at, 'departure');
    }
    for (const market_id of market_ids) {
      if (open.has(market_id)) continue;
      const membership: Membership = { market_id, from: at };
      open.set(market_id, membership);
      all.push(membership);
    }
  }
  return all;
}

/**
 * Admissions, including those at the opening, and settlements of admitted constituents, newest first. At one instant
 * settlements happen before admissions, and so come after them in this order.
 *
 * @see Spec 4.3, membership-events
 */
export function membershipEvents(steps: readonly DivisorStep[]): MembershipEvent[] {
  const all = memberships(steps);
  const admissions = all.map(
    ({ market_id, from }): MembershipEvent => ({ at: from, kind: 'admission', market_id }),
  );
  const settlements = all.flatMap(({ market_id, until, ended }): MembershipEvent[] =>
    ended === 'settlement' && until !== undefined ? [{ at: until, kind: 'settlement', market_id }] : [],
  );
  return [...settlements, ...admissions].sort((a, b) => a.at - b.at).reverse();
}
