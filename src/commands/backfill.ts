import { backfill } from '../compute/recalculation/backfill.ts';
import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import { takeRunLock } from '../store/run-lock.ts';
import type { Reader } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';
import { showProgress } from './progress.ts';
import { refuseBackwards } from './refuse-backwards.ts';
import { count } from './run-summary.ts';
import { withStore } from './with-store.ts';

/** From when on, and on which finer grid. */
interface Span {
  from?: Instant;
  to?: Instant;
  every?: number;
}

/**
 * Calculates history once more from the stored prices; each value that differs becomes a new revision with a
 * restatement.
 *
 * @throws ForemarkError run_in_progress, not_found for a ticker that is not in force, or invalid_configuration for a
 * grid that has an end and no steps, or an end before its beginning
 */
export function backfillCommand(
  context: CommandContext,
  tickers: readonly string[],
  { from = 0, to, every }: Span,
): ExitCode {
  if (to !== undefined && every === undefined)
    throw new ForemarkError(
      'invalid_configuration',
      '--to is where the steps of --every end, which is missing',
    );
  if (to !== undefined) refuseBackwards(from, to);
  const grid = every === undefined ? {} : { every_minutes: every };
  const unlock = takeRunLock(context.config.store);
  const progress = showProgress(context);
  try {
    return withStore(context, { readonly: false }, (store) => {
      store.read((reader) => refuseUnknown(reader, tickers));
      const now = context.effects.now();
      const report = backfill(store, { tickers, from, to: to ?? now, ...grid }, now, progress.tell);
      progress.end();
      if (context.json) context.out(JSON.stringify(report));
      else {
        for (const { ticker, message } of report.failures) context.out(`${ticker} failed: ${message}`);
        context.out(
          `${count(report.series)} series: ${count(report.restated)} prints restated, ${count(report.added)} added`,
        );
      }
      return report.failures.length === 0 ? EXIT.complete : EXIT.partial;
    });
  } finally {
    progress.end();
    unlock();
  }
}

function refuseUnknown(reader: Reader, tickers: readonly string[]): void {
  const all = [...listIndexDefinitions(reader), ...listRateDefinitions(reader)];
  const unknown = tickers.filter((ticker) => all.every((each) => each.definition.ticker !== ticker));
  if (unknown.length > 0)
    throw new ForemarkError('not_found', `no index or rate has the ticker ${unknown.join(', ')}`);
}
