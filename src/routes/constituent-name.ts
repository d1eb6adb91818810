import { parsePrintedId } from '../model/constituent-id.ts';

/** What a constituent is, as rows say it: a market by its id, a rate or an index by kind and ticker. */
export function constituentName(id: string) {
  const printed = parsePrintedId(id);
  if (!printed) return { market_id: id };
  return printed.kind === 'rate'
    ? { kind: 'rate' as const, rate: printed.ticker }
    : { kind: 'index' as const, index: printed.ticker };
}
