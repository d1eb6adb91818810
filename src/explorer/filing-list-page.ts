import { html, nothing, type TemplateResult } from 'lit-html';
import { feedInWords } from './filing-words.ts';
import { linkTo, type Page, type PageContext } from './page.ts';
import { day } from './parts.ts';
import type { Filing, PublicDocuments } from './public-documents.ts';
import { requestLines } from './requests.ts';
import { type Column, sortedTable } from './sorted-table.ts';

/** What a filing is filtered by, with the word of each. */
const FILTERS = { feed: 'Registry', org: 'Organization', status: 'Status' } as const;
type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];

/** Filings of the last 90 days; the server searches and filters all of them, a host of files those of its page. */
export const filingListPage: Page = {
  name: 'filings',
  label: 'Filings',
  needs: ['/filings'],
  async open(context) {
    const { documents, parameters, show } = context;
    const asked = Object.fromEntries(
      [...NAMES, 'search', 'page'].flatMap((name) => {
        const value = parameters.get(name);
        return value && documents.offers('/filings', name) ? [[name, value]] : [];
      }),
    );
    const [list, values, requests] = await Promise.all([
      documents.find('/filings', '', asked),
      documents.offers('/filings/filters') ? documents.find('/filings/filters') : undefined,
      requestLines(documents, [{ path: '/filings', parameters: asked }, { path: '/filings/filters' }]),
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
      ${list?.meta.has_next ? more(context, list) : nothing} ${requests}
    `);
  },
};

function filters(
  { documents, parameters }: PageContext,
  values: PublicDocuments['/filings/filters'],
): TemplateResult {
  const look = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = [...form].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
    location.hash = linkTo('filings', '', Object.fromEntries(chosen));
  };
  const pick = (event: Event) => (event.target as HTMLSelectElement).form?.requestSubmit();
  const searches = documents.offers('/filings', 'search');
  return html`<form class="controls" role="search" @submit=${look}>
    ${searches ? html`<label>Words <input type="search" name="search" .value=${parameters.get('search') ?? ''} /></label>` : nothing}
    ${NAMES.map(
      (name) => html`<label>${FILTERS[name]} <select name=${name} @change=${pick}>
        <option value="">all</option>
        ${values[name].map((value) => html`<option value=${value} ?selected=${parameters.get(name) === value}>${name === 'feed' ? feedInWords(value) : value}</option>`)}
      </select></label>`,
    )}
    ${searches ? html`<button>Search</button>` : nothing}
  </form>`;
}

function more({ documents, parameters }: PageContext, { meta }: PublicDocuments['/filings']): TemplateResult {
  if (!documents.offers('/filings', 'page'))
    return html`<p class="note">The newest ${meta.per_page} of ${meta.total}; the server answers the others.</p>`;
  const next = { ...Object.fromEntries(parameters), page: String(meta.page + 1) };
  return html`<p><a href=${linkTo('filings', '', next)}>Page ${meta.page + 1}</a></p>`;
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
