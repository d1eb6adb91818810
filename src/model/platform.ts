/** The tokens for venues in data and JSON; the configuration says which real venue each one is. */
export const PLATFORMS = ['venue_a', 'venue_b', 'venue_c'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A venue's family of contracts: venue B has a domestic and a global one. */
export const FAMILIES = ['venue_a', 'venue_b_us', 'venue_b_global', 'venue_c'] as const;
export type Family = (typeof FAMILIES)[number];

/**
 * Whether a contract of venue C is an outcome of Hyperliquid, whose own ids are numbers. All others are ForecastEx's.
 */
export function isOutcome(nativeId: string): boolean {
  return /^\d{1,9}$/.test(nativeId);
}

/** The venue that a family of contracts trades on. */
export function platformOf(family: Family): Platform {
  return family === 'venue_b_us' || family === 'venue_b_global' ? 'venue_b' : family;
}

/**
 * The identifier of a market or an event: the venue, for venue B US the family, and the venue's own id.
 *
 * @example catalogId('venue_b_us', 'nba-dal-phx') // 'venue_b:us:nba-dal-phx'
 */
export function catalogId(family: Family, nativeId: string): string {
  return family === 'venue_b_us' ? `venue_b:us:${nativeId}` : `${platformOf(family)}:${nativeId}`;
}

/**
 * Splits an identifier of {@link catalogId} into the family and the venue's own id; undefined when it does not begin
 * with a venue.
 *
 * @example parseCatalogId('venue_a:KXFED-26DEC-H0') // { family: 'venue_a', native_id: 'KXFED-26DEC-H0' }
 */
export function parseCatalogId(id: string): { family: Family; native_id: string } | undefined {
  const match = /^(venue_[abc]):(us:)?(.+)$/s.exec(id);
  if (!match) return undefined;
  const [, platform, us = '', rest = ''] = match;
  if (platform === 'venue_b') return { family: us === '' ? 'venue_b_global' : 'venue_b_us', native_id: rest };
  return { family: platform === 'venue_a' ? 'venue_a' : 'venue_c', native_id: us + rest };
}
