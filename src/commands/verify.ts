import { verify } from '../compute/verify.ts';
import { formatInstant } from '../model/time.ts';
import { openStore } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode } from './context.ts';

/** Verifies the record: that no print was altered, and that the stored inputs give the same prints again. */
export function verifyCommand(context: CommandContext, tickers: readonly string[]): ExitCode {
  const store = openStore(context.config.store, { readonly: true });
  const report = store.read((reader) => verify(reader, tickers));
  store.close();
  if (context.json) context.out(JSON.stringify(report));
  else {
    for (const { kind, ticker, at, reason } of report.differences)
      context.out(`${kind} ${ticker} at ${formatInstant(at)}: ${reason}`);
    const { tickers: count, chained, recalculated, differences } = report;
    context.out(
      `${count} tickers: ${chained} prints follow the chain, ${recalculated} calculated once more, ` +
        `${differences.length} difference(s)`,
    );
  }
  return report.differences.length === 0 ? EXIT.complete : EXIT.partial;
}
