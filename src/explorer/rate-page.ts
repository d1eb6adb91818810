import { html, nothing } from 'lit-html';
import { rangeOf } from '../charts/line.ts';
import { formatCents, formatShare } from '../charts/wording.ts';
import { downloads } from './downloads.ts';
import { linkTo, type Page } from './page.ts';
import { change, confidenceInWords, figure, marks, moment, requestLines } from './parts.ts';
import type { RateDetail, SourceRow } from './public-documents.ts';
import { findRelated } from './related.ts';
import { changeOver } from './series.ts';
import type { Chart } from './series-chart.ts';
import { sortedTable } from './sorted-table.ts';
import { findSourceLines, type SourceLines } from './source-lines.ts';
import { basisInWords, counted, methodologyInWords, platformInWords } from './words.ts';

/** A reference rate: its price and history, the spread between its sources, each with its own line. */
export const ratePage: Page = {
  name: 'rates',
  needs: ['/rates/{id}'],
  async open({ documents, id, show }) {
    const rate = await documents.find('/rates/{id}', id);
    if (!rate)
      return show(
        html`<h1>No rate ${id}</h1><p class="note">None of this ticker is published here. <a href="#/">All rates</a></p>`,
      );
    const [prices, lines, related, files, requests] = await Promise.all([
      documents.find('/rates/{id}/prices', id),
      rate.latest_print_at === undefined ? undefined : findSourceLines(documents, id),
      findRelated(documents, 'rates', id),
      downloads(documents, 'rates', rate),
      requestLines(documents, [
        { path: '/rates/{id}', id },
        { path: '/rates/{id}/prices', id },
      ]),
    ]);
    const points = (prices?.data ?? []).map(({ at, price }) => ({ at: Date.parse(at), value: price }));
    const price = rate.latest_price;
    show(html`
      <h1>${rate.name}</h1>
      <p class="faint">${rate.ticker} · ${methodologyInWords(rate.methodology)} · ${counted(rate.sources.length, 'source')}</p>
      ${rate.description ? html`<p>${rate.description}</p>` : nothing}
      <section>
        <p class="level">${price === undefined ? html`<span class="faint">no price now</span>` : figure(price, formatCents(price))} ${marks(rate)}</p>
        ${figures(rate, price === undefined ? [] : points)}
        ${
          points.length > 1
            ? html`<series-chart .chart=${chartOf(rate, points, lines)}></series-chart>`
            : html`<p class="note">There is no history to draw yet.</p>`
        }
      </section>
      ${howMade(rate)}
      <section>
        <h2>Sources</h2>
        ${sortedTable({ caption: 'Sources', rows: rate.sources, columns: sourceColumns })}
      </section>
      ${related} ${files} ${requests}
    `);
  },
};

function figures(rate: RateDetail, points: Chart['lines'][number]['points']) {
  const range = rangeOf(points);
  return html`<dl class="figures">
    ${points.length > 0 ? [1, 7, 30, 90].map((days) => html`<div><dt>${counted(days, 'day')}</dt><dd>${change(changeOver(points, days)?.difference, '¢')}</dd></div>`) : nothing}
    ${range ? html`<div><dt>lowest</dt><dd>${formatCents(range.low)}</dd></div><div><dt>highest</dt><dd>${formatCents(range.high)}</dd></div>` : nothing}
    ${rate.spread === undefined ? nothing : html`<div><dt>spread of sources</dt><dd>${figure(rate.spread, formatCents(rate.spread))}</dd></div>`}
    <div><dt>last print</dt><dd>${moment(rate.latest_print_at)}</dd></div>
  </dl>`;
}

function chartOf(
  rate: RateDetail,
  points: Chart['lines'][number]['points'],
  lines: SourceLines | undefined,
): Chart {
  const nameOf = (marketId: string) => {
    const source = rate.sources.find((each) => each.market_id === marketId);
    return source && 'question' in source
      ? `${platformInWords(source.platform ?? '')}: ${source.question}`
      : marketId;
  };
  const several = lines && lines.byMarket.size > 1 ? [...lines.byMarket] : [];
  return {
    label: `Price of ${rate.name}`,
    lines: [{ name: 'rate', points }, ...several.map(([id, own]) => ({ name: nameOf(id), points: own }))],
    ...(lines && lines.low.length > 1
      ? { band: { name: 'between the sources at daily closes', low: lines.low, high: lines.high } }
      : {}),
    format: formatCents,
  };
}

function howMade(rate: RateDetail) {
  const entered = rate.sources.filter((source) => source.latest_price !== undefined);
  const left = rate.sources.length - entered.length;
  return html`<section>
    <h2>How this number was made</h2>
    ${
      entered.length === 0
        ? html`<p>No source enters it now.</p>`
        : html`<p>
            At ${moment(rate.latest_print_at)} it was the ${methodologyInWords(rate.methodology)} price of
            ${entered.map((source, i) => html`${i > 0 ? ' and ' : ''}${source.question ?? source.market_id} (${basisOf(source)}, weight ${formatShare(source.weight)})`)}.
          </p>`
    }
    ${left > 0 && entered.length > 0 ? html`<p>${counted(left, 'source')} did not enter: settled, halted, not seen for seven days, or not the contract of the day.</p>` : nothing}
    ${confidenceInWords(rate)}
  </section>`;
}

function basisOf(source: SourceRow): string {
  return source.basis ? basisInWords(source.basis) : 'no mark';
}

const sourceColumns = [
  {
    title: 'Market',
    cell: (source: SourceRow) =>
      html`<a href=${linkTo('markets', source.market_id)}>${source.question ?? source.market_id}</a>`,
  },
  { title: 'Venue', cell: (source: SourceRow) => venueOf(source) },
  {
    title: 'Price',
    numeric: true,
    cell: (source: SourceRow) =>
      source.latest_price !== undefined
        ? figure(source.latest_price, formatCents(source.latest_price))
        : html`<span class="faint">–</span>`,
  },
  {
    title: 'Weight',
    numeric: true,
    cell: (source: SourceRow) => figure(source.weight, formatShare(source.weight)),
  },
  {
    title: 'Standing',
    cell: (source: SourceRow) =>
      source.is_active
        ? source.outlier
          ? 'an outlier, counted less'
          : basisOf(source)
        : html`<span class="mark">settled</span>`,
  },
];

function venueOf(source: SourceRow) {
  if (source.platform === undefined) return nothing;
  const name = platformInWords(source.platform);
  return source.link ? html`<a href=${source.link} rel="noreferrer">${name}</a>` : name;
}
