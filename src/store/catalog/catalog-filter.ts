import type { Platform } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { Value } from '../store.ts';

/** Which rows of a list are wanted. What is not asked for is left out: only then is a list counted and searched as a whole. */
export interface CatalogFilter {
  /** Market or event ids of one venue begin with its token. */
  platform?: Platform;
  listedSince?: Instant;
  listedUntil?: Instant;
  /** Markets: those that close within these instants, both included; one without a close is not. */
  closesAfter?: Instant;
  closesBefore?: Instant;
  /** Markets: only these. */
  among?: readonly string[];
  /** Events: only those that hold one of these markets. */
  holdingOneOf?: readonly string[];
}

const CONDITIONS: Record<Exclude<keyof CatalogFilter, 'platform'>, string> = {
  listedSince: 'coalesce(listed_at, first_seen_at) >= @listedSince',
  listedUntil: 'coalesce(listed_at, first_seen_at) <= @listedUntil',
  closesAfter: 'closes_at >= @closesAfter',
  closesBefore: 'closes_at <= @closesBefore',
  among: 'market_id IN (SELECT value FROM json_each(@among))',
  holdingOneOf:
    'event_id IN (SELECT event_id FROM markets WHERE market_id IN (SELECT value FROM json_each(@holdingOneOf)))',
};

/** The conditions of a filter as SQL, with what is bound to them. */
export function conditions(
  filter: CatalogFilter,
  idColumn: string,
): { where: string; values: Record<string, Value> } {
  // As the indexes of a venue's orders have it: every token is seven letters.
  const known = { platform: `substr(${idColumn}, 1, 7) = @platform`, ...CONDITIONS };
  const named = (Object.keys(known) as (keyof CatalogFilter)[]).filter((name) => filter[name] !== undefined);
  const bound = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : (value as Value));
  return {
    where: ['true', ...named.map((name) => known[name])].join(' AND '),
    values: Object.fromEntries(named.map((name) => [name, bound(filter[name])])),
  };
}
