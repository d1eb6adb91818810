import { type Family, isOutcome } from '../model/platform.ts';
import type { MarketRow } from '../store/catalog/catalog.ts';
import type { Sites } from './route.ts';

type Linkable = Pick<MarketRow, 'family' | 'native_id' | 'slug' | 'event_slug'>;

/** The path of a market's page on the site of its family; undefined when no working address can be built. */
const PAGES: Readonly<Record<Family, (market: Linkable) => string | undefined>> = {
  venue_a: seriesPage,
  venue_b_us: eventPage,
  venue_b_global: eventPage,
  // Side 0 of outcome n trades as #n0; the contracts of ForecastEx have no pages on the site.
  venue_c: ({ native_id }) => (isOutcome(native_id) ? `/trade/%23${native_id}0` : undefined),
};

/**
 * The page of a market at its venue; null when no working address can be built or the venue has no site. The address is
 * built from the configured site and encoded slugs, never taken from a payload.
 *
 * @see Spec 2.1.1
 */
export function linkOf(market: Linkable, sites: Sites): string | null {
  const site = sites[market.family];
  const page = PAGES[market.family](market);
  return site === undefined || page === undefined ? null : site + page;
}

function seriesPage({ native_id, event_slug }: Linkable): string | undefined {
  // If the catalog does not have the series, use the beginning of the ticker, which mostly names it.
  const series = usable(event_slug ?? native_id.split('-')[0]?.toLowerCase());
  return series && `/markets/${series}`;
}

function eventPage(market: Linkable): string | undefined {
  const event = usable(market.event_slug);
  const own = usable(market.slug);
  if (event && own && event !== own) return `/event/${event}/${own}`;
  if (event) return `/event/${event}`;
  return own && `/market/${own}`;
}

/** A slug as part of an address; undefined if it has no letter or digit. */
function usable(slug: string | null | undefined): string | undefined {
  const trimmed = slug?.trim();
  return trimmed && /[\p{L}\p{N}]/u.test(trimmed) ? encodeURIComponent(trimmed) : undefined;
}
