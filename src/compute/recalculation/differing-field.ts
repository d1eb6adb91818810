import { isDeepStrictEqual } from 'node:util';
import type { IndexPrint, RatePrint, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';

/** A print of either kind. */
export type ComparedPrint = { at: Instant; lines: ReceiptLine[] } & Partial<IndexPrint & RatePrint>;

const COMPARED = ['level', 'price', 'spread', 'divisor', 'cash', 'coverage', 'lines'] as const;

/** The first field in which two prints of a series differ; undefined if they are equal. */
export function differingField(one: ComparedPrint, other: ComparedPrint): string | undefined {
  return COMPARED.find((field) => !isDeepStrictEqual(one[field], other[field]));
}
