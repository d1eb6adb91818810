/** A constituent that is no contract: a reference rate, or another index. */
export interface PrintedId {
  kind: 'rate' | 'index';
  ticker: string;
}

/**
 * The id of a rate or an index where the ids of markets stand: constituents of an index may be any of the
 * three.
 *
 * @example printedId({ kind: 'rate', ticker: 'FED.HOLD' }) // 'rate:FED.HOLD'
 */
export function printedId({ kind, ticker }: PrintedId): string {
  return `${kind}:${ticker}`;
}

/** The rate or index that an id of {@link printedId} names; undefined for a market's id. */
export function parsePrintedId(id: string): PrintedId | undefined {
  const match = /^(rate|index):(.+)$/.exec(id);
  return match ? { kind: match[1] as PrintedId['kind'], ticker: match[2] as string } : undefined;
}
