import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { isNewer } from '../newer.ts';
import type { IndexCalculation } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { baseStep, type Ledger } from './ledger.ts';
import { valueOfLine } from './line-marks.ts';
import { hasIncluded, printOf, publishedLines } from './published-lines.ts';

/** What the first calculation of an index that holds quantities gives: its base, as a step and as a print. */
export function openCalculation(at: Instant, opened: IndexStanding, version: string): IndexCalculation {
  const standing = publish(opened);
  return {
    standing,
    steps: [baseStep(at, standing)],
    print: printOf(standing, at, [], valueOfLine, version),
  };
}

/**
 * What a later calculation gives when its steps are done: a print where a name left, where an included name is newer
 * than before or a step was made; else the level stays that of the print before.
 *
 * @param leaving names that entered the level of the instant and left by it: settled, with what they pay, then departed
 */
export function closeCalculation(
  { at, keepsPrint }: Pick<IndexInput, 'at' | 'keepsPrint'>,
  before: IndexStanding,
  ledger: Ledger,
  leaving: readonly ReceiptLine[],
  version: string,
): IndexCalculation {
  const published = publish(ledger.standing);
  const { steps } = ledger;
  const moved =
    leaving.length > 0 ||
    (hasIncluded(published.lines) && (steps.length > 0 || isNewer(before.lines, published.lines)));
  const standing = moved ? published : { ...published, level: before.level };
  return moved || keepsPrint
    ? { standing, steps, print: printOf(standing, at, leaving, valueOfLine, version) }
    : { standing, steps };
}

function publish(standing: IndexStanding): IndexStanding {
  return { ...standing, lines: publishedLines(standing.lines, valueOfLine) };
}
