import { html, type TemplateResult } from 'lit-html';
import { linkTo } from '../page.ts';

/** A row that names a market, a rate or an index in one of three fields. */
export interface Named {
  market_id?: string | undefined;
  rate?: string | undefined;
  index?: string | undefined;
  question?: string | undefined;
}

/** A link to the page of the named market, rate or index; the text for a market is its question, if known. */
export function nameLink(row: Named): TemplateResult {
  const page = row.index !== undefined ? 'indices' : row.rate !== undefined ? 'rates' : 'markets';
  return html`<a href=${linkTo(page, idOf(row))}>${nameOf(row)}</a>`;
}

/** The question of the named market, otherwise the id or ticker. */
export function nameOf(row: Named): string {
  return row.question ?? idOf(row);
}

/** The id or ticker that a row names. */
export function idOf({ index, rate, market_id }: Named): string {
  return index ?? rate ?? market_id ?? '';
}

/** A key of a row that is unique among markets, rates and indices together. @example 'index:SIMFEDEASE' */
export function keyOf(row: Named): string {
  if (row.index !== undefined) return `index:${row.index}`;
  return row.rate !== undefined ? `rate:${row.rate}` : idOf(row);
}
