import { type ContractView, contractViews, type FindView } from '../methodology/contract-views.ts';
import type { Instant } from '../model/units.ts';
import { findMarket, selectStatuses } from '../store/catalog.ts';
import { loadTail, selectPrices } from '../store/price-reads.ts';
import type { Reader } from '../store/store.ts';

/** What is known of markets at the instants of a window. */
export interface ViewsOfWindow {
  /** Look-ups at one instant of the window. */
  at(instant: Instant): FindView;
}

/**
 * Loads what is known of some markets at some instants. Markets that the catalog has never seen have no view.
 *
 * @param instants ascending, at least one
 * @param knownAt leaves out what became known later
 */
export function loadViews(
  reader: Reader,
  marketIds: ReadonlySet<string>,
  instants: readonly Instant[],
  knownAt = Number.POSITIVE_INFINITY,
): ViewsOfWindow {
  const markets = [...marketIds].flatMap((id) => findMarket(reader, id) ?? []);
  const tail = loadTail(reader, new Set(markets.map((market) => market.market_key)));
  const from = instants[0] as Instant;
  const until = instants.at(-1) as Instant;
  const span = { from, until, carry: true, knownAt, columns: ['bid', 'ask', 'last'] as const };
  const byMarket = new Map<string, ContractView[]>();
  for (const market of markets) {
    const prices = selectPrices(reader, market.market_key, span, tail);
    const statuses = selectStatuses(reader, market.market_key).filter((each) => each.observed_at <= knownAt);
    byMarket.set(market.market_id, contractViews(prices, statuses, market.closes_at ?? undefined, instants));
  }
  const places = new Map(instants.map((instant, i) => [instant, i]));
  return {
    at(instant) {
      const place = places.get(instant) ?? -1;
      return (marketId) => byMarket.get(marketId)?.[place];
    },
  };
}
