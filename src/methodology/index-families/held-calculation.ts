import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { isNewer } from '../newer.ts';
import type { FamilyCalculation } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { type Ledger, ledgerStep } from './ledger.ts';
import { valueOfLine } from './line-marks.ts';
import { hasIncluded, printOf, publishedLines } from './published-lines.ts';

/** The first calculation of an index that holds quantities: its base, as a step and as a print. */
export function openCalculation(at: Instant, opened: IndexStanding): FamilyCalculation {
  const standing = publish(opened);
  const held = standing.lines.filter((line) => line.quantity > 0);
  return {
    standing,
    steps: [ledgerStep(at, 'base', held, standing, standing)],
    print: printOf(standing, at, [], valueOfLine),
  };
}

/**
 * The result of a later calculation after its steps. It prints if a constituent left, or if one is included and a step
 * was made or something is newer than before; otherwise the level stays that of the print before.
 *
 * @param leaving constituents that count in the level of this instant and leave by it: settled ones at their payoff,
 *   then departed ones
 */
export function closeCalculation(
  { at, keepsPrint }: Pick<IndexInput, 'at' | 'keepsPrint'>,
  before: IndexStanding,
  ledger: Ledger,
  leaving: readonly ReceiptLine[],
): FamilyCalculation {
  const published = publish(ledger.standing);
  const { steps } = ledger;
  const moved =
    leaving.length > 0 ||
    (hasIncluded(published.lines) && (steps.length > 0 || isNewer(before.lines, published.lines)));
  const standing = moved ? published : { ...published, level: before.level };
  return moved || keepsPrint
    ? { standing, steps, print: printOf(standing, at, leaving, valueOfLine) }
    : { standing, steps };
}

function publish(standing: IndexStanding): IndexStanding {
  return { ...standing, lines: publishedLines(standing.lines, valueOfLine) };
}
