import type { Config } from '../../model/config.ts';
import { findEvent, hasMarket } from '../../store/catalog/catalog.ts';
import type { Reader } from '../../store/store.ts';
import type { CatalogPage, ListedEvent, ListedMarket } from './listed-market.ts';

/** The part of a page that the settings let into the catalog. */
export interface CarriedPage {
  events: ListedEvent[];
  markets: ListedMarket[];
  /** Number of markets that the settings leave out. */
  out_of_scope: number;
}

/**
 * Selects the part of a page that enters the catalog: the markets that are in scope, named by definitions or known
 * already, and their events.
 */
export function carriedOf(
  reader: Reader,
  { events, markets }: Pick<CatalogPage, 'events' | 'markets'>,
  { scope, named }: { scope: Config['scope']; named: ReadonlySet<string> },
): CarriedPage {
  if (takesAll(scope)) return { events, markets, out_of_scope: 0 };
  const listed = new Map(events.map((each) => [each.event_id, each]));
  const carried = markets.filter(
    ({ market }) =>
      named.has(market.market_id) ||
      isInScope(scope, market.volume, eventOf(reader, listed, market.event_id)) ||
      hasMarket(reader, market.market_id),
  );
  const wanted = new Set(carried.map(({ market }) => market.event_id));
  return {
    events: events.filter((each) => wanted.has(each.event_id)),
    markets: carried,
    out_of_scope: markets.length - carried.length,
  };
}

interface EventKind {
  category?: string | null;
  series?: string | null;
  tags?: readonly string[];
}

function eventOf(
  reader: Reader,
  listed: ReadonlyMap<string, ListedEvent>,
  eventId: string | undefined,
): EventKind | undefined {
  return eventId === undefined ? undefined : (listed.get(eventId) ?? findEvent(reader, eventId));
}

function isInScope(
  scope: Config['scope'],
  volume: number | undefined,
  event: EventKind | undefined,
): boolean {
  if ((volume ?? 0) < scope.min_volume) return false;
  const filedUnder = [event?.category, ...(event?.tags ?? [])];
  const isAnyOf = (categories: readonly string[]) => filedUnder.some((each) => includes(categories, each));
  if (isAnyOf(scope.without_categories)) return false;
  if (scope.series.length > 0 && !includes(scope.series, event?.series)) return false;
  return scope.categories.length === 0 || isAnyOf(scope.categories);
}

function takesAll({ categories, without_categories, series, min_volume }: Config['scope']): boolean {
  return categories.length + without_categories.length + series.length === 0 && min_volume === 0;
}

function includes(list: readonly string[], text: string | null | undefined): boolean {
  const wanted = text?.toLowerCase();
  return list.some((each) => each.toLowerCase() === wanted);
}
