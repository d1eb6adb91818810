import { html, nothing, type TemplateResult } from 'lit-html';
import type { Point } from '../../charts/line.ts';
import { formatCents } from '../../charts/wording.ts';
import { changeOver, type LinePoint, pointsOf } from '../charts/series.ts';
import { findDailyMarks } from '../daily-marks.ts';
import type { Documents } from '../documents.ts';
import { linkTo, type Page } from '../page.ts';
import { change, count, figure, figures, moment, overDays, share, statusMark, volumeOf } from '../parts.ts';
import type { Market, Membership } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { findRelated } from '../sections/related.ts';
import { numbers, sortedTable } from '../sorted-table.ts';
import { basisInWords, platformInWords } from '../words.ts';

/** A market: its mark and history, where it trades, and the indices that it is in. */
export const marketPage: Page = {
  name: 'markets',
  async open({ documents, id, parameters, show }) {
    const market = await documents.find('/markets/{id}', id);
    if (!market)
      return show(
        html`<h1>No market ${id}</h1><p class="note">No market with this id is published here. <a href=${linkTo('markets')}>Markets</a></p>`,
      );
    const [indices, related] = await Promise.all([
      documents.find('/markets/{id}/indices', id),
      findRelated(documents, 'markets', id),
    ]);
    const memberships = indices?.data ?? [];
    const closes = await findHistory(documents, id, memberships[0]?.ticker, parameters.get('rate'));
    const line = upToNow(market, closes);
    const points = pointsOf(line);
    show(html`
      <h1>${market.question}</h1>
      <p class="faint">
        ${market.market_id} · ${platformInWords(market.platform)}
        ${market.link ? html`· <a href=${market.link} rel="noreferrer">its page at the venue</a>` : nothing}
      </p>
      <section>
        <p class="level">
          ${market.latest_price === undefined ? html`<span class="faint">no price now</span>` : figure(market.latest_price, formatCents(market.latest_price))}
          ${statusMark(market.status)}
        </p>
        ${figuresOf(market, points)} ${points.length < 2 ? noHistory(closes.length > 0 || memberships.length > 0) : history(market, line)}
      </section>
      ${market.description ? html`<section><h2>Description</h2><p class="prose">${market.description}</p></section>` : nothing}
      ${market.rules_primary ? html`<section><h2>Rules</h2><p class="prose">${market.rules_primary}</p></section>` : nothing}
      ${membershipSection(memberships)} ${related} ${requestSection(documents)}
    `);
  },
};

/** The daily marks that are published with an index that a market is in, or with a rate that it is a source of. */
async function findHistory(
  documents: Documents,
  id: string,
  index: string | undefined,
  rate: string | null,
): Promise<readonly LinePoint[]> {
  if (index === undefined && rate === null) return [];
  const [kind, ticker] =
    index === undefined ? (['rates', rate ?? ''] as const) : (['indices', index] as const);
  return (await findDailyMarks(documents, kind, ticker)).get(id) ?? [];
}

/** The marks of a market at closes, and its present price. */
function upToNow({ latest_price, price_at }: Market, closes: readonly LinePoint[]): readonly LinePoint[] {
  const last = closes.at(-1);
  if (last === undefined || latest_price === undefined || price_at === undefined) return closes;
  const at = Date.parse(price_at);
  return at > last.at ? [...closes, { at, value: latest_price }] : closes;
}

/** @param isIn whether the market is in an index or rate */
function noHistory(isIn: boolean): TemplateResult {
  return html`<p class="note">
    ${isIn ? 'There is no history to draw yet.' : 'History is published only with the indices and rates that a market is in.'}
    With a key, candles of any market can be read from <code>/api/v1/markets/{id}/candles</code>.
  </p>`;
}

function history(market: Market, points: readonly LinePoint[]): TemplateResult {
  return html`<series-chart
      .chart=${{ label: `Price of ${market.question}`, lines: [{ name: 'price', points }], format: formatCents }}
    ></series-chart>
    <p class="faint">Marks at daily closes, interrupted where none entered, and the present price. With a key, candles can be read too.</p>`;
}

function figuresOf(market: Market, points: readonly Point[]): TemplateResult {
  const { price_basis, price_at, beyond_quote, volume, open_interest, closes_at, payout } = market;
  return figures([
    ...overDays([7, 30], (days) => {
      const over = changeOver(points, days);
      return over && change(over.difference, '¢');
    }),
    [
      'basis',
      price_basis && `${basisInWords(price_basis)}${beyond_quote ? ', beyond the only side quoted' : ''}`,
    ],
    ['priced', price_at && moment(price_at)],
    ['volume', volume === undefined ? undefined : volumeOf(market)],
    ['open interest', open_interest === undefined ? undefined : count(open_interest)],
    ['closes', closes_at && moment(closes_at)],
    ['paid', payout === undefined ? undefined : formatCents(100 * payout)],
  ]);
}

function membershipSection(rows: readonly Membership[]) {
  return html`<section>
    <h2>Indices it is in</h2>
    ${
      rows.length === 0
        ? html`<p class="note">None.</p>`
        : sortedTable<Membership>({
            caption: 'Indices',
            rows,
            columns: [
              {
                title: 'Index',
                key: (row) => row.name,
                cell: (row) =>
                  html`<a href=${linkTo('indices', row.index_id)}>${row.name}</a> <span class="ticker">${row.ticker}</span>`,
              },
              numbers('Weight', (row) => row.weight, share),
            ],
          })
    }
  </section>`;
}
