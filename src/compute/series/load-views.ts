import { ContractHistory, type FindView } from '../../methodology/contract-views.ts';
import { marketReadings } from '../../methodology/index-families/market-readings.ts';
import { pickReadings, type ReadingColumns } from '../../methodology/index-families/reading-columns.ts';
import type { BookLimits } from '../../methodology/marks.ts';
import type { Columns } from '../../model/column-room.ts';
import { getOrInsert, memoized } from '../../model/memoized.ts';
import type { PriceColumns } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import type { MarketReads } from './market-reads.ts';

/** The views of markets at the instants of a window. */
export interface ViewsOfWindow {
  /** Looks up markets at one instant of the window. */
  at(instant: Instant): FindView;
  /** The history of a market, for instants of the window; undefined if the catalog has never seen the market. */
  contract(marketId: string): ContractHistory | undefined;
  /**
   * Looks up the readings of markets at instants of the window, for indices with some limits; calculated once and shared
   * by all such indices.
   */
  readings(limits: BookLimits, instants: readonly Instant[]): (marketId: string) => ReadingColumns;
}

/**
 * Loads what is known of some markets at some instants. Markets that the catalog has never seen have no view.
 *
 * @param instants ascending, at least one
 * @param reads of the run
 * @param knownAt ignores what became known later
 * @param into allocates the columns; the views are valid only as long as the columns are
 */
export function loadViews(
  reader: Reader,
  marketIds: ReadonlySet<string>,
  instants: readonly Instant[],
  reads: MarketReads,
  knownAt: Instant,
  into?: Columns,
): ViewsOfWindow {
  // What was observed at the first instant itself leaves nothing to be carried into it.
  const from = (instants[0] as Instant) + 1;
  const until = instants.at(-1) as Instant;
  const span = {
    from,
    until,
    carry: 'last',
    columns: ['bid', 'ask', 'last'],
    knownAt,
    ...(into && { into }),
  } as const;
  const byMarket = new Map<string, ContractHistory>();
  for (const id of reads.listKnown(reader, marketIds, knownAt)) {
    const prices = reads.prices(reader, id, span) as PriceColumns;
    byMarket.set(id, new ContractHistory(prices, reads.statuses(reader, id, knownAt)));
  }
  const places = new Map(instants.map((instant, i) => [instant, i]));
  const byLimits = new Map<string, (marketId: string) => ReadingColumns>();
  return {
    at(instant) {
      return (marketId) => (places.has(instant) ? byMarket.get(marketId)?.viewAt(instant) : undefined);
    },
    contract: (marketId) => byMarket.get(marketId),
    readings(limits, wanted) {
      const key = `${limits.max_spread_cents} ${limits.max_quote_age_hours}`;
      const inWindow = getOrInsert(byLimits, key, () =>
        memoized((marketId) => marketReadings(limits, byMarket.get(marketId), instants, into)),
      );
      if (wanted.length === instants.length) return inWindow;
      const picked = wanted.map((at) => places.get(at) as number);
      return (marketId) => pickReadings(inWindow(marketId), picked);
    },
  };
}
