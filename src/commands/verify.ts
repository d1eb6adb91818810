import { type VerifiedRange, WHOLE } from '../compute/recalculation/verified-range.ts';
import { type VerifyReport, verify } from '../compute/recalculation/verify.ts';
import { counted, formatCount } from '../model/counted.ts';
import { formatInstant } from '../model/time.ts';
import { refuseAnyDamage } from '../store/damage.ts';
import { listDefinitionHistory } from '../store/definitions/definitions.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { refuseBackwards } from './refuse-backwards.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { withStore } from './with-store.ts';

/**
 * Verifies that the store's file is whole, that no print or notice was altered, and that the stored inputs still give the
 * same prints.
 *
 * @param range of the prints to recalculate; all when left out
 * @throws ForemarkError store_unusable when it is damaged; not_found for a ticker that was never defined;
 *   invalid_configuration for a range that ends before it begins
 */
export function verifyCommand(
  context: CommandContext,
  tickers: readonly string[],
  range: Partial<VerifiedRange> = {},
): ExitCode {
  const { from, to } = { ...WHOLE, ...range };
  refuseBackwards(from, to);
  return withStore(context, 'read', (store) => {
    const report = store.read((reader) => {
      refuseAnyDamage(reader, context.config.store);
      refuseUnknown(tickers, listDefinitionHistory(reader));
      return textual(verify(reader, tickers, { from, to }));
    });
    tell(context, report, linesOf(report));
    return report.differences.length === 0 ? EXIT.complete : EXIT.partial;
  });
}

function textual(report: VerifyReport) {
  return {
    ...report,
    differences: report.differences.map((each) => ({ ...each, at: formatInstant(each.at) })),
  };
}

function linesOf(report: ReturnType<typeof textual>): string[] {
  const { tickers, chained, recalculated, of_other_versions, announcements, differences } = report;
  return [
    ...Object.entries(of_other_versions).map(
      ([version, prints]) =>
        `${counted(prints, 'print')} made by ${version}, which this program does not calculate: held to the chain alone`,
    ),
    ...differences.map(({ kind, ticker, at, reason }) => `${kind} ${ticker ?? 'of all'} at ${at}: ${reason}`),
    `${counted(tickers, 'ticker')}: ${counted(chained, 'print')} on the chain, ${formatCount(recalculated)} calculated once more; ` +
      `${counted(announcements, 'notice')} on theirs; ${counted(differences.length, 'difference')}`,
  ];
}
