import type { GaugeDefinition } from '../../model/definitions/index-definition.ts';
import { isFinal, MARK_BASES } from '../../model/mark.ts';
import { codeOf, type IndexStanding, type ReceiptLine } from '../../model/print.ts';
import { sum } from '../sum.ts';
import { basketValues } from './basket-values.ts';
import { hasPaid, inConvention, markGauge, weightOfLine } from './gauge-lines.ts';
import { publishedLines } from './published-lines.ts';
import { cutReadings, isGoodAt, type ReadingColumns, readingAt, readingColumns } from './reading-columns.ts';
import { calmUntil, Stretch, type StretchInput, type Valued } from './stretch.ts';
import { isEverExcluded, lastMark, lineThrough, type StretchLine } from './stretch-lines.ts';

/**
 * The longest stretch of a gauge from one of some instants on. It ends where a constituent gets its last price, or one
 * without a mark gets its first.
 *
 * @param from position of the first instant
 * @returns undefined if either may happen at the first instant
 */
export function gaugeStretch(
  { definition, before, instants, readings }: StretchInput<GaugeDefinition>,
  from: number,
): Stretch | undefined {
  const columns = before.lines.map((line) =>
    hasPaid(line) ? paidColumns(line, instants.length) : readings(line.market_id),
  );
  const until = calmUntil(columns.length, from, instants.length, (n) =>
    calmOf(before.lines[n] as ReceiptLine, columns[n] as ReadingColumns),
  );
  if (until <= from) return undefined;
  // A constituent without a mark has no weight.
  const lines = before.lines.map((line, n) =>
    lineThrough(
      { ...line, quantity: weightOfLine(line) },
      cutReadings(columns[n] as ReadingColumns, from, until),
    ),
  );
  const calm = instants.slice(from, until);
  return new Stretch(before, calm, lines, valueGauge(definition, before, lines, calm.length));
}

/** The payoff of a rate as its reading at every instant. */
function paidColumns({ price = 0, observed_at = 0 }: ReceiptLine, count: number): ReadingColumns {
  return readingColumns(count, () => ({ kind: 'settled', basis: 'settlement', price, observed_at }));
}

/** Values a gauge: each constituent with a mark counts by its weight. */
function valueGauge(
  definition: GaugeDefinition,
  before: IndexStanding,
  lines: readonly StretchLine[],
  count: number,
): Valued {
  const weights = lines.map((line) => line.quantity);
  const total = sum(weights);
  const values = basketValues(
    weights,
    lines.map((line) => line.price),
    count,
  );
  const included = lines.some(isEverExcluded)
    ? basketValues(weights, lines.map(onesWhereIncluded), count)
    : undefined;
  return {
    level: (i) => inConvention(definition, (values[i] as number) / total),
    partOf: ({ quantity }) => quantity,
    included: (i) => (included ? (included[i] as number) : total),
    whole: () => total,
    standing(level) {
      const marked = before.lines.map((line, n) => {
        const through = lines[n] as StretchLine;
        const then = line.price === undefined ? line : { ...line, ...lastMark(through) };
        return markGauge(line.market_id, line.quantity, readingAt(through.readings, count - 1), then);
      });
      return { ...before, level, lines: publishedLines(marked, weightOfLine) };
    },
  };
}

function onesWhereIncluded({ readings }: StretchLine): Float64Array {
  return Float64Array.from(readings.reason, (reason) => (reason === 0 ? 1 : 0));
}

/**
 * At which instants a constituent gets neither its first mark nor its last; a payoff or a stated price stays as it is.
 */
function calmOf({ price, basis }: ReceiptLine, columns: ReadingColumns) {
  if (isFinal(basis)) {
    const stays = codeOf(MARK_BASES, basis);
    return (i: number) => columns.basis[i] === stays;
  }
  if (price !== undefined && columns.allGood) return 'throughout';
  return (i: number) => columns.reason[i] !== 0 || (price !== undefined && isGoodAt(columns, i));
}
