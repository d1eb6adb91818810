import { toCents, toLevel } from './units.ts';

const KINDS = ['rate', 'index'] as const;

/** What is printed. */
export type SeriesKind = (typeof KINDS)[number];

/** A rate or an index, by its ticker. */
export interface SeriesId {
  kind: SeriesKind;
  ticker: string;
}

/**
 * The id of a rate or an index where the ids of markets stand: constituents of an index may be any of the
 * three.
 *
 * @example printedId({ kind: 'rate', ticker: 'FED.HOLD' }) // 'rate:FED.HOLD'
 */
export function printedId({ kind, ticker }: SeriesId): string {
  return `${kind}:${ticker}`;
}

/** The rate or index that an id of {@link printedId} names; undefined for a market's id. */
export function parsePrintedId(id: string): SeriesId | undefined {
  for (const kind of KINDS)
    if (id.startsWith(kind) && id[kind.length] === ':' && id.length > kind.length + 1)
      return { kind, ticker: id.slice(kind.length + 1) };
  return undefined;
}

/** A constituent's mark as it is written: the level of an index, cents of a contract or a rate. */
export function writtenMark(id: string, price: number): number {
  return parsePrintedId(id)?.kind === 'index' ? toLevel(price) : toCents(price);
}
