import { backfill } from '../compute/recalculation/backfill.ts';
import { counted, formatCount } from '../model/counted.ts';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { refuseBackwards } from './refuse-backwards.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { withRunLock } from './with-store.ts';

/** The range, and a finer grid if wanted. */
interface Span {
  from?: Instant;
  to?: Instant;
  every?: number;
}

/**
 * Recalculates history from the stored prices; each value that differs becomes a new revision with a restatement.
 *
 * @throws ForemarkError run_in_progress, not_found for a ticker that is not in force, or invalid_configuration for a
 * grid that has an end and no steps, or a beginning after its end or, without one, after now
 */
export async function backfillCommand(
  context: CommandContext,
  tickers: readonly string[],
  { from = 0, to, every }: Span,
): Promise<ExitCode> {
  if (to !== undefined && every === undefined)
    throw new ForemarkError('invalid_configuration', '--to can be given only with --every');
  if (to !== undefined) refuseBackwards(from, to);
  const grid = every === undefined ? {} : { every_minutes: every };
  const report = await withRunLock(context, 'write', (store, progress) => {
    store.read((reader) =>
      refuseUnknown(tickers, [...listIndexDefinitions(reader), ...listRateDefinitions(reader)]),
    );
    const now = context.effects.now();
    if (to === undefined && from > now)
      throw new ForemarkError(
        'invalid_configuration',
        `from must not be after now, ${formatInstant(now)}, got ${formatInstant(from)}`,
      );
    return backfill(store, { tickers, from, to: to ?? now, ...grid }, now, progress.tell);
  });
  const { series, restated, added, failures } = report;
  tell(context, report, [
    ...failures.map(({ ticker, message }) => `${ticker} failed: ${message}`),
    `${formatCount(series)} series: ${counted(restated, 'print')} restated, ${formatCount(added)} added`,
  ]);
  return failures.length === 0 ? EXIT.complete : EXIT.partial;
}
