import { html, nothing, type TemplateResult } from 'lit-html';
import type { NamedMarket } from '../../routes/page-files.ts';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { findSparklines } from '../charts/sparklines.ts';
import type { Documents } from '../documents.ts';
import { matcher, searchMarkets } from '../market-search.ts';
import { type ListPage, linkTo } from '../page.ts';
import { moment } from '../parts.ts';
import { requestSection } from '../requests.ts';
import { movers } from '../sections/movers.ts';
import { indexColumns, rateColumns } from '../sections/overview-columns.ts';
import { type Column, sortedTable } from '../sorted-table.ts';
import { methodologyInWords } from '../words.ts';

/** The pause in typing after which the words go into the address and markets are searched. */
const PAUSE_MS = 250;
const MARKETS_SHOWN = 8;

type Window = PublicDocuments['/indices']['meta']['window'];

/** The windows of changes of indices; on a host of files only the first is available. */
const WINDOWS: Readonly<Record<Window, string>> = {
  '7d': '7 days',
  '1d': '1 day',
  '30d': '30 days',
  '90d': '90 days',
};

interface State {
  search: string;
  methodology: string;
  window: Window;
  markets: readonly NamedMarket[];
}

/** The data of the page. */
interface Found {
  indices: PublicDocuments['/indices'] | undefined;
  rates: PublicDocuments['/rates'] | undefined;
  lines: Awaited<ReturnType<typeof findSparklines>>;
  requests: TemplateResult;
  /** The instant of the newest print of all, which does not depend on the window. */
  newest: string | undefined;
}

/** Every index and rate with its level, change and line; search over them and the markets, filter, sort. */
export const overviewPage: ListPage = {
  name: '',
  label: 'Overview',
  needs: ['/indices'],
  async open({ documents, parameters, keep, show }) {
    const state: State = {
      window: windowOf(parameters.get('window')),
      search: parameters.get('search') ?? '',
      methodology: parameters.get('methodology') ?? '',
      markets: [],
    };
    const found = await findAll(documents, state.window);
    const redraw = () => show(overview(state, found, controls(documents, state, found, change)));
    const remember = () => {
      const { search, methodology, window } = state;
      keep({
        ...(search ? { search } : {}),
        ...(methodology ? { methodology } : {}),
        ...(window === '7d' ? {} : { window }),
      });
    };
    const look = afterPause(async () => {
      remember();
      const wanted = state.search.trim();
      const markets = wanted.length < 2 ? [] : await searchMarkets(documents, wanted);
      if (wanted !== state.search.trim()) return;
      state.markets = markets;
      redraw();
    });
    const change = async (changed: Partial<State>) => {
      Object.assign(state, changed);
      if (changed.window) {
        const indices = await findIndices(documents, changed.window);
        if (state.window !== changed.window) return;
        found.indices = indices;
      }
      redraw();
      if (changed.search === undefined) remember();
      else look();
    };
    redraw();
    if (state.search) look();
  },
};

function windowOf(text: string | null): Window {
  return text !== null && Object.hasOwn(WINDOWS, text) ? (text as Window) : '7d';
}

async function findAll(documents: Documents, window: Window): Promise<Found> {
  const [indices, rates, lines] = await Promise.all([
    findIndices(documents, window),
    documents.find('/rates'),
    findSparklines(documents),
  ]);
  const newest = newestPrint([...(indices?.data ?? []), ...(rates?.data ?? [])]);
  return { indices, rates, lines, requests: requestSection(documents), newest };
}

function findIndices(documents: Documents, window: Window) {
  return documents.find('/indices', '', documents.offers('/indices', 'window') ? { window } : {});
}

