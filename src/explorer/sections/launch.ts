import { html, nothing, type TemplateResult } from 'lit-html';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { moment } from '../parts.ts';

type Prices = PublicDocuments['/indices/{id}/prices'] | PublicDocuments['/rates/{id}/prices'];

/** Says of a history that begins before its index or rate was launched that this part was calculated afterwards. */
export function launchNote(prices: Prices | undefined): TemplateResult | typeof nothing {
  const first = prices?.data[0];
  if (!prices || !first || Date.parse(first.at) >= Date.parse(prices.launched_at)) return nothing;
  return html`<p class="faint">
    Launched ${moment(prices.launched_at)}: what lies before was calculated afterwards, from recorded prices.
  </p>`;
}
