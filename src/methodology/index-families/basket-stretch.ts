import type { BasketDefinition, CompositeDefinition } from '../../model/definitions/index-definition.ts';
import { firstPlace } from '../../model/first-place.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { dueRebalance } from './basket-steps.ts';
import { basketValues } from './basket-values.ts';
import { mark, valueOfLine } from './line-marks.ts';
import { publishedLines } from './published-lines.ts';
import { cutReadings, isGoodAt, type ReadingColumns, readingAt } from './reading-columns.ts';
import { calmUntil, Stretch, type StretchInput, type Valued } from './stretch.ts';
import { includedPrices, isEverExcluded, lastMark, lineThrough, type StretchLine } from './stretch-lines.ts';

/**
 * The longest stretch of a basket from one of some instants on. It ends where a constituent settles, where one without
 * a good mark gets its first, where one has to be linked, or where a rebalance is due.
 *
 * @param readings of a constituent, one per instant
 * @param from position of the first instant
 * @returns undefined if a step may be due at the first instant
 */
export function basketStretch(
  { definition, before, instants, readings }: StretchInput<BasketDefinition | CompositeDefinition>,
  from: number,
): Stretch | undefined {
  const columns = before.lines.map((line) => readings(line.market_id));
  const until = calmUntil(columns.length, from, firstPlace(instants, dueRebalance(definition, before)), (n) =>
    calmOf(before.lines[n] as ReceiptLine, columns[n] as ReadingColumns),
  );
  if (until <= from) return undefined;
  const lines = before.lines.map((line, n) =>
    lineThrough(line, cutReadings(columns[n] as ReadingColumns, from, until)),
  );
  const calm = instants.slice(from, until);
  return new Stretch(before, calm, lines, valueBasket(before, lines, calm.length));
}

/** Values a basket: a constituent is worth quantity times mark. */
function valueBasket(before: IndexStanding, lines: readonly StretchLine[], count: number): Valued {
  const { cash, divisor } = before;
  const quantities = lines.map((line) => line.quantity);
  const sumOf = (pricesOf: (line: StretchLine) => Float64Array) =>
    basketValues(quantities, lines.map(pricesOf), count);
  const values = sumOf((line) => line.price);
  const included = lines.some(isEverExcluded) ? sumOf(includedPrices) : values;
  return {
    level: (i) => ((values[i] as number) + cash) / divisor,
    partOf: ({ quantity, price }, i) => quantity * (price[i] as number),
    included: (i) => included[i] as number,
    whole: (i) => (values[i] as number) + cash,
    standing(level) {
      const marked = before.lines.map((line, n) => {
        const through = lines[n] as StretchLine;
        const reading = readingAt(through.readings, count - 1);
        return mark(line.quantity > 0 ? { ...line, ...lastMark(through) } : line, reading);
      });
      return { ...before, level, lines: publishedLines(marked, valueOfLine) };
    },
  };
}

/** At which instants a constituent neither settles nor is linked nor, having had no good mark, gets its first. */
function calmOf({ quantity, price, observed_at = 0 }: ReceiptLine, columns: ReadingColumns) {
  if (quantity > 0 && price === undefined) return () => false;
  if (quantity > 0 && columns.allGood) return 'throughout';
  const isGood = (i: number) => isGoodAt(columns, i) && !columns.isLinked?.(observed_at, i);
  return (i: number) => columns.reason[i] !== 0 || (quantity > 0 && isGood(i));
}
