import type { SeenStatus } from '../../model/catalog.ts';
import type { PriceColumns } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import { findMarketKey, selectStatuses } from '../../store/catalog/catalog.ts';
import { PriceReads } from '../../store/prices/price-reads.ts';
import type { PriceSpan } from '../../store/prices/price-span.ts';
import type { Reader } from '../../store/store.ts';

/** Size of a run's cache of decoded chunks, in points: some 6 bytes each if they are hourly. */
const KEPT_POINTS = 2_000_000;

interface KnownMarket {
  market_key: number;
  statuses: SeenStatus[];
}

/**
 * Cached reads of markets for a run that moves forward in time, window after window. Catalog and prices must not be
 * written in the meantime.
 */
export class MarketReads {
  readonly #prices = new PriceReads(KEPT_POINTS);
  /** No entry: not read yet; undefined: the catalog has never seen the market. */
  readonly #markets = new Map<string, KnownMarket | undefined>();

  /** The markets that the catalog knew by an instant; reads the tail of prices for all of them in one pass. */
  listKnown(reader: Reader, marketIds: Iterable<string>, knownAt: Instant): string[] {
    const known = [...marketIds].filter((id) => this.#find(reader, id, knownAt));
    this.#prices.passTail(
      reader,
      known.map((id) => this.#findEver(reader, id)?.market_key as number),
    );
    return known;
  }

  /** The observations of a market in a span; undefined if the catalog did not know the market by then. */
  prices(reader: Reader, marketId: string, span: PriceSpan & { knownAt: Instant }): PriceColumns | undefined {
    const market = this.#find(reader, marketId, span.knownAt);
    return market && this.#prices.select(reader, market.market_key, span);
  }

  /** The statuses of a market known by an instant, oldest first. */
  statuses(reader: Reader, marketId: string, knownAt: Instant): readonly SeenStatus[] {
    const statuses = this.#findEver(reader, marketId)?.statuses ?? [];
    return (statuses.at(-1)?.observed_at ?? 0) <= knownAt
      ? statuses
      : statuses.filter((each) => each.observed_at <= knownAt);
  }

  /** A market that the catalog knew by an instant: from its first status on. */
  #find(reader: Reader, marketId: string, knownAt: Instant): KnownMarket | undefined {
    const market = this.#findEver(reader, marketId);
    return market && (market.statuses[0]?.observed_at ?? 0) <= knownAt ? market : undefined;
  }

  #findEver(reader: Reader, marketId: string): KnownMarket | undefined {
    if (this.#markets.has(marketId)) return this.#markets.get(marketId);
    const market_key = findMarketKey(reader, marketId);
    const market =
      market_key === undefined ? undefined : { market_key, statuses: selectStatuses(reader, market_key) };
    this.#markets.set(marketId, market);
    return market;
  }
}
