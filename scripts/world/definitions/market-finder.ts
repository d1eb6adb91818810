import type { Catalog } from '../catalog.ts';

/** Product-wide market ids of the world's markets, by Kalshi ticker. */
export interface MarketFinder {
  /** `venue_a:<ticker>`. */
  kalshi(ticker: string): string;
  /** `venue_b:<condition id>` of the same outcome at Polymarket. */
  polymarket(ticker: string): string;
}

/** Looks markets up in a catalog; throws when a definition names one that the world does not have. */
export function createFinder({ kalshi, polymarket }: Catalog): MarketFinder {
  const twins = new Map(
    polymarket.market_list.map(({ contract, condition_id }) => [
      `${contract.event.key}|${contract.outcome}`,
      condition_id,
    ]),
  );
  return {
    kalshi(ticker) {
      if (!kalshi.markets.has(ticker)) throw new Error(`the world has no market ${ticker}`);
      return `venue_a:${ticker}`;
    },
    polymarket(ticker) {
      const contract = kalshi.markets.get(ticker)?.contract;
      const id = contract === undefined ? undefined : twins.get(`${contract.event.key}|${contract.outcome}`);
      if (id === undefined) throw new Error(`the second venue has no twin of ${ticker}`);
      return `venue_b:${id}`;
    },
  };
}
