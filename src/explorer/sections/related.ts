import { html, nothing, type TemplateResult } from 'lit-html';
import { type Documents, UnreadableDocument } from '../documents.ts';
import { linkTo } from '../page.ts';
import { day, moment, price, share } from '../parts.ts';
import type { Article, Filing, NearMarket } from '../public-documents.ts';
import { sortedTable } from '../sorted-table.ts';
import { platformInWords } from '../words.ts';

/** The records similar to a market, rate or index: articles and filings, and for a market also other markets. */
export async function findRelated(
  documents: Documents,
  kind: 'markets' | 'indices' | 'rates',
  id: string,
): Promise<TemplateResult> {
  const sections = await Promise.all([
    section(
      'Related markets',
      kind === 'markets' && documents.find('/markets/{id}/related', id),
      marketTable,
    ),
    section<Article>('In the news', documents.find(`/${kind}/{id}/news`, id), articleList),
    section('Related filings', documents.find(`/${kind}/{id}/filings`, id), filingList),
  ]);
  return html`${sections}`;
}

/** Rows under a heading; nothing if there are none. A section that cannot be read does not break the rest of the page. */
async function section<Row>(
  title: string,
  asked: Promise<{ data: readonly Row[] } | undefined> | false,
  list: (rows: readonly Row[]) => TemplateResult,
): Promise<TemplateResult | typeof nothing> {
  const within = (part: TemplateResult) => html`<section>
    <h2>${title}</h2>
    ${part}
  </section>`;
  try {
    const found = await asked;
    return found && found.data.length > 0 ? within(list(found.data)) : nothing;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
    return within(html`<p class="note" role="alert">Not readable now: ${thrown.message}</p>`);
  }
}

function marketTable(rows: readonly NearMarket[]) {
  return sortedTable<NearMarket>({
    caption: 'Related markets',
    rows,
    columns: [
      {
        title: 'Market',
        cell: (row) => html`<a href=${linkTo('markets', row.market_id)}>${row.question}</a>`,
      },
      { title: 'Venue', cell: (row) => platformInWords(row.platform) },
      { title: 'Price', numeric: true, cell: (row) => price(row.latest_price) },
      { title: 'Similarity', numeric: true, cell: (row) => share(row.similarity) },
    ],
  });
}

function articleList(articles: readonly Article[]) {
  return html`<ul class="articles">
    ${articles.map(
      ({ title, url, source, summary, published_at, via_market_id }) => html`<li>
        <a href=${url} rel="noreferrer">${title}</a>
        <span class="faint">${source}${published_at ? html` · ${moment(published_at)}` : nothing}
          ${via_market_id ? html`· by way of <a href=${linkTo('markets', via_market_id)}>${via_market_id}</a>` : nothing}</span>
        ${summary ? html`<p>${summary}</p>` : nothing}
      </li>`,
    )}
  </ul>`;
}

function filingList(filings: readonly Filing[]) {
  return html`<ul class="articles">
    ${filings.map(
      ({ filing_id, title, org, status, status_date }) => html`<li>
        <a href=${linkTo('filings', String(filing_id))}>${title}</a>
        <span class="faint">${org} · ${status} ${day(status_date)}</span>
      </li>`,
    )}
  </ul>`;
}
