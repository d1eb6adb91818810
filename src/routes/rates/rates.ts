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
import { centsChange, isListed, rateBody, rateCloses, rateStats } from './rate-body.ts';
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
    const methodologies = methodologiesOf(found);
    const rows = found.map((each) => rateBody(each.definition, request));
    const sorted = sortRates(rows, request);
    const isPaged = Object.values(wanted).some((value) => value !== undefined);
    if (!isPaged) return { data: sorted, methodologies };
    const { page = 1, per_page = 100 } = wanted;
    return { ...pageOf(sorted, { page, per_page }), methodologies };
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

type Row = ReturnType<typeof rateBody>;

function sortRates(rows: readonly Row[], request: RouteRequest<z.output<typeof query>>): Row[] {
  const sort = request.query.sort ?? 'name';
  const key = (row: Row) => {
    const { ticker, name, methodology, latest_price, spread, sources } = row;
    // The position by change would give away a withheld price.
    if (sort === 'change') return latest_price === undefined ? undefined : centsChange(request, ticker);
    return {
      ticker,
      name,
      methodology,
      last: latest_price ?? undefined,
      spread: spread ?? undefined,
      sources: sources.length,
    }[sort];
  };
  return sortRows(rows, key, request.query.sort_dir ?? 'asc', (row) => row.ticker);
}

export const rateRoutes = [publicRateList, rateList, rateDetail, ratePrices];
export const rateExports = [rateExport];
