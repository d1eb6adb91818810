import { html, nothing } from 'lit-html';
import { formatCents, formatShare } from '../charts/wording.ts';
import { linkTo, type Page } from './page.ts';
import { figure, moment, requestLines } from './parts.ts';
import type { Market, Membership } from './public-documents.ts';
import { findRelated } from './related.ts';
import { sortedTable } from './sorted-table.ts';
import { basisInWords, platformInWords } from './words.ts';

/** A market: its mark, where it trades, and the indices that it is in. */
export const marketPage: Page = {
  name: 'markets',
  needs: ['/markets/{id}'],
  async open({ documents, id, show }) {
    const market = await documents.find('/markets/{id}', id);
    if (!market)
      return show(
        html`<h1>No market ${id}</h1><p class="note">None of this id is published here. <a href=${linkTo('markets')}>Markets</a></p>`,
      );
    const [indices, related, requests] = await Promise.all([
      documents.offers('/markets/{id}/indices') ? documents.find('/markets/{id}/indices', id) : undefined,
      findRelated(documents, 'markets', id),
      requestLines(documents, [
        { path: '/markets/{id}', id },
        { path: '/markets/{id}/indices', id },
        { path: '/markets/{id}/related', id },
      ]),
    ]);
    show(html`
      <h1>${market.question}</h1>
      <p class="faint">${market.market_id} · ${market.link ? html`<a href=${market.link} rel="noreferrer">at ${platformInWords(market.platform)}</a>` : platformInWords(market.platform)} · ${market.status}</p>
      <section>
        <p class="level">
          ${market.latest_price === undefined ? html`<span class="faint">no price now</span>` : figure(market.latest_price, formatCents(market.latest_price))}
        </p>
        ${figures(market)}
      </section>
      ${market.description ? html`<section><h2>Description</h2><p class="prose">${market.description}</p></section>` : nothing}
      ${market.rules_primary ? html`<section><h2>Rules</h2><p class="prose">${market.rules_primary}</p></section>` : nothing}
      <section><h2>Indices it is in</h2>${memberships(indices?.data ?? [])}</section>
      <section>
        <h2>Price history</h2>
        <p>Holders of a key read its candles from <code>/api/v1/markets/{id}/candles</code>.</p>
      </section>
      ${related} ${requests}
    `);
  },
};

function figures(market: Market) {
  const { price_basis, price_at, volume, volume_unit, open_interest, closes_at, payout } = market;
  const rows: [string, unknown][] = [
    ['basis', price_basis ? basisInWords(price_basis) : undefined],
    ['priced', price_at ? moment(price_at) : undefined],
    ['volume', volume === undefined ? undefined : `${volume.toLocaleString('en-US')} ${volume_unit ?? ''}`],
    ['open interest', open_interest?.toLocaleString('en-US')],
    ['closes', closes_at ? moment(closes_at) : undefined],
    ['paid', payout === undefined ? undefined : formatCents(100 * payout)],
  ];
  return html`<dl class="figures">
    ${rows.map(([name, value]) => (value === undefined ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;
}

function memberships(rows: readonly Membership[]) {
  if (rows.length === 0) return html`<p class="note">None.</p>`;
  return sortedTable<Membership>({
    caption: 'Indices',
    rows,
    columns: [
      {
        title: 'Index',
        cell: (row) =>
          html`<a href=${linkTo('indices', row.index_id)}>${row.name}</a> <span class="ticker">${row.ticker}</span>`,
      },
      { title: 'Weight', numeric: true, cell: (row) => figure(row.weight, formatShare(row.weight)) },
    ],
  });
}