function newestPrint(rows: readonly { latest_print_at?: string | undefined }[]): string | undefined {
  const instants = rows.flatMap((row) => row.latest_print_at ?? []);
  return instants.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

function overview(
  state: State,
  { indices, rates, lines, requests, newest }: Found,
  form: TemplateResult,
): TemplateResult {
  const rows = indices?.data ?? [];
  const listed = new Set(rows.map((row) => row.ticker));
  const others = Object.keys(lines.indices).filter((ticker) => !listed.has(ticker));
  // As the list says, whatever the address or a choice whose answer is still to come asks for.
  const window = WINDOWS[indices?.meta.window ?? '7d'];
  return html`
    <h1>Prediction-market indices and rates</h1>
    ${newest === undefined ? nothing : html`<p class="faint">Last printed ${moment(newest)}</p>`}
    ${form}
    ${state.search || state.methodology ? nothing : movers(rows, lines.indices, window)}
    ${section('Indices', rows, indexColumns(lines.indices, window, newest), state)}
    ${others.length > 0 ? otherIndices(others) : nothing}
    ${rates && rates.data.length > 0 ? section('Reference rates', rates.data, rateColumns(lines.rates, newest), state) : nothing}
    ${marketSection(state)} ${requests}
  `;
}

/** Indices beyond the first page of the list. */
function otherIndices(tickers: readonly string[]): TemplateResult {
  return html`<p>
    Further indices:
    ${tickers.map((ticker, i) => html`${i > 0 ? ', ' : ''}<a href=${linkTo('indices', ticker)}>${ticker}</a>`)}
  </p>`;
}

function controls(
  documents: Documents,
  { search, methodology, window }: State,
  { indices, rates }: Found,
  change: (changed: Partial<State>) => void,
): TemplateResult {
  const methodologies = new Set([...(indices?.methodologies ?? []), ...(rates?.methodologies ?? [])]);
  const pick = (event: Event) => {
    const { name, value } = event.target as HTMLSelectElement;
    change({ [name]: value });
  };
  return html`<form class="controls" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label>Search <input
      type="search"
      name="search"
      placeholder="index, rate or market"
      .value=${search}
      @input=${(event: Event) => change({ search: (event.target as HTMLInputElement).value })}
    /></label>
    <label>Methodology <select name="methodology" @change=${pick}>
      <option value="">all</option>
      ${[...methodologies].sort().map((token) => html`<option value=${token} .selected=${token === methodology}>${methodologyInWords(token)}</option>`)}
    </select></label>
    ${
      documents.offers('/indices', 'window')
        ? html`<label>Change over <select name="window" @change=${pick}>
            ${Object.entries(WINDOWS).map(([token, text]) => html`<option value=${token} .selected=${token === window}>${text}</option>`)}
          </select></label>`
        : nothing
    }
  </form>`;
}

function section<Row extends { ticker: string; name: string; methodology: string }>(
  title: 'Indices' | 'Reference rates',
  all: readonly Row[],
  columns: readonly Column<Row>[],
  { search, methodology }: State,
): TemplateResult {
  const matches = matcher(search);
  const rows = all.filter(
    (row) => (!methodology || row.methodology === methodology) && matches(`${row.ticker} ${row.name}`),
  );
  return html`<section>
    <h2>${title} <span class="faint" aria-live="polite">${rows.length === all.length ? all.length : `${rows.length} of ${all.length}`}</span></h2>
    ${rows.length === 0 ? html`<p class="note">Nothing matches.</p>` : sortedTable({ caption: title, rows, columns })}
  </section>`;
}

function marketSection({ search, markets }: State) {
  if (markets.length === 0) return nothing;
  return html`<section>
    <h2>Markets</h2>
    <ul class="plain">
      ${markets.slice(0, MARKETS_SHOWN).map(({ market_id, question, rate }) => html`<li><a href=${linkTo('markets', market_id, rate ? { rate } : {})}>${question}</a></li>`)}
    </ul>
    ${markets.length > MARKETS_SHOWN ? html`<p><a href=${linkTo('markets', '', { search: search.trim() })}>More markets like this</a></p>` : nothing}
  </section>`;
}

function afterPause(act: () => Promise<void>): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(act, PAUSE_MS);
  };
}
