import { type BackfillWish, backfill } from '../compute/recalculation/backfill.ts';
import { ForemarkError } from '../model/errors.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { openStore, type Reader } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';
import { showProgress } from './progress.ts';
import { count } from './run-summary.ts';

/**
 * Calculates history once more from the stored prices; each value that differs becomes a new revision with a
 * restatement.
 *
 * @throws ForemarkError run_in_progress, or not_found for a ticker that is not in force
 */
export function backfillCommand(context: CommandContext, wish: BackfillWish): ExitCode {
  const unlock = takeRunLock(context.config.store);
  const progress = showProgress(context);
  try {
    const store = openStore(context.config.store);
    try {
      store.read((reader) => refuseUnknown(reader, wish.tickers));
      const report = backfill(store, wish, context.effects.now(), progress.tell);
      progress.end();
      if (context.json) context.out(JSON.stringify(report));
      else {
        for (const { ticker, message } of report.failures) context.out(`${ticker} failed: ${message}`);
        context.out(
          `${count(report.series)} series: ${count(report.restated)} prints restated, ${count(report.added)} added`,
        );
      }
      return report.failures.length === 0 ? EXIT.complete : EXIT.partial;
    } finally {
      store.close();
    }
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
