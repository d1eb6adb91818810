import { html, nothing, type TemplateResult } from 'lit-html';
import type { Documents } from '../documents.ts';
import { linkTo } from '../page.ts';
import { day, moment, price, share } from '../parts.ts';
import type { Article, Filing, NearMarket } from '../public-documents.ts';
import { sortedTable } from '../sorted-table.ts';
import { platformInWords } from '../words.ts';

/** What is near a market, rate or index: articles and filings, and of a market other markets. */
export async function findRelated(
  documents: Documents,
  kind: 'markets' | 'indices' | 'rates',
  id: string,
): Promise<TemplateResult> {
  const [markets, news, filings] = await Promise.all([
    kind === 'markets' ? documents.find('/markets/{id}/related', id) : undefined,
    documents.find(`/${kind}/{id}/news`, id),
    documents.find(`/${kind}/{id}/filings`, id),
  ]);
  return html`${marketSection(markets?.data ?? [])} ${newsSection(news?.data ?? [])} ${filingSection(filings?.data ?? [])}`;
}

function marketSection(markets: readonly NearMarket[]) {
  if (markets.length === 0) return nothing;
  return html`<section>
    <h2>Related markets</h2>
    ${sortedTable<NearMarket>({
      caption: 'Related markets',
      rows: markets,
      columns: [
        {
          title: 'Market',
          cell: (row) => html`<a href=${linkTo('markets', row.market_id)}>${row.question}</a>`,
        },
        { title: 'Venue', cell: (row) => platformInWords(row.platform) },
        {
          title: 'Price',
          numeric: true,
          cell: (row) => price(row.latest_price),
        },
        {
          title: 'Similarity',
          numeric: true,
          cell: (row) => share(row.similarity),
        },
      ],
    })}
  </section>`;
}

function newsSection(news: readonly Article[]) {
  if (news.length === 0) return nothing;
  return html`<section>
    <h2>In the news</h2>
    <ul class="articles">
      ${news.map(
        ({ title, url, source, summary, published_at, via_market_id }) => html`<li>
          <a href=${url} rel="noreferrer">${title}</a>
          <span class="faint">${source}${published_at ? html` · ${moment(published_at)}` : nothing}
            ${via_market_id ? html`· by way of <a href=${linkTo('markets', via_market_id)}>${via_market_id}</a>` : nothing}</span>
          ${summary ? html`<p>${summary}</p>` : nothing}
        </li>`,
      )}
    </ul>
  </section>`;
}

function filingSection(filings: readonly Filing[]) {
  if (filings.length === 0) return nothing;
  return html`<section>
    <h2>Related filings</h2>
    <ul class="articles">
      ${filings.map(
        ({ filing_id, title, org, status, status_date }) => html`<li>
          <a href=${linkTo('filings', String(filing_id))}>${title}</a>
          <span class="faint">${org} · ${status} ${day(status_date)}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
