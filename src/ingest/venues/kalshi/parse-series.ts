import type { CatalogSeries } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import { eachRow, type ReadPage, readEnvelope } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

export interface SeriesPage extends ReadPage {
  series: CatalogSeries[];
}

/** Parses the answer of `/series`, which is one page. */
export function parseSeriesList(json: unknown): SeriesPage {
  return parseRows(readEnvelope(wire.seriesList, json).series);
}

/** Parses the answer of `/series/{ticker}`. */
export function parseOneSeries(json: unknown): SeriesPage {
  return parseRows([readEnvelope(wire.oneSeries, json).series]);
}

function parseRows(rows: readonly unknown[]): SeriesPage {
  const page: SeriesPage = { read: rows.length, series: [], rejections: [] };
  for (const { row } of eachRow(page, wire.series, rows, 'ticker')) page.series.push(seriesOf(row));
  return page;
}

function seriesOf(row: wire.Series): CatalogSeries {
  return {
    series_id: catalogId('venue_a', row.ticker),
    family: 'venue_a',
    native_id: row.ticker,
    title: row.title,
    tags: row.tags ?? [],
    settlement_sources: (row.settlement_sources ?? []).map(({ name, url }) =>
      given({ name, url: addressOf(url) }),
    ),
    ...given({
      category: row.category,
      contract_url: addressOf(row.contract_url),
      contract_terms_url: addressOf(row.contract_terms_url),
    }),
  };
}

// Undefined for anything but an http address.
function addressOf(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\/\S+$/.test(text) ? text : undefined;
}
