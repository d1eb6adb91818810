import type { SeriesId } from '../../model/constituent-id.ts';
import { indicesAmong } from '../../model/definitions/definition-links.ts';
import type { Progress } from '../../model/effects.ts';
import type { Instant } from '../../model/units.ts';
import { dropLateHistory } from '../../store/late-history.ts';
import { recordingInstant } from '../../store/restatements.ts';
import type { Reader, Store } from '../../store/store.ts';
import { everNamed } from '../series/calculate-index.ts';
import { type SeriesFailure, seriesFailure } from '../series-failure.ts';
import { listSeries, recalculate } from './recalculate.ts';
import type { RestatedCount } from './revised-span.ts';

export interface BackfillWish {
  /** Series to recalculate; all if empty. */
  tickers: readonly string[];
  from: Instant;
  to: Instant;
  /** Also calculate at the whole steps of this interval. */
  every_minutes?: number;
}

export interface BackfillReport extends RestatedCount {
  series: number;
  failures: SeriesFailure[];
}

/**
 * Recalculates history from the stored prices with all that is known now. The prints become those of a service that had
 * run live at the same instants with that knowledge.
 *
 * @throws ForemarkError store_unusable
 */
export function backfill(store: Store, wish: BackfillWish, now: Instant, progress: Progress): BackfillReport {
  const { every_minutes } = wish;
  const grid = every_minutes === undefined ? {} : { grid: { every_minutes, until: Math.min(wish.to, now) } };
  const report: BackfillReport = { series: 0, restated: 0, added: 0, failures: [] };
  const { wanted, early, ...begun } = store.read((reader) => {
    const all = listSeries(reader);
    const wanted = all.filter(({ ticker }) => wish.tickers.length === 0 || wish.tickers.includes(ticker));
    return { wanted, early: listEarly(reader, wanted), recordedAt: recordingInstant(reader, now) };
  });
  const firstEarly = wanted.findIndex((each) => early.has(each));
  let { recordedAt } = begun;
  const restate = (series: SeriesId): RestatedCount | undefined => {
    const asked = { ...series, from_at: wish.from, reason: 'backfill' as const, ...grid };
    try {
      return store.write((writer) => recalculate(writer, asked, recordedAt));
    } catch (thrown) {
      report.failures.push(seriesFailure(series.ticker, thrown));
      return undefined;
    }
  };
  for (let pass = wanted; pass.length > 0; recordedAt++) {
    let changed = 0;
    for (const [i, series] of pass.entries()) {
      const count = restate(series);
      if (count && pass === wanted) report.series++;
      const { restated, added } = count ?? { restated: 0, added: 0 };
      report.restated += restated;
      report.added += added;
      changed += restated + added;
      // What follows is recorded at a later instant: this series uses some of it, and was calculated without it.
      if (early.has(series)) recordedAt++;
      progress('backfill', i + 1, pass.length);
    }
    const isDone = firstEarly < 0 || changed === 0 || report.failures.length > 0;
    pass = isDone ? [] : wanted.slice(firstEarly);
  }
  if (wish.tickers.length === 0 && report.failures.length === 0)
    store.write((writer) => dropLateHistory(writer, wish.from));
  return report;
}

/**
 * The indices that come, in the order of calculation, before one of their former constituents, because the two have
 * swapped roles since. They and everything after them are calculated again until no print changes any more.
 */
function listEarly(reader: Reader, wanted: readonly SeriesId[]): Set<SeriesId> {
  const indices = wanted.filter((each) => each.kind === 'index');
  const places = new Map(indices.map((each, i) => [each.ticker, i]));
  const early = indices.filter(({ ticker }, i) =>
    indicesAmong(everNamed(reader, ticker)).some((held) => (places.get(held) ?? i) > i),
  );
  return new Set(early);
}
