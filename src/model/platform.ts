/** The tokens for venues in data and JSON; the configuration says which real venue each one is. */
export const PLATFORMS = ['venue_a', 'venue_b', 'venue_c'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * Each family of contracts, with the venue that it trades on and what its identifiers begin with. Venue B has a
 * domestic and a global one.
 */
const FAMILY = {
  venue_a: { platform: 'venue_a', prefix: 'venue_a:' },
  venue_b_us: { platform: 'venue_b', prefix: 'venue_b:us:' },
  venue_b_global: { platform: 'venue_b', prefix: 'venue_b:' },
  venue_c: { platform: 'venue_c', prefix: 'venue_c:' },
} as const satisfies Record<string, { platform: Platform; prefix: `${Platform}:${string}` }>;
export type Family = keyof typeof FAMILY;
export const FAMILIES = Object.keys(FAMILY) as readonly Family[];

/** The longest prefix first, since that of a family may begin with that of another. */
const BY_PREFIX = FAMILIES.toSorted((a, b) => FAMILY[b].prefix.length - FAMILY[a].prefix.length);

/** What identifiers begin with, anywhere in a text, in capitals too. */
export const ID_PREFIXES = new RegExp(
  `\\b(?:${BY_PREFIX.map((each) => FAMILY[each].prefix).join('|')})`,
  'gi',
);

/**
 * Whether a contract of venue C is an outcome of Hyperliquid, whose own ids are numbers. All others are ForecastEx's.
 */
export function isOutcome(nativeId: string): boolean {
  return /^\d{1,9}$/.test(nativeId);
}

/** The venue that a family of contracts trades on. */
export function platformOf(family: Family): Platform {
  return FAMILY[family].platform;
}

/**
 * The identifier of a market or an event: the venue, for venue B US the family, and the venue's own id.
 *
 * @example catalogId('venue_b_us', 'nba-dal-phx') // 'venue_b:us:nba-dal-phx'
 */
export function catalogId(family: Family, nativeId: string): string {
  return FAMILY[family].prefix + nativeId;
}

/**
 * Splits an identifier of {@link catalogId} into the family and the venue's own id; undefined when it does not begin
 * with a venue.
 *
 * @example parseCatalogId('venue_a:KXFED-26DEC-H0') // { family: 'venue_a', native_id: 'KXFED-26DEC-H0' }
 */
export function parseCatalogId(id: string): { family: Family; native_id: string } | undefined {
  for (const family of BY_PREFIX) {
    const { prefix } = FAMILY[family];
    if (id.startsWith(prefix) && id.length > prefix.length)
      return { family, native_id: id.slice(prefix.length) };
  }
  return undefined;
}
