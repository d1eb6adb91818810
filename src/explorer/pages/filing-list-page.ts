import { html, nothing, type TemplateResult } from 'lit-html';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { askedOf, choice, listForm, turning } from '../list-controls.ts';
import { type ListPage, linkTo, type PageContext } from '../page.ts';
import { day } from '../parts.ts';
import type { Filing } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { type Column, sortedTable } from '../sorted-table.ts';
import { feedInWords } from '../words.ts';

/** What a filing is filtered by, with the word of each. */
const FILTERS = { feed: 'Registry', org: 'Organization', status: 'Status' } as const;
type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];

/**
 * Filings of the last 90 days. The server searches and filters all of them; on a host of files only those of the first
 * page are filtered.
 */
export const filingListPage: ListPage = {
  name: 'filings',
  label: 'Filings',
  needs: ['/filings'],
  async open(context) {
    const { documents, parameters, show } = context;
    const asked = askedOf(context, '/filings', [...NAMES, 'search', 'page']);
    const [list, values] = await Promise.all([
      documents.find('/filings', '', asked),
      documents.find('/filings/filters'),
    ]);
    const rows = (list?.data ?? []).filter((row) =>
      NAMES.every((name) => !parameters.get(name) || row[name] === parameters.get(name)),
    );
    show(html`
      <h1>Regulatory filings</h1>
      <p>What venues and clearing organizations filed with the regulator in the last 90 days.</p>
      ${values ? filters(context, values) : nothing}
      ${
        rows.length === 0
          ? html`<p class="note">No filing of the last 90 days matches.</p>`
          : sortedTable({ caption: 'Filings', rows, columns })
      }
      ${turning(context, 'filings', '/filings', list?.meta.has_next ?? false)} ${requestSection(documents)}
    `);
  },
};

function filters(context: PageContext, values: PublicDocuments['/filings/filters']): TemplateResult {
  const { documents, parameters } = context;
  const searches = documents.offers('/filings', 'search');
  const textOf = (name: Filter, value: string) => (name === 'feed' ? feedInWords(value) : value);
  return listForm(
    'filings',
    html`${searches ? html`<label>Words <input type="search" name="search" .value=${parameters.get('search') ?? ''} /></label>` : nothing}
      ${NAMES.map((name) => choice(context, name, FILTERS[name], [['', 'all'], ...values[name].map((value) => [value, textOf(name, value)] as const)]))}
      ${searches ? html`<button>Search</button>` : nothing}`,
  );
}

const columns: Column<Filing>[] = [
  {
    title: 'Filing',
    key: (row) => row.title,
    cell: (row) => html`<a href=${linkTo('filings', String(row.filing_id))}>${row.title}</a>`,
  },
  { title: 'Organization', key: (row) => row.org, cell: (row) => row.org },
  { title: 'Registry', key: (row) => feedInWords(row.feed), cell: (row) => feedInWords(row.feed) },
  { title: 'Status', key: (row) => row.status, cell: (row) => row.status },
  { title: 'Since', key: (row) => row.status_date, cell: (row) => day(row.status_date) },
];
