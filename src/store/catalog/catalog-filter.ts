import type { Platform } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { Value } from '../store.ts';

/** Which rows of a list are wanted; all of it when a field is left out. */
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

/** The conditions of a filter as SQL, with what is bound to them. */
export function conditions(
  filter: CatalogFilter,
  idColumn: string,
): { where: string; values: Record<string, Value> } {
  const parts = ['true'];
  const values: Record<string, Value> = {};
  if (filter.platform !== undefined) {
    // As the indexes of a venue's orders have it: every token is seven letters.
    parts.push(`substr(${idColumn}, 1, 7) = @platform`);
    values.platform = filter.platform;
  }
  if (filter.listedSince !== undefined) {
    parts.push('coalesce(listed_at, first_seen_at) >= @since');
    values.since = filter.listedSince;
  }
  if (filter.listedUntil !== undefined) {
    parts.push('coalesce(listed_at, first_seen_at) <= @until');
    values.until = filter.listedUntil;
  }
  if (filter.closesAfter !== undefined) {
    parts.push('closes_at >= @closes_after');
    values.closes_after = filter.closesAfter;
  }
  if (filter.closesBefore !== undefined) {
    parts.push('closes_at <= @closes_before');
    values.closes_before = filter.closesBefore;
  }
  if (filter.among !== undefined) {
    parts.push('market_id IN (SELECT value FROM json_each(@among))');
    values.among = JSON.stringify(filter.among);
  }
  if (filter.holdingOneOf !== undefined) {
    parts.push(
      `event_id IN (SELECT event_id FROM markets WHERE market_id IN (SELECT value FROM json_each(@holding)))`,
    );
    values.holding = JSON.stringify(filter.holdingOneOf);
  }
  return { where: parts.join(' AND '), values };
}
