import { html, nothing } from 'lit-html';
import { linkTo, type Page, type PageContext } from './page.ts';
import { requestLines } from './parts.ts';
import type { Filing, PublicDocuments } from './public-documents.ts';
import { type Column, type Order, sortedTable } from './sorted-table.ts';

const FILTERS = ['feed', 'org', 'status'] as const;

const FEEDS: Readonly<Record<string, string>> = {
  ptc_dcm_rules: 'Rules of contract markets',
  dcm_products: 'Products of contract markets',
  dco: 'Clearing organizations',
  dco_rules: 'Rules of clearing organizations',
};

/** Filings of the last 90 days; the server searches and filters all of them, a host of files those of its page. */
export const filingListPage: Page = {
  name: 'filings',
  label: 'Filings',
  needs: ['/filings'],
  async open(context) {
    const { documents, parameters, show } = context;
    const asked = Object.fromEntries(
      [...FILTERS, 'search', 'page'].flatMap((name) => {
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
      FILTERS.every((name) => !parameters.get(name) || row[name] === parameters.get(name)),
    );
    let order: Order | undefined;
    const redraw = () =>
      show(html`
        <h1>Regulatory filings</h1>
        ${values ? filters(context, values) : nothing}
        ${
          rows.length === 0
            ? html`<p class="note">No filing of the last 90 days matches.</p>`
            : sortedTable({ caption: 'Filings', rows, columns, order }, (next) => {
                order = next;
                redraw();
              })
        }
        ${list?.meta.has_next ? more(context, list) : nothing} ${requests}
      `);
    redraw();
  },
};

function filters({ documents, parameters }: PageContext, values: PublicDocuments['/filings/filters']) {
  const look = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = [...form].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
    location.hash = linkTo('filings', '', Object.fromEntries(chosen));
  };
  const change = (event: Event) => (event.target as HTMLSelectElement).form?.requestSubmit();
  return html`<form class="controls" role="search" @submit=${look}>
    ${
      documents.offers('/filings', 'search')
        ? html`<label>Words <input type="search" name="search" .value=${parameters.get('search') ?? ''} /></label>`
        : nothing
    }
    ${FILTERS.map(
      (name) => html`<label>${name} <select name=${name} @change=${change}>
        <option value="">all</option>
        ${values[name].map((value) => html`<option value=${value} ?selected=${parameters.get(name) === value}>${name === 'feed' ? (FEEDS[value] ?? value) : value}</option>`)}
      </select></label>`,
    )}
    <button>Look</button>
  </form>`;
}

function more({ documents, parameters }: PageContext, { meta }: PublicDocuments['/filings']) {
  if (!documents.offers('/filings', 'page'))
    return html`<p class="note">Filings beyond these are answered by the server.</p>`;
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
  { title: 'Registry', key: (row) => row.feed, cell: (row) => FEEDS[row.feed] ?? row.feed },
  { title: 'Status', key: (row) => row.status, cell: (row) => row.status },
  { title: 'Since', key: (row) => row.status_date, cell: (row) => row.status_date ?? '–' },
];

/** One filing: what it says, where it stands, its attachments and their text. */
export const filingPage: Page = {
  name: 'filings',
  needs: ['/filings/{id}'],
  async open({ documents, id, show }) {
    const filing = await documents.find('/filings/{id}', id);
    if (!filing)
      return show(
        html`<h1>No filing ${id}</h1><p class="note">The last 90 days are published. <a href=${linkTo('filings')}>Filings</a></p>`,
      );
    const [text, requests] = await Promise.all([
      documents.offers('/filings/{id}/markdown') ? documents.find('/filings/{id}/markdown', id) : undefined,
      requestLines(documents, [
        { path: '/filings/{id}', id },
        { path: '/filings/{id}/markdown', id },
      ]),
    ]);
    const { title, org, feed, status, status_date, received, first_seen, last_seen, source_url } = filing;
    const history: [string, string | undefined][] = [
      ['received', received],
      [status, status_date],
      ['first seen', first_seen],
      ['last seen', last_seen],
    ];
    show(html`
      <h1>${title}</h1>
      <p class="faint">${org} · ${FEEDS[feed] ?? feed} · <a href=${source_url} rel="noreferrer">at the registry</a></p>
      ${[filing.description, filing.product_name, filing.products_affected].map((line) => (line ? html`<p class="prose">${line}</p>` : nothing))}
      <section>
        <h2>History</h2>
        <dl class="figures">${history.map(([name, day]) => (day === undefined ? nothing : html`<div><dt>${name}</dt><dd>${day}</dd></div>`))}</dl>
      </section>
      ${
        filing.documents.length > 0
          ? html`<section><h2>Attachments</h2><ul>${filing.documents.map((each) => html`<li><a href=${each.url} rel="noreferrer">${each.title}</a></li>`)}</ul></section>`
          : nothing
      }
      ${text?.markdown ? html`<section><h2>Text of the attachments</h2><pre class="text" tabindex="0">${text.markdown}</pre></section>` : nothing}
      ${requests}
    `);
  },
};
