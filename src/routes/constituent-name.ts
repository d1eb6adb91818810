import { parsePrintedId } from '../model/constituent-id.ts';

/** The one field that names a constituent: a market's id, or the ticker of a rate or index. */
export function constituentId(id: string) {
  const printed = parsePrintedId(id);
  if (!printed) return { market_id: id };
  return printed.kind === 'rate' ? { rate: printed.ticker } : { index: printed.ticker };
}

/** The fields by which rows name a constituent: {@link constituentId}, and the kind unless it is a market. */
export function constituentName(id: string) {
  const kind = parsePrintedId(id)?.kind;
  return kind ? { kind, ...constituentId(id) } : { market_id: id };
}
