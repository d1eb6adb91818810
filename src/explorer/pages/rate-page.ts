import { html, nothing } from 'lit-html';
import { type Point, rangeOf } from '../../charts/line.ts';
import { formatCents, formatShare } from '../../charts/wording.ts';
import { counted } from '../../model/counted.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { changeOver, typicalMove } from '../charts/series.ts';
import type { Chart } from '../charts/series-plot.ts';
import { sparklineOf } from '../charts/sparklines.ts';
import { bandOf, type DailyMarks, findDailyMarks, valuesOf } from '../daily-marks.ts';
import { linkTo, type Page } from '../page.ts';
import { change, figure, figures, moment, overDays, price, share } from '../parts.ts';
import type { RateDetail, SourceRow } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { confidenceInWords, marks } from '../sections/confidence.ts';
import { downloads } from '../sections/downloads.ts';
import { launchNote } from '../sections/launch.ts';
import { findRelated } from '../sections/related.ts';
import { type Column, numbers, sortedTable } from '../sorted-table.ts';
import { entered, leftOutInWords, standingInWords } from '../sources-in-words.ts';
import { methodologyInWords, platformInWords } from '../words.ts';

/** The most sources that are drawn as lines of their own; for more, the band between them says enough. */
const MOST_LINES = 5;

/** A reference rate: its price and history, the spread between its sources, each with its own line. */
export const ratePage: Page = {
  name: 'rates',
  async open({ documents, id, show }) {
    const rate = await documents.find('/rates/{id}', id);
    if (!rate)
      return show(
        html`<h1>No rate ${id}</h1><p class="note">No rate with this ticker is published here. <a href="#/">All rates</a></p>`,
      );
    const [prices, daily, related, files] = await Promise.all([
      documents.find('/rates/{id}/prices', id),
      findDailyMarks(documents, 'rates', id),
      findRelated(documents, 'rates', id),
      downloads(documents, 'rates', rate),
    ]);
    const points = (prices?.data ?? []).map(({ at, price }) => ({ at: Date.parse(at), value: price }));
    const { latest_price } = rate;
    show(html`
      <h1>${rate.name}</h1>
      <p class="faint">${rate.ticker} · ${methodologyInWords(rate.methodology)} · ${counted(rate.sources.length, 'source')}</p>
      ${rate.description ? html`<p>${rate.description}</p>` : nothing}
      <section>
        <p class="level">${latest_price === undefined ? html`<span class="faint">no price now</span>` : figure(latest_price, formatCents(latest_price))} ${marks(rate)}</p>
        ${stats(rate, latest_price === undefined ? [] : points)}
        ${
          points.length > 1
            ? html`<series-chart .chart=${chartOf(rate, points, daily)}></series-chart>`
            : html`<p class="note">There is no history to draw yet.</p>`
        }
        ${launchNote(prices)}
      </section>
      ${howMade(rate)}
      <section>
        <h2>Sources</h2>
        ${sortedTable({ caption: 'Sources', rows: rate.sources, columns: sourceColumns(rate, daily) })}
      </section>
      ${related} ${files} ${requestSection(documents)}
    `);
  },
};

function stats(rate: RateDetail, points: readonly Point[]) {
  const range = rangeOf(points);
  const move = typicalMove(points);
  return figures([
    ...overDays([1, 7, 30, 90], (days) =>
      points.length > 0 ? change(changeOver(points, days)?.difference, '¢') : undefined,
    ),
    ['range of all prints', range && `${formatCents(range.low)} – ${formatCents(range.high)}`],
    ['typical daily change', move === undefined ? undefined : `±${formatCents(move)}`],
    [
      'spread of sources',
      rate.spread === undefined ? undefined : figure(rate.spread, formatCents(rate.spread)),
    ],
    ['last print', rate.latest_print_at && moment(rate.latest_print_at)],
  ]);
}

function chartOf(rate: RateDetail, points: readonly Point[], daily: DailyMarks): Chart {
  const nameOf = (marketId: string) => {
    const source = rate.sources.find((each) => each.market_id === marketId);
    return source?.question ? `${platformInWords(source.platform ?? '')}: ${source.question}` : marketId;
  };
  const several = daily.size > 1 && daily.size <= MOST_LINES ? [...daily] : [];
  const band = bandOf(daily);
  return {
    label: `Price of ${rate.name}`,
    lines: [{ name: 'rate', points }, ...several.map(([id, own]) => ({ name: nameOf(id), points: own }))],
    ...(band.low.length > 1 ? { band: { name: 'between the sources at daily closes', ...band } } : {}),
    format: formatCents,
  };
}

const BY_VOLUME = 'as the mean of its sources, weighted by their lifetime volume';

/** How each methodology makes a price of the marks. */
const PRICED: Readonly<Record<string, string>> = {
  event_contract: 'as its one contract',
  simple_average: 'as the mean of its sources',
  volume_weighted: BY_VOLUME,
  claim_price: BY_VOLUME,
  team_sleeve: BY_VOLUME,
  robust_median: 'by medians of the hour before, from its sources',
  win_total: "by the ladder of the team's win totals, from",
  rolling: 'by the contracts whose turn it was',
} satisfies Record<RateDefinition['methodology'], string>;

function howMade(rate: RateDetail) {
  const priced = rate.sources.filter(entered);
  return html`<section>
    <h2>How this number was made</h2>
    ${
      priced.length === 0
        ? html`<p>No source enters it now.</p>`
        : html`<p>
            At ${moment(rate.latest_print_at)} it was priced ${PRICED[rate.methodology]}:
            ${priced.map((source, i) => html`${i > 0 ? ' and ' : ''}“<bdi>${source.question ?? source.market_id}</bdi>” (${standingInWords(source)}, weight ${formatShare(source.weight)})`)}.
          </p>`
    }
    ${leftOutInWords(rate.methodology, rate.sources).map((sentence) => html`<p>${sentence}</p>`)}
    ${confidenceInWords(rate)}
  </section>`;
}

function sourceColumns({ ticker }: RateDetail, daily: DailyMarks): Column<SourceRow>[] {
  return [
    {
      title: 'Market',
      key: (source) => source.question,
      cell: (source) =>
        html`<a href=${linkTo('markets', source.market_id, { rate: ticker })}>${source.question ?? source.market_id}</a>`,
    },
    { title: 'Venue', key: (source) => source.platform, cell: venueOf },
    numbers('Price', (source) => source.latest_price, price),
    {
      title: '30 days',
      cell: (source) => sparklineOf(valuesOf(daily, source.market_id), 'its price'),
    },
    numbers('Weight', (source) => source.weight, share),
    { title: 'Standing', cell: standingOf },
  ];
}

function standingOf(source: SourceRow) {
  const standing = standingInWords(source);
  if (!source.is_active) return html`<span class="mark">${standing}</span>`;
  return entered(source) ? standing : html`<span class="faint">${standing}</span>`;
}

function venueOf(source: SourceRow) {
  if (source.platform === undefined) return nothing;
  const name = platformInWords(source.platform);
  return source.link ? html`<a href=${source.link} rel="noreferrer">${name}</a>` : name;
}
