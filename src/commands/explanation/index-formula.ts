import type { ReceiptLine } from '../../model/print.ts';

/** A number with as many digits as it takes to calculate a value to the last digit that is shown. */
export function written(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/**
 * How a level follows from the lines of its receipt, in words; a mark of 40 cents counts 0.4 beside a quantity. What
 * leaves at this print has entered it, and its value is in the new divisor or quantities.
 */
export function indexFormula(
  { cash, divisor }: { cash: number; divisor: number },
  lines: readonly Pick<ReceiptLine, 'state'>[],
  quoteConvention?: string,
): string {
  const mean = '100 x sum of quantity x mark / sum of quantity, over the names with a mark';
  if (quoteConvention === 'probability') return mean;
  if (quoteConvention === 'centred') return `50 + ${mean}`;
  const leave = lines.some(({ state }) => state === 'settled' || state === 'departed');
  const sum = `sum of quantity x mark${leave ? ' of the names that stay' : ''}`;
  return `(${sum} + cash ${written(cash)}) / divisor ${written(divisor)}`;
}
