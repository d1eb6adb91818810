import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../model/counted.ts';
import { type NamedMarket, PUBLICATION_KEY } from '../../routes/page-files.ts';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { askedOf, choice, listForm, turning } from '../list-controls.ts';
import { searchMarkets } from '../market-search.ts';
import { type ListPage, linkTo, type PageContext } from '../page.ts';
import { moment, price, statusMark, volumeOf } from '../parts.ts';
import type { Market } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { type Column, numbers, sortedTable } from '../sorted-table.ts';
import { listPlatforms, platformInWords, titled } from '../words.ts';

const ID = /^venue_[a-z]:\S+$/;
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['listed', 'newest listed'],
  ['volume', 'most traded'],
  ['closes', 'closing soonest'],
  ['latest_price', 'dearest'],
]);

/**
 * The newest markets, and ways to find any other: by id, by words and, where the server answers, by venue and in other
 * orders. The whole catalog is never requested.
 */
export const marketListPage: ListPage = {
  name: 'markets',
  label: 'Markets',
  needs: ['/markets'],
  async open(context) {
    const { documents, parameters, show } = context;
    const searches = documents.offers('/markets', 'search');
    const wanted = parameters.get('search')?.trim() ?? '';
    const chosen = askedOf(context, '/markets', ['search', 'venue', 'sort', 'sort_dir', 'page']);
    const asked = chosen.sort === 'closes' ? { ...chosen, ...(await stillOpen(context)) } : chosen;
    const [list, named] = await Promise.all([
      documents.find('/markets', '', asked),
      wanted && !searches ? searchMarkets(documents, wanted) : undefined,
    ]);
    show(html`
      <h1>Markets</h1>
      ${form(context)} ${named ? nameSection(wanted, named) : nothing}
      ${list ? listSection(context, list, asked) : html`<p class="note">The list is being rebuilt; reload the page in a few seconds.</p>`}
      ${requestSection(documents)}
    `);
  },
};

/**
 * The parameter that leaves out markets that had closed when the last documents were published: without it, the
 * earliest closes come first, not the next ones.
 */
async function stillOpen({ documents }: PageContext): Promise<{ expires_after?: string }> {
  const publication = await documents.findFile(PUBLICATION_KEY);
  return publication ? { expires_after: publication.as_of } : {};
}

function form(context: PageContext): TemplateResult {
  const { documents, parameters } = context;
  return listForm(
    'markets',
    html`<label>Words or id <input type="search" name="search" .value=${parameters.get('search') ?? ''} /></label>
      ${documents.offers('/markets', 'venue') ? choice(context, 'venue', 'Venue', [['', 'all'], ...listPlatforms().map((each) => [each, platformInWords(each)] as const)]) : nothing}
      ${documents.offers('/markets', 'sort') ? choice(context, 'sort', 'Order', [['', 'default'], ...ORDERS]) : nothing}
      <button>Search</button>`,
    ({ search = '', ...chosen }) => {
      if (ID.test(search)) return linkTo('markets', search);
      // The server sorts descending by default, but the next to close should come first.
      const direction = chosen.sort === 'closes' ? { sort_dir: 'asc' } : {};
      return linkTo('markets', '', { ...(search ? { search } : {}), ...chosen, ...direction });
    },
  );
}

/** The result of a search on a host of files, which covers the names in indices and rates, not the catalog. */
function nameSection(wanted: string, found: readonly NamedMarket[]): TemplateResult {
  return html`<section>
    <h2>“${wanted}” <span class="faint">${found.length}</span></h2>
    <p class="faint">Only the names that indices and rates are made of are searched here. Foremark's server searches every market.</p>
    ${
      found.length === 0
        ? html`<p class="note">No name matches. A market can also be found by its id, such as <code>venue_a:KXFED-26</code>.</p>`
        : sortedTable<NamedMarket>({
            caption: 'Markets found',
            rows: found,
            columns: [
              {
                title: 'Market',
                key: (row) => row.question,
                cell: (row) =>
                  html`<a href=${linkTo('markets', row.market_id, row.rate ? { rate: row.rate } : {})}>${row.question}</a>`,
              },
              {
                title: 'Id',
                key: (row) => row.market_id,
                cell: (row) => html`<span class="ticker">${row.market_id}</span>`,
              },
            ],
          })
    }
  </section>`;
}

function listSection(
  context: PageContext,
  { data, meta }: PublicDocuments['/markets'],
  { search, sort = '' }: Readonly<Record<string, string>>,
) {
  const title = ORDERS.get(sort) ?? (search ? 'best matches' : 'newest listed');
  return html`<section>
    <h2>${titled(title)}
      ${typeof meta.total === 'number' ? html`<span class="faint">of ${counted(meta.total, 'market')}</span>` : nothing}
    </h2>
    ${data.length === 0 ? html`<p class="note">No market matches.</p>` : sortedTable({ caption: 'Markets', rows: data, columns })}
    ${turning(context, 'markets', '/markets', meta.has_next)}
  </section>`;
}

const columns: Column<Market>[] = [
  {
    title: 'Market',
    key: (row) => row.question,
    cell: (row) =>
      html`<a href=${linkTo('markets', row.market_id)}>${row.question}</a> ${statusMark(row.status)}`,
  },
  { title: 'Venue', key: (row) => row.platform, cell: (row) => platformInWords(row.platform) },
  numbers('Price', (row) => row.latest_price, price),
  { title: 'Volume', numeric: true, key: (row) => row.volume, cell: volumeOf },
  { title: 'Closes', key: (row) => row.closes_at, cell: (row) => moment(row.closes_at) },
];
