import { parsePrintedId } from '../model/constituent-id.ts';

/** The fields by which rows name a constituent: a market's id, or the kind and ticker of a rate or index. */
export function constituentName(id: string) {
  const printed = parsePrintedId(id);
  if (!printed) return { market_id: id };
  return printed.kind === 'rate'
    ? { kind: 'rate' as const, rate: printed.ticker }
    : { kind: 'index' as const, index: printed.ticker };
}
