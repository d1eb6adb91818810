import { html, type TemplateResult } from 'lit-html';
import { linkTo } from './page.ts';
import type { Named } from './public-documents.ts';

/** A market, rate or index in a row, as a link to its page; a market by its question where that is known. */
export function nameLink(row: Named & { question?: string }): TemplateResult {
  if ('index' in row) return html`<a href=${linkTo('indices', row.index)}>${row.index}</a>`;
  if ('rate' in row) return html`<a href=${linkTo('rates', row.rate)}>${row.rate}</a>`;
  return html`<a href=${linkTo('markets', row.market_id)}>${row.question ?? row.market_id}</a>`;
}

/** What a row is called, in a word. */
export function nameOf(row: Named & { question?: string }): string {
  return row.question ?? idOf(row);
}

/** The id or ticker of what a row names. */
export function idOf(row: Named): string {
  if ('index' in row) return row.index;
  if ('rate' in row) return row.rate;
  return row.market_id;
}
