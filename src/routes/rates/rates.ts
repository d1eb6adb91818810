import { z } from 'zod';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { findFirstAdoption } from '../../store/definitions/definitions.ts';
import { findPrintsDigest } from '../../store/prints/known-prints.ts';
import { nameSearch } from '../name-search.ts';
import { pageOf, sortRows } from '../paging.ts';
import {
  instantParameter,
  oneOf,
  page,
  pageNumber,
  perPage,
  rowsPerPage,
  sortDirection,
  text,
} from '../parameters.ts';
import { presentInstant } from '../present.ts';
import { exportRoute, type RouteRequest, route, routesOf } from '../route.ts';
import { methodologiesOf, publicRateTickers, requestedRate, visibleRates } from '../visibility.ts';
import { isListed, rateBody, rateCloses, rateStats, shownFigure } from './rate-body.ts';
import { ratePoints } from './rate-points.ts';

const SORTS = ['ticker', 'name', 'last', 'change', 'spread', 'sources', 'methodology'] as const;

const query = z.object({
  page: pageNumber.optional(),
  per_page: rowsPerPage.optional(),
  search: text,
  methodology: text,
  sort: oneOf(SORTS),
  sort_dir: sortDirection,
});

// For every rate found only this is read; full rows are made for one page.
function sortValue(
  definition: RateDefinition,
  sort: (typeof SORTS)[number],
  request: RouteRequest<object>,
): string | number | undefined {
  if (sort === 'sources') return definition.sources.length;
  if (sort === 'last' || sort === 'change' || sort === 'spread')
    return shownFigure(sort, definition.ticker, request);
  return definition[sort];
}

const publicRateList = route({
  path: '/rates',
  summary: 'Reference rates by name: all of them, or, with any parameter, one page',
  tiers: ['public'],
  query,
  answer(request) {
    const { reader, query: wanted } = request;
    const isWanted = nameSearch(wanted.search);
    const found = visibleRates(reader, request).filter(
      ({ definition }) =>
        isWanted(definition) &&
        (!wanted.methodology || definition.methodology === wanted.methodology) &&
        isListed(definition, reader),
    );
    const sorted = sortRows(
      found,
      ({ definition }) => sortValue(definition, wanted.sort ?? 'name', request),
      wanted.sort_dir ?? 'asc',
      ({ definition }) => definition.ticker,
    );
    const isPaged = Object.values(wanted).some((value) => value !== undefined);
    const { page = 1, per_page = 100 } = wanted;
    const { data, ...paging } = isPaged ? pageOf(sorted, { page, per_page }) : { data: sorted };
    return {
      data: data.map(({ definition }) => rateBody(definition, request)),
      ...paging,
      methodologies: methodologiesOf(found),
    };
  },
  documents: () => [''],
});

const rateList = route({
  path: '/rates',
  summary: 'Reference rates with their latest print since start, or of the last seven days',
  tiers: ['authenticated'],
  query: z.object({ start: instantParameter, page, per_page: perPage }),
  answer(request) {
    const { reader, query: wanted } = request;
    const rates = visibleRates(reader, request);
    const { data, meta } = pageOf(rates, wanted);
    return {
      data: data.map((each) => rateBody(each.definition, request, wanted.start)),
      meta,
      methodologies: methodologiesOf(rates),
    };
  },
});

const rateExport = exportRoute({
  path: '/export/rates/{ext}',
  summary: 'All reference rates as a file, with their latest print since start, or of the last seven days',
  query: z.object({ start: instantParameter }),
  columns: [
    'ticker',
    'name',
    'description',
    'methodology',
    'visibility',
    'latest_price',
    'spread',
    'confidence',
    'latest_print_at',
    'sources',
  ],
  *rows(request) {
    for (const { definition } of visibleRates(request.reader, request))
      yield rateBody(definition, request, request.query.start);
  },
});

const rateRoute = routesOf(requestedRate, { documents: publicRateTickers });

const rateDetail = rateRoute({
  path: '/rates/{id}',
  summary: 'One reference rate with its sources',
  answer(definition, request) {
    const body = rateBody(definition, request);
    if (request.tier === 'public') return body;
    const { ticker } = definition;
    return { ...body, ...rateCloses(request, ticker), ...rateStats(request, ticker) };
  },
});

const ratePrices = rateRoute({
  path: '/rates/{id}/prices',
  summary: 'Prints of a rate, oldest first; those of a rolling chain with the weights of its contracts',
  madeFrom: (definition, request) => ({
    ...seriesHead(definition, request),
    prints: findPrintsDigest(request.reader, { kind: 'rate', ticker: definition.ticker }, request.now),
  }),
  answer: (definition, request) => ({
    ...seriesHead(definition, request),
    data: ratePoints(definition, request),
  }),
});

function seriesHead({ ticker, methodology }: RateDefinition, { reader }: Pick<RouteRequest, 'reader'>) {
  const launched_at = presentInstant(findFirstAdoption(reader, { kind: 'rate', ticker }));
  return { ticker, methodology, launched_at };
}

export const rateRoutes = [publicRateList, rateList, rateDetail, ratePrices];
export const rateExports = [rateExport];
