import type { ClobCatalog } from './clob.ts';
import type { DataCatalog } from './data.ts';
import type { GammaCatalog } from './gamma.ts';
import type { KalshiCatalog } from './kalshi-catalog.ts';
import type { WireRow } from './recorded.ts';

/** A recording ready to be answered from: both venues, and the instant its clock stands at first. */
export interface Scenario {
  recorded_at: string;
  kalshi: KalshiCatalog;
  polymarket: GammaCatalog & ClobCatalog & DataCatalog;
}

/** A Kalshi without any market. */
export const noKalshi: KalshiCatalog = {
  seriesAt: () => [],
  eventsAt: () => [],
  marketsAt: () => [],
  unlistedMarketsAt: () => [],
  candlesOf: () => undefined,
  orderbookAt: () => undefined,
  tradesAt: () => [],
  cursors: {},
};

/** A Polymarket without any market. */
export const noPolymarket: GammaCatalog & ClobCatalog & DataCatalog = {
  eventsAt: () => [],
  marketsAt: () => [],
  tagsAt: () => [],
  bookAt: () => undefined,
  pointsOf: () => [],
  marketsPage: () => undefined,
  marketAt: () => undefined,
  resolutionAt: () => undefined,
};

/** True when a Kalshi series is of a category; null stands for every category. */
export function isIn(series: WireRow, category: string | null): boolean {
  return category === null || series.category === category;
}
