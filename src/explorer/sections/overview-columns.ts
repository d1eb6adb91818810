import { html } from 'lit-html';
import type { Sparkline } from '../../routes/page-files.ts';
import { sparklineOf } from '../charts/sparklines.ts';
import { linkTo } from '../page.ts';
import { change, count, level, price } from '../parts.ts';
import type { IndexRow, RateDetail } from '../public-documents.ts';
import { type Column, numbers } from '../sorted-table.ts';
import { marks } from './confidence.ts';

type Lines = Readonly<Record<string, Sparkline>>;

/**
 * The columns of the indices of the overview.
 *
 * @param window of the change, in words
 * @param newest instant of the newest print of all
 */
export function indexColumns(lines: Lines, window: string, newest?: string): Column<IndexRow>[] {
  return [
    nameColumn('indices'),
    numbers('Level', (row) => row.latest_price, level),
    numbers(
      `Over ${window}`,
      (row) => row.change_percent,
      (percent) => change(percent, '%'),
    ),
    { title: 'Last 30 days', cell: (row) => sparklineOf(lines[row.ticker]?.values, row.ticker) },
    {
      title: 'Confidence',
      key: (row) => row.confidence?.grade,
      cell: (row) => marks(row, { halted: lines[row.ticker]?.halted, newest }),
    },
    numbers('Names', (row) => row.constituent_count, count),
  ];
}

/** The columns of the rates of the overview. @param newest instant of the newest print of all */
export function rateColumns(lines: Lines, newest?: string): Column<RateDetail>[] {
  return [
    nameColumn('rates'),
    numbers('Price', (row) => row.latest_price, price),
    numbers(
      'Over 7 days',
      // The lines may be older than the list, which leaves out the price of a quiet rate.
      (row) => (row.latest_price === undefined ? undefined : lines[row.ticker]?.change_7d),
      (cents) => change(cents, '¢'),
    ),
    { title: 'Last 30 days', cell: (row) => sparklineOf(lines[row.ticker]?.values, row.ticker) },
    { title: 'Confidence', key: (row) => row.confidence?.grade, cell: (row) => marks(row, { newest }) },
    numbers('Sources', (row) => row.sources.length, count),
  ];
}

function nameColumn<Row extends { ticker: string; name: string }>(page: 'indices' | 'rates'): Column<Row> {
  return {
    title: page === 'indices' ? 'Index' : 'Rate',
    key: (row) => row.name,
    cell: (row) =>
      html`<a href=${linkTo(page, row.ticker)}>${row.name}</a> <span class="ticker">${row.ticker}</span>`,
  };
}
