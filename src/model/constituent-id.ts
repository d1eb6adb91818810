import { toCents, toLevel } from './units.ts';

const KINDS = ['rate', 'index'] as const;

/** The kinds of series that are printed. */
export type SeriesKind = (typeof KINDS)[number];

/** A rate or an index, by its ticker. */
export interface SeriesId {
  kind: SeriesKind;
  ticker: string;
}

/**
 * The id of a rate or an index among the ids of markets, since constituents of an index can be any of the three.
 *
 * @example printedId({ kind: 'rate', ticker: 'FED.HOLD' }) // 'rate:FED.HOLD'
 */
export function printedId({ kind, ticker }: SeriesId): string {
  return `${kind}:${ticker}`;
}

/** Parses an id of {@link printedId}; undefined for the id of a market. */
export function parsePrintedId(id: string): SeriesId | undefined {
  for (const kind of KINDS)
    if (id.startsWith(kind) && id[kind.length] === ':' && id.length > kind.length + 1)
      return { kind, ticker: id.slice(kind.length + 1) };
  return undefined;
}

/** A constituent's mark as it is written to JSON: the level of an index, or cents for a contract or a rate. */
export function writtenMark(id: string, price: number): number {
  return parsePrintedId(id)?.kind === 'index' ? toLevel(price) : toCents(price);
}
