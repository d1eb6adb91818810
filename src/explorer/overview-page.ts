import { html, nothing } from 'lit-html';
import { formatCents, formatLevel } from '../charts/wording.ts';
import { linkTo, type Page, type PageContext } from './page.ts';
import { change, figure, marks, requestLines } from './parts.ts';
import type { IndexRow, PublicDocuments, RateDetail } from './public-documents.ts';
import { type Column, type Order, sortedTable } from './sorted-table.ts';
import { findSparklines, sparklineOf } from './sparklines.ts';
import { counted, methodologyInWords } from './words.ts';

/** More rows of a table are shown when they are asked for. */
const ROWS_AT_FIRST = 100;

interface State {
  search: string;
  methodology: string;
  indexOrder?: Order;
  rateOrder?: Order;
  everyRate: boolean;
}

/** Every index and rate with its level, change and line; search, filter, sort. */
export const overviewPage: Page = {
  name: '',
  label: 'Overview',
  needs: ['/indices'],
  async open(context) {
    const { documents, show } = context;
    const [indices, rates, lines, requests] = await Promise.all([
      documents.find('/indices'),
      documents.find('/rates'),
      findSparklines(documents),
      requestLines(documents, [{ path: '/indices' }, { path: '/rates' }]),
    ]);
    const indexColumns: Column<IndexRow>[] = [
      nameColumn('indices'),
      {
        title: 'Level',
        numeric: true,
        key: (row) => row.latest_price,
        cell: (row) => value(row.latest_price, formatLevel),
      },
      {
        title: 'Change, 7 days',
        numeric: true,
        key: (row) => row.change_percent,
        cell: (row) => change(row.change_percent, '%'),
      },
      { title: '30 days', cell: (row) => sparklineOf(lines.indices[row.ticker], row.ticker) },
      { title: 'Confidence', key: (row) => row.confidence?.grade, cell: marks },
      {
        title: 'Names',
        numeric: true,
        key: (row) => row.constituent_count,
        cell: (row) => row.constituent_count,
      },
    ];
    const rateColumns: Column<RateDetail>[] = [
      nameColumn('rates'),
      {
        title: 'Price',
        numeric: true,
        key: (row) => row.latest_price,
        cell: (row) => value(row.latest_price, formatCents),
      },
      {
        title: 'Change, 7 days',
        numeric: true,
        key: (row) => lines.rates[row.ticker]?.change_7d,
        cell: (row) => change(lines.rates[row.ticker]?.change_7d, '¢'),
      },
      { title: '30 days', cell: (row) => sparklineOf(lines.rates[row.ticker], row.ticker) },
      { title: 'Confidence', key: (row) => row.confidence?.grade, cell: marks },
      {
        title: 'Sources',
        numeric: true,
        key: (row) => row.sources.length,
        cell: (row) => row.sources.length,
      },
    ];
    const state: State = {
      search: context.parameters.get('search') ?? '',
      methodology: '',
      everyRate: false,
    };
    const redraw = (changed: Partial<State> = {}) => {
      Object.assign(state, changed);
      show(html`
        <h1>Prediction-market indices and rates</h1>
        ${controls(context, state, [indices, rates], redraw)}
        ${indexSection(indices, indexColumns, state, redraw)} ${rateSection(rates, rateColumns, state, redraw)}
        ${requests}
      `);
    };
    redraw();
  },
};

function nameColumn<Row extends { ticker: string; name: string }>(page: string): Column<Row> {
  return {
    title: page === 'indices' ? 'Index' : 'Rate',
    key: (row) => row.name,
    cell: (row) =>
      html`<a href=${linkTo(page, row.ticker)}>${row.name}</a> <span class="ticker">${row.ticker}</span>`,
  };
}

function value(number: number | undefined, format: (value: number) => string) {
  return number === undefined ? html`<span class="faint">–</span>` : figure(number, format(number));
}

function controls(
  { documents }: PageContext,
  state: State,
  lists: readonly ({ methodologies: string[] } | undefined)[],
  redraw: (changed: Partial<State>) => void,
) {
  const methodologies = [...new Set(lists.flatMap((list) => list?.methodologies ?? []))].sort();
  const markets = documents.offers('/markets/{id}') && state.search.trim();
  return html`<form class="controls" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label>Search <input
      type="search"
      name="search"
      placeholder="name or ticker"
      .value=${state.search}
      @input=${(event: Event) => redraw({ search: (event.target as HTMLInputElement).value })}
    /></label>
    <label>Methodology <select name="methodology" @change=${(event: Event) => redraw({ methodology: (event.target as HTMLSelectElement).value })}>
      <option value="">all</option>
      ${methodologies.map((token) => html`<option value=${token} ?selected=${token === state.methodology}>${methodologyInWords(token)}</option>`)}
    </select></label>
    ${
      markets
        ? html`<a href=${linkTo('markets', '', { search: markets })}>Look for “${markets}” among the markets</a>`
        : nothing
    }
  </form>`;
}

function matching<Row extends { ticker: string; name: string; methodology: string }>(
  rows: readonly Row[],
  { search, methodology }: State,
): Row[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (!methodology || row.methodology === methodology) &&
      (!wanted || `${row.ticker} ${row.name}`.toLowerCase().includes(wanted)),
  );
}

function indexSection(
  list: PublicDocuments['/indices'] | undefined,
  columns: readonly Column<IndexRow>[],
  state: State,
  redraw: (changed: Partial<State>) => void,
) {
  if (!list) return nothing;
  const rows = matching(list.data, state);
  const more = list.meta.total - list.data.length;
  return html`<section>
    <h2>Indices <span class="faint">${rows.length}</span></h2>
    ${
      rows.length === 0
        ? html`<p class="note">No index matches.</p>`
        : sortedTable({ caption: 'Indices', rows, columns, order: state.indexOrder }, (indexOrder) =>
            redraw({ indexOrder }),
          )
    }
    ${more > 0 ? html`<p class="note">${counted(more, 'more index')} beyond the first page of the list.</p>` : nothing}
  </section>`;
}

function rateSection(
  list: PublicDocuments['/rates'] | undefined,
  columns: readonly Column<RateDetail>[],
  state: State,
  redraw: (changed: Partial<State>) => void,
) {
  if (!list || list.data.length === 0) return nothing;
  const rows = matching(list.data, state);
  const cut = !state.everyRate && rows.length > ROWS_AT_FIRST;
  return html`<section>
    <h2>Reference rates <span class="faint">${rows.length}</span></h2>
    ${
      rows.length === 0
        ? html`<p class="note">No rate matches.</p>`
        : sortedTable(
            {
              caption: 'Rates',
              rows: cut ? rows.slice(0, ROWS_AT_FIRST) : rows,
              columns,
              order: state.rateOrder,
            },
            (rateOrder) => redraw({ rateOrder, everyRate: true }),
          )
    }
    ${cut ? html`<button type="button" @click=${() => redraw({ everyRate: true })}>Show all ${rows.length}</button>` : nothing}
  </section>`;
}
