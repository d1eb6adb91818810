import { hasLeft, type ReceiptLine } from '../../model/print.ts';

/** A number with enough digits to reproduce a published value to its last digit. */
export function written(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/**
 * The formula of a level over the lines of its receipt, in words; a mark of 40 cents counts as 0.4. A constituent that
 * leaves at this print still has a line; its value has moved into the new divisor or quantities.
 */
export function indexFormula(
  { cash, divisor }: { cash: number; divisor: number },
  lines: readonly Pick<ReceiptLine, 'state'>[],
  quoteConvention?: string,
): string {
  const mean = '100 x sum of quantity x mark / sum of quantity, over the names with a mark';
  if (quoteConvention === 'probability') return mean;
  if (quoteConvention === 'centred') return `50 + ${mean}`;
  const sum = `sum of quantity x mark${lines.some(hasLeft) ? ' of the names that stay' : ''}`;
  return `(${sum} + cash ${written(cash)}) / divisor ${written(divisor)}`;
}
