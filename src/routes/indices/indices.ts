import { z } from 'zod';
import { CORRELATION_CLOSES, correlate } from '../../methodology/correlation.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { TeamIndexDefinition } from '../../model/definitions/team-index-definition.ts';
import { formatInstant } from '../../model/time.ts';
import { toLevel } from '../../model/units.ts';
import { findMarket } from '../../store/catalog/catalog.ts';
import { type Adopted, findFirstAdoption } from '../../store/definitions/definitions.ts';
import { findIndexPrint } from '../../store/prints/index-prints.ts';
import { findPrintsDigest, listValues } from '../../store/prints/known-prints.ts';
import { nameSearch } from '../name-search.ts';
import { pageOf, sortRows } from '../paging.ts';
import { flag, oneOf, page, perPage, sortDirection, text } from '../parameters.ts';
import { presentInstant } from '../present.ts';
import { type RouteRequest, route, TIERS } from '../route.ts';
import { standingConstituents } from '../standing-constituents.ts';
import { methodologiesOf, visibleIndices } from '../visibility.ts';
import { constituentRows } from './constituent-rows.ts';
import { correlatedMarks } from './correlated-marks.ts';
import {
  indexCloses,
  indexHead,
  indexReturns,
  latestPrice,
  levelChange,
  listSeriesCloses,
  WINDOWS,
  type Window,
} from './index-body.ts';
import { indexRoute } from './index-route.ts';
import { sleeves } from './sleeves.ts';
import { officialDailyValue, seriesStarts } from './team-indices.ts';

const SORTS = ['order', 'ticker', 'name', 'last', 'change', 'constituents', 'methodology'] as const;

// For every index found only this is read; full rows are made for one page.
function sortValue(
  { position, definition }: Adopted<IndexDefinition>,
  sort: (typeof SORTS)[number],
  request: RouteRequest<{ window: Window }>,
): string | number | undefined {
  const { ticker } = definition;
  if (sort === 'order') return position;
  if (sort === 'last') return latestPrice(request, ticker);
  if (sort === 'change') return levelChange(request, ticker, request.query.window)?.percent;
  if (sort === 'constituents') return standingConstituents(request.reader, definition).length;
  return definition[sort];
}

const indexList = route({
  path: '/indices',
  summary: 'Indices, in presentation order',
  tiers: TIERS,
  query: z.object({
    page,
    per_page: perPage,
    search: text,
    methodology: text,
    sort: oneOf(SORTS),
    sort_dir: sortDirection,
    window: oneOf(WINDOWS).default('7d'),
    exclude_derived: flag,
  }),
  answer(request) {
    const { reader, query } = request;
    const isWanted = nameSearch(query.search);
    const { sort = 'order', window } = query;
    const found = visibleIndices(reader, request).filter(
      ({ definition }) =>
        isWanted(definition) &&
        (!query.methodology || definition.methodology === query.methodology) &&
        (!query.exclude_derived || definition.methodology !== 'total_return'),
    );
    const sorted = sortRows(
      found,
      (each) => sortValue(each, sort, request),
      query.sort_dir ?? 'asc',
      (each) => each.definition.ticker,
    );
    const { data, meta } = pageOf(sorted, query);
    return {
      data: data.map(({ definition }) => ({
        ...indexHead(definition, request),
        change_percent: levelChange(request, definition.ticker, window)?.percent,
      })),
      meta: { ...meta, window },
      methodologies: methodologiesOf(found),
    };
  },
  documents: () => [''],
});

const indexDetail = indexRoute({
  path: '/indices/{id}',
  summary: 'One index',
  answer(definition, request) {
    return {
      ...indexHead(definition, request),
      ...(request.tier === 'authenticated' ? indexCloses(request, definition.ticker) : {}),
      group_by: definition.group_by,
      constituent_returns: indexReturns(request, definition),
      ...(definition.methodology === 'nti' ? teamFields(request, definition) : {}),
      ...(definition.methodology === 'total_return'
        ? { base_index_id: definition.base_index_id, settlement_cash: definition.settlement_cash }
        : {}),
    };
  },
});

const indexPrices = indexRoute({
  path: '/indices/{id}/prices',
  summary: 'Prints of an index, oldest first',
  madeFrom: (definition, request) => ({
    ...seriesHead(definition, request),
    prints: findPrintsDigest(request.reader, { kind: 'index', ticker: definition.ticker }, request.now),
  }),
  answer(definition, request) {
    const { ticker } = definition;
    const levels = listValues(request.reader, { kind: 'index', ticker }, 0, request.now);
    const data = levels.map(({ at, value, revision }) => ({
      at: formatInstant(at),
      level: toLevel(value),
      revision: revision || undefined,
    }));
    return { ...seriesHead(definition, request), data };
  },
});

function seriesHead(
  { ticker, quote_convention }: IndexDefinition,
  { reader, now }: Pick<RouteRequest, 'reader' | 'now'>,
) {
  const starts = seriesStarts(reader, ticker, now);
  return {
    index_id: ticker,
    ticker,
    quote_convention,
    launched_at: presentInstant(findFirstAdoption(reader, { kind: 'index', ticker })),
    series_starts: starts.length > 1 ? starts : undefined,
  };
}

const indexConstituents = indexRoute({
  path: '/indices/{id}/constituents',
  summary: 'Constituents of an index with their weights',
  answer(definition, request) {
    const { ticker } = definition;
    const data = constituentRows(request.reader, definition).map((row) => ({
      ...row,
      question: 'market_id' in row ? findMarket(request.reader, row.market_id)?.question : undefined,
    }));
    return { index_id: ticker, ticker, data };
  },
});

const indexCorrelation = indexRoute({
  path: '/indices/{id}/correlation',
  summary: 'Pearson correlation of the daily changes of the constituents',
  answer(definition, request) {
    const { reader, now, tier } = request;
    const { ticker } = definition;
    const closes = listSeriesCloses(reader, ticker, CORRELATION_CLOSES, now);
    const prints = closes.flatMap((close) => findIndexPrint(reader, ticker, close.at) ?? []);
    const latest = tier === 'authenticated' ? findIndexPrint(reader, ticker, now) : undefined;
    if (latest && latest.at > (prints.at(-1)?.at ?? 0)) prints.push(latest);
    const markets = standingConstituents(reader, definition).map((each) => each.market_id);
    const rows = correlatedMarks(reader, ticker, prints, markets);
    const through = prints.at(-1);
    return {
      index_id: ticker,
      ticker,
      ...correlate(markets, rows),
      through: presentInstant(through?.at),
    };
  },
});

/** The fields that only the detail of a team index has. */
function teamFields({ reader, now }: RouteRequest, definition: TeamIndexDefinition) {
  const { ticker, fourth_seat } = definition;
  return {
    fourth_seat,
    official_daily_value: officialDailyValue(reader, ticker, now),
    sleeves: sleeves(reader, definition, now),
  };
}

export const indexRoutes = [indexList, indexDetail, indexPrices, indexConstituents, indexCorrelation];
