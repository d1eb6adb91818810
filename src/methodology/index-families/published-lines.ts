import type { IndexPrint, IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { sum } from '../sum.ts';

/** The value of a line as part of the index. */
export type ValueOfLine = (line: ReceiptLine) => number;

/** The lines with their published weights: shares among the included constituents, 0 for all others. */
export function publishedLines(lines: readonly ReceiptLine[], partOf: ValueOfLine): ReceiptLine[] {
  const included = includedValue(lines, partOf);
  return lines.map((line) => ({
    ...line,
    weight: line.state === 'included' && included > 0 ? partOf(line) / included : 0,
  }));
}

/**
 * The print of a standing, together with the constituents that leave by it.
 *
 * @param leaving lines that settle or depart by this print and are in no later one
 */
export function printOf(
  standing: IndexStanding,
  at: Instant,
  leaving: readonly ReceiptLine[],
  partOf: ValueOfLine,
): Omit<IndexPrint, 'methodology_version'> {
  const included = includedValue(standing.lines, partOf);
  const whole = sum(standing.lines.map(partOf)) + standing.cash;
  const coverage = whole > 0 ? included / whole : 0;
  return { ...standing, at, coverage, lines: [...standing.lines, ...leaving] };
}

/** Whether at least one constituent is included; otherwise there is no print. */
export function hasIncluded(lines: readonly ReceiptLine[]): boolean {
  return lines.some((line) => line.state === 'included');
}

function includedValue(lines: readonly ReceiptLine[], partOf: ValueOfLine): number {
  return sum(lines.map((line) => (line.state === 'included' ? partOf(line) : 0)));
}
