import { constituentReturns } from '../src/methodology/constituent-returns.ts';
import type { IndexDefinition } from '../src/model/definitions/index-definition.ts';
import type { IndexPrint } from '../src/model/print.ts';
import { formatInstant } from '../src/model/time.ts';
import { selectIndexPrints } from '../src/store/prints/index-prints.ts';
import type { Reader } from '../src/store/store.ts';

const MOVES = 3;

/**
 * What an editor checks before publishing an index: its range, how much of it was priced, why names were left out, and
 * its largest moves between prints, each with the name behind it.
 *
 * @param nameOf what to call a constituent
 * @returns lines of text
 */
export function reviewIndex(
  reader: Reader,
  { ticker, methodology }: IndexDefinition,
  nameOf: (id: string) => string,
): string[] {
  const prints = selectIndexPrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER);
  if (prints.length === 0) return [`${ticker}: no print`];
  const levels = prints.map((print) => print.level);
  const coverage = prints.map((print) => print.coverage).sort((a, b) => a - b);
  const round = (value = Number.NaN) => value.toFixed(2);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  return [
    `${ticker}: ${prints.length} prints, first ${round(levels[0])}, low ${round(low)}, high ${round(high)}, ` +
      `last ${round(levels.at(-1))}; coverage ${round(coverage[0])} at least, ${round(coverage[coverage.length >> 1])} mostly`,
    ...leftOut(prints),
    ...movesOf(prints).map(({ before, after }) => {
      const returns = constituentReturns([before, after], (id) => id, methodology);
      const most = returns.sort((a, b) => Math.abs(b.point_change) - Math.abs(a.point_change))[0];
      const priceOf = (print: IndexPrint) =>
        print.lines.find((line) => line.market_id === most?.group)?.price ?? Number.NaN;
      const percent = 100 * (after.level / before.level - 1);
      const byPrices = returns.reduce((sum, each) => sum + each.point_change, 0);
      // A gauge also moves when its names change.
      const why =
        Math.abs(byPrices) < Math.abs(after.level - before.level) / 2
          ? 'by names that came or went'
          : `${nameOf(most?.group ?? '')} from ${(100 * priceOf(before)).toFixed(2)}c to ${(100 * priceOf(after)).toFixed(2)}c`;
      return `  ${formatInstant(after.at)} ${percent.toFixed(2)}%, most of it ${why}`;
    }),
  ];
}

/** The share of all lines that were left out, by reason. A name without a price has no part in the coverage. */
function leftOut(prints: readonly IndexPrint[]): string[] {
  const lines = prints.flatMap((print) => print.lines);
  const excluded = Map.groupBy(
    lines.filter(({ state }) => state === 'excluded' || state === 'unpriced'),
    ({ state, exclude_reason }) => exclude_reason ?? state,
  );
  const counts = [...excluded].map(
    ([reason, each]) => `${reason} ${((100 * each.length) / lines.length).toFixed(1)}%`,
  );
  return counts.length > 0 ? [`  left out: ${counts.join(', ')}`] : [];
}

/** The largest moves from one print to the next. */
function movesOf(prints: readonly IndexPrint[]): { before: IndexPrint; after: IndexPrint }[] {
  const size = ({ before, after }: { before: IndexPrint; after: IndexPrint }) =>
    Math.abs(after.level / before.level - 1);
  return prints
    .slice(1)
    .map((after, i) => ({ before: prints[i] as IndexPrint, after }))
    .filter(({ before }) => before.level > 0)
    .sort((a, b) => size(b) - size(a))
    .slice(0, MOVES);
}
