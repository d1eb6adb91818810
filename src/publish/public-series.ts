import type { SeriesId } from '../model/constituent-id.ts';
import type { ReceiptLine } from '../model/print.ts';
import type { Instant } from '../model/units.ts';
import { publicIndexTickers, publicRateTickers } from '../routes/visibility.ts';
import { findIndexPrint } from '../store/prints/index-prints.ts';
import { findRatePrint } from '../store/prints/rate-prints.ts';
import type { Reader } from '../store/store.ts';

/** A public index or rate, and the folder of its files. */
export interface PublicSeries extends SeriesId {
  folder: 'indices' | 'rates';
}

/** The public indices, then the public rates, in presentation order. */
export function listPublicSeries(reader: Reader): PublicSeries[] {
  return [
    ...publicIndexTickers(reader).map((ticker) => ({ kind: 'index', folder: 'indices', ticker }) as const),
    ...publicRateTickers(reader).map((ticker) => ({ kind: 'rate', folder: 'rates', ticker }) as const),
  ];
}

/** What entered the print of an index or rate at an instant, or the last one before it. */
export function linesAt(reader: Reader, { kind, ticker }: SeriesId, at: Instant): readonly ReceiptLine[] {
  const find = kind === 'index' ? findIndexPrint : findRatePrint;
  return find(reader, ticker, at)?.lines ?? [];
}
