import { knowsBook, type Observation, type Series } from '../../model/observation.ts';
import type { Family } from '../../model/platform.ts';
import { formatInstant } from '../../model/time.ts';
import { presentCents } from '../present.ts';

/** The `source` field of a candle, by the family of its contract; other families have none. */
const SOURCES: { [F in Family]?: string } = {
  venue_b_us: 'venue_b_us_price_history',
  venue_b_global: 'venue_b_clob_history',
};

/** The interval of a candle; points of a price history have none, since the venue mixes several. */
const INTERVALS: { [S in Series]?: number } = {
  candle_60: 60,
  candle_1440: 1440,
  trades_60: 60,
  trades_1440: 1440,
};

/**
 * A candle of the price history, in cents; undefined for a live quote or a trade. If a history gives a single price, it
 * is used for open, high, low and close. Venue B US rows have no volume.
 *
 * @see Spec 2.1.2
 */
export function candleOf(observation: Observation & { series: Series }, family: Family) {
  const { series, observed_at, bid, ask, last, open, high, low, volume } = observation;
  if (series === 'quote' || series === 'trades') return undefined;
  const traded = open !== undefined || !knowsBook(series);
  const close = traded ? last : undefined;
  return {
    end_at: formatInstant(observed_at),
    interval_minutes: INTERVALS[series],
    source: SOURCES[family],
    open: presentCents(open ?? close),
    high: presentCents(high ?? close),
    low: presentCents(low ?? close),
    close: presentCents(close),
    bid: presentCents(bid),
    ask: presentCents(ask),
    volume: family === 'venue_b_us' ? undefined : volume,
  };
}
