import { isOutcome } from '../model/platform.ts';
import type { MarketRow } from '../store/catalog/catalog.ts';
import type { Sites } from './route.ts';

type Linkable = Pick<MarketRow, 'family' | 'native_id' | 'slug' | 'event_slug'>;

/**
 * The page of a market at its venue; null when no working address can be built or the venue has no site. The address is
 * built from the configured site and encoded slugs, never taken from a payload.
 *
 * @see Spec 2.1.1
 */
export function linkOf(market: Linkable, sites: Sites): string | null {
  const site = sites[market.family === 'venue_b_global' ? 'venue_b' : market.family];
  if (site === undefined) return null;
  if (market.family === 'venue_a') {
    // If the catalog does not have the series, take what most tickers begin with.
    const series = usable(market.event_slug ?? market.native_id.split('-')[0]?.toLowerCase());
    return series ? `${site}/markets/${series}` : null;
  }
  // Side 0 of outcome n trades as #n0; the contracts of ForecastEx have no pages on the site.
  if (market.family === 'venue_c')
    return isOutcome(market.native_id) ? `${site}/trade/%23${market.native_id}0` : null;
  const event = usable(market.event_slug);
  const own = usable(market.slug);
  if (event && own && event !== own) return `${site}/event/${event}/${own}`;
  if (event) return `${site}/event/${event}`;
  return own ? `${site}/market/${own}` : null;
}

/** A slug as part of an address; undefined if it has no letter or digit. */
function usable(slug: string | null | undefined): string | undefined {
  const trimmed = slug?.trim();
  return trimmed && /[\p{L}\p{N}]/u.test(trimmed) ? encodeURIComponent(trimmed) : undefined;
}
