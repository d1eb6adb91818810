import { html, type TemplateResult } from 'lit-html';
import { linkTo } from '../page.ts';

/** A market, rate or index as rows name it: by one of the three. */
export interface Named {
  market_id?: string | undefined;
  rate?: string | undefined;
  index?: string | undefined;
  question?: string | undefined;
}

/** What a row names, as a link to its page; a market by its question where that is known. */
export function nameLink(row: Named): TemplateResult {
  const page = row.index !== undefined ? 'indices' : row.rate !== undefined ? 'rates' : 'markets';
  return html`<a href=${linkTo(page, idOf(row))}>${nameOf(row)}</a>`;
}

/** The name of what a row stands for. */
export function nameOf(row: Named): string {
  return row.question ?? idOf(row);
}

/** The id or ticker of what a row names. */
export function idOf({ index, rate, market_id }: Named): string {
  return index ?? rate ?? market_id ?? '';
}

/** The id of a row where markets, rates and indices stand together. @example 'index:SIMFEDEASE' */
export function keyOf(row: Named): string {
  if (row.index !== undefined) return `index:${row.index}`;
  return row.rate !== undefined ? `rate:${row.rate}` : idOf(row);
}
