import { ContractHistory, type FindView } from '../methodology/contract-views.ts';
import { readMarket } from '../methodology/index-families/index-family.ts';
import {
  pickReadings,
  type ReadingColumns,
  readingColumns,
} from '../methodology/index-families/reading-columns.ts';
import type { BookLimits } from '../methodology/marks.ts';
import type { Instant } from '../model/units.ts';
import { findMarket, selectStatuses } from '../store/catalog/catalog.ts';
import { PriceReads } from '../store/prices/price-reads.ts';
import type { Reader } from '../store/store.ts';

/** What is known of markets at the instants of a window. */
export interface ViewsOfWindow {
  /** Look-ups at one instant of the window. */
  at(instant: Instant): FindView;
  /** What an index with some limits reads of a market at instants of the window; worked out once for all of them. */
  readings(limits: BookLimits, marketId: string, instants: readonly Instant[]): ReadingColumns;
}

/** Points that a run keeps at most of the chunks that it has read: some 14 bytes each. */
const KEPT_POINTS = 2_000_000;

/** The reads of a run that loads views window after window. */
export function readsOfViews(): PriceReads {
  return new PriceReads(['bid', 'ask', 'last'], KEPT_POINTS);
}

/**
 * Loads what is known of some markets at some instants. Markets that the catalog has never seen have no view.
 *
 * @param instants ascending, at least one
 * @param reads those of the run, from `readsOfViews`
 * @param knownAt leaves out what became known later
 */
export function loadViews(
  reader: Reader,
  marketIds: ReadonlySet<string>,
  instants: readonly Instant[],
  reads: PriceReads,
  knownAt = Number.POSITIVE_INFINITY,
): ViewsOfWindow {
  const markets = [...marketIds].flatMap((id) => findMarket(reader, id) ?? []);
  reads.passTail(
    reader,
    markets.map((market) => market.market_key),
  );
  const from = instants[0] as Instant;
  const until = instants.at(-1) as Instant;
  const span = { from, until, carry: true, knownAt };
  const byMarket = new Map<string, ContractHistory>();
  for (const market of markets) {
    const prices = reads.select(reader, market.market_key, span);
    const statuses = selectStatuses(reader, market.market_key).filter((each) => each.observed_at <= knownAt);
    byMarket.set(market.market_id, new ContractHistory(prices, statuses));
  }
  const places = new Map(instants.map((instant, i) => [instant, i]));
  const readings = new Map<string, ReadingColumns>();
  return {
    at(instant) {
      return (marketId) => (places.has(instant) ? byMarket.get(marketId)?.viewAt(instant) : undefined);
    },
    readings(limits, marketId, wanted) {
      const key = `${limits.max_spread_cents} ${limits.max_quote_age_hours} ${marketId}`;
      let columns = readings.get(key);
      if (!columns) {
        const known = byMarket.get(marketId);
        columns = readingColumns(instants.length, (i) => {
          const at = instants[i] as Instant;
          return readMarket(limits, known?.viewAt(at), at);
        });
        readings.set(key, columns);
      }
      if (wanted.length === instants.length) return columns;
      return pickReadings(
        columns,
        wanted.map((at) => places.get(at) as number),
      );
    },
  };
}
