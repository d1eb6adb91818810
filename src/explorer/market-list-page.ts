import { html, nothing } from 'lit-html';
import { formatCents } from '../charts/wording.ts';
import { linkTo, type Page, type PageContext } from './page.ts';
import { figure, moment, requestLines } from './parts.ts';
import type { Market, PublicDocuments } from './public-documents.ts';
import { type Column, sortedTable } from './sorted-table.ts';
import { counted, platformInWords } from './words.ts';

const ID = /^venue_[a-z]:\S+$/;

/**
 * The newest markets, and the way to any other: by its id, or by words where the server searches. The catalog is
 * never asked for whole.
 */
export const marketListPage: Page = {
  name: 'markets',
  label: 'Markets',
  needs: ['/markets'],
  async open(context) {
    const { documents, parameters, show } = context;
    const searches = documents.offers('/markets', 'search');
    const wanted = parameters.get('search')?.trim() ?? '';
    const page = Math.max(1, Number(parameters.get('page')) || 1);
    const asked: Record<string, string> = {
      ...(wanted && searches ? { search: wanted } : {}),
      ...(page > 1 ? { page: String(page) } : {}),
    };
    const [list, requests] = await Promise.all([
      documents.find('/markets', '', asked),
      requestLines(documents, [{ path: '/markets', parameters: asked }]),
    ]);
    show(html`
      <h1>Markets</h1>
      ${form(searches, wanted)}
      ${
        !searches && wanted && !ID.test(wanted)
          ? html`<p class="note">This is a host of files: it answers ids such as <code>venue_a:KXFED-26</code>, and shows the newest markets. Words are searched where Foremark's server answers.</p>`
          : nothing
      }
      ${list ? rowsOf(list, wanted && searches ? 'found' : 'newest') : html`<p class="note">The list is being built anew; load again in a few seconds.</p>`}
      ${list ? turning(context, list, { wanted, page }) : nothing} ${requests}
    `);
  },
};

function form(searches: boolean, wanted: string) {
  const look = (event: Event) => {
    event.preventDefault();
    const text = String(new FormData(event.target as HTMLFormElement).get('search') ?? '').trim();
    location.hash = ID.test(text)
      ? linkTo('markets', text)
      : linkTo('markets', '', text ? { search: text } : {});
  };
  return html`<form class="controls" role="search" @submit=${look}>
    <label>${searches ? 'Words or id' : 'Id'} <input type="search" name="search" .value=${wanted} /></label>
    <button>Look</button>
  </form>`;
}

function rowsOf({ data, meta }: PublicDocuments['/markets'], kind: 'found' | 'newest') {
  if (data.length === 0) return html`<p class="note">No market matches.</p>`;
  const known = typeof meta.total === 'number' ? ` of ${counted(meta.total, 'market')}` : '';
  return html`<p class="faint">${kind === 'found' ? 'Best matches first' : 'Newest listed first'}${known}.</p>
    ${sortedTable({ caption: 'Markets', rows: data, columns })}`;
}

function turning(
  { documents }: PageContext,
  { meta }: PublicDocuments['/markets'],
  { wanted, page }: { wanted: string; page: number },
) {
  if (!documents.offers('/markets', 'page')) return nothing;
  const to = (number: number) =>
    linkTo('markets', '', { ...(wanted ? { search: wanted } : {}), page: String(number) });
  return html`<nav aria-label="Pages of the list" class="turning">
    ${page > 1 ? html`<a href=${to(page - 1)}>Page ${page - 1}</a>` : nothing}
    ${meta.has_next ? html`<a href=${to(page + 1)}>Page ${page + 1}</a>` : nothing}
  </nav>`;
}

const columns: Column<Market>[] = [
  { title: 'Market', cell: (row) => html`<a href=${linkTo('markets', row.market_id)}>${row.question}</a>` },
  { title: 'Venue', cell: (row) => platformInWords(row.platform) },
  {
    title: 'Price',
    numeric: true,
    cell: (row) =>
      row.latest_price === undefined
        ? html`<span class="faint">–</span>`
        : figure(row.latest_price, formatCents(row.latest_price)),
  },
  { title: 'Status', cell: (row) => row.status },
  { title: 'Closes', cell: (row) => moment(row.closes_at) },
];
