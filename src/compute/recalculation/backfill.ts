import type { Progress } from '../../model/effects.ts';
import type { Instant } from '../../model/units.ts';
import { recordingInstant } from '../../store/restatements.ts';
import type { Store } from '../../store/store.ts';
import { type SeriesFailure, seriesFailure } from '../series-failure.ts';
import { listSeries, type RestatedCount, recalculate } from './recalculate.ts';

export interface BackfillWish {
  /** Series to calculate once more; all when empty. */
  tickers: readonly string[];
  from: Instant;
  to: Instant;
  /** Also at the whole steps of this interval. */
  every_minutes?: number;
}

export interface BackfillReport extends RestatedCount {
  series: number;
  failures: SeriesFailure[];
}

/**
 * Calculates history once more from the stored prices, with all that is known now: the prints are those of a
 * service that had run live on the same instants with that knowledge.
 *
 * @throws ForemarkError store_unusable
 */
export function backfill(store: Store, wish: BackfillWish, now: Instant, progress: Progress): BackfillReport {
  const report: BackfillReport = { series: 0, restated: 0, added: 0, failures: [] };
  const { every_minutes } = wish;
  const grid = every_minutes === undefined ? {} : { grid: { every_minutes, until: Math.min(wish.to, now) } };
  const { recordedAt, wanted } = store.write((writer) => ({
    recordedAt: recordingInstant(writer, now),
    wanted: listSeries(writer).filter(
      ({ ticker }) => wish.tickers.length === 0 || wish.tickers.includes(ticker),
    ),
  }));
  for (const [i, series] of wanted.entries()) {
    try {
      const count = store.write((writer) =>
        recalculate(writer, { ...series, from_at: wish.from, reason: 'backfill', ...grid }, recordedAt),
      );
      if (count) {
        report.series++;
        report.restated += count.restated;
        report.added += count.added;
      }
    } catch (thrown) {
      report.failures.push(seriesFailure(series.ticker, thrown));
    }
    progress('backfill', i + 1, wanted.length);
  }
  return report;
}
