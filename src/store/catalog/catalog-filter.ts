import type { Platform } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { Value } from '../store.ts';

/**
 * The conditions on the rows of a list. Leave out unused ones instead of setting them to undefined: counts, sorting and
 * search take a faster path for a filter without keys, or with `platform` alone.
 */
export interface CatalogFilter {
  /** Only one venue. Its market and event ids begin with its token. */
  platform?: Platform;
  listedSince?: Instant;
  listedUntil?: Instant;
  /** Markets: only those that close between these instants, both inclusive; those without a close are left out. */
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

/** The conditions of a filter as SQL, with the values to bind. */
export function conditions(
  filter: CatalogFilter,
  idColumn: string,
): { where: string; values: Record<string, Value> } {
  // The same expression as in the per-venue indexes, so that they are used. Every token has seven characters.
  const known = { platform: `substr(${idColumn}, 1, 7) = @platform`, ...CONDITIONS };
  const named = (Object.keys(known) as (keyof CatalogFilter)[]).filter((name) => filter[name] !== undefined);
  const bound = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : (value as Value));
  return {
    where: ['true', ...named.map((name) => known[name])].join(' AND '),
    values: Object.fromEntries(named.map((name) => [name, bound(filter[name])])),
  };
}
