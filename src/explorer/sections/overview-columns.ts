import { html } from 'lit-html';
import { type Sparkline, sparklineOf } from '../charts/sparklines.ts';
import { linkTo } from '../page.ts';
import { change, level, price } from '../parts.ts';
import type { IndexRow, RateDetail } from '../public-documents.ts';
import type { Column } from '../sorted-table.ts';
import { marks } from './confidence.ts';

type Lines = Readonly<Record<string, Sparkline>>;

/** The columns of the indices of the overview. @param window of the change, in words */
export function indexColumns(lines: Lines, window: string): Column<IndexRow>[] {
  return [
    nameColumn('indices'),
    {
      title: 'Level',
      numeric: true,
      key: (row) => row.latest_price,
      cell: (row) => level(row.latest_price),
    },
    {
      title: `Over ${window}`,
      numeric: true,
      key: (row) => row.change_percent,
      cell: (row) => change(row.change_percent, '%'),
    },
    { title: 'Last 30 days', cell: (row) => sparklineOf(lines[row.ticker]?.values, row.ticker) },
    {
      title: 'Confidence',
      key: (row) => row.confidence?.grade,
      cell: (row) => marks(row, lines[row.ticker]?.halted),
    },
    {
      title: 'Names',
      numeric: true,
      key: (row) => row.constituent_count,
      cell: (row) => row.constituent_count,
    },
  ];
}

/** The columns of the rates of the overview. */
export function rateColumns(lines: Lines): Column<RateDetail>[] {
  return [
    nameColumn('rates'),
    {
      title: 'Price',
      numeric: true,
      key: (row) => row.latest_price,
      cell: (row) => price(row.latest_price),
    },
    {
      title: 'Over 7 days',
      numeric: true,
      key: (row) => lines[row.ticker]?.change_7d,
      cell: (row) => change(lines[row.ticker]?.change_7d, '¢'),
    },
    { title: 'Last 30 days', cell: (row) => sparklineOf(lines[row.ticker]?.values, row.ticker) },
    { title: 'Confidence', key: (row) => row.confidence?.grade, cell: (row) => marks(row) },
    {
      title: 'Sources',
      numeric: true,
      key: (row) => row.sources.length,
      cell: (row) => row.sources.length,
    },
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
