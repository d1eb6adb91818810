import { z } from 'zod';
import { given } from '../../model/given.ts';
import { PLATFORMS } from '../../model/platform.ts';
import { countRows } from '../../store/catalog/catalog-counts.ts';
import type { CatalogFilter } from '../../store/catalog/catalog-filter.ts';
import {
  eachMarket,
  listFoundMarkets,
  listMarkets,
  listSortedMatches,
  MARKET_SORTS,
  type MarkedMarketRow,
  type MarketOrder,
} from '../../store/catalog/market-lists.ts';
import { MOST_MATCHES } from '../../store/catalog/search.ts';
import { cappedMeta, isFarDown, type Paged, pageMeta, rowsOf, uncountedMeta } from '../paging.ts';
import { instantParameter, oneOf, page, perPage, searchText, sortDirection } from '../parameters.ts';
import { exportRoute, type RouteRequest, route } from '../route.ts';
import { market } from '../shapes/catalog.ts';
import { publicConstituents } from '../visibility.ts';
import { marketBody } from './market-body.ts';

const filterQuery = z.object({
  search: searchText,
  venue: oneOf(PLATFORMS),
  expires_after: instantParameter,
  expires_before: instantParameter,
  sort: oneOf(MARKET_SORTS),
  sort_dir: sortDirection,
});
const scope = oneOf(['constituents', 'all']);
const publicQuery = filterQuery.extend({ page, per_page: perPage });

type Wanted = z.output<typeof filterQuery> & { scope?: z.output<typeof scope> };

const needs = {
  needsCatalog: true,
  needsSearch: ({ search }: Wanted) => search !== undefined,
};

const common = {
  path: '/markets',
  summary: 'Markets, newest listed first; with search, by relevance',
  ...needs,
  // No database index has these orders, or the page is far down.
  takesLong: (query: Wanted & Paged) =>
    query.search !== undefined ||
    query.sort === 'latest_price' ||
    query.expires_after !== undefined ||
    query.expires_before !== undefined ||
    isFarDown(query),
};

const publicMarketList = route({
  ...common,
  tiers: ['public'],
  query: publicQuery,
  answer: marketPage,
  documents: () => [''],
});

const marketList = route({
  ...common,
  tiers: ['authenticated'],
  query: publicQuery.extend({ scope }),
  answer: marketPage,
});

const marketExport = exportRoute({
  path: '/export/markets/{ext}',
  summary: 'All markets as a file; with search, the first 10,000 matches',
  ...needs,
  query: filterQuery.extend({ scope }),
  columns: Object.keys(market.shape),
  *rows(request) {
    for (const row of eachWanted(request)) yield marketBody(row, request);
  },
});

function marketPage(request: RouteRequest<Wanted & Paged>): object {
  const { reader, query: wanted } = request;
  const filter = filterOf(request);
  const page = rowsOf(wanted);
  const bodies = (rows: readonly MarkedMarketRow[]) => rows.map((row) => marketBody(row, request));
  const words = wanted.search;
  if (words === undefined) {
    const data = bodies(listMarkets(reader, filter, orderOf(wanted), page));
    return { data, meta: pageMeta(countRows(reader, 'market', filter), wanted) };
  }
  if (wanted.sort === undefined) {
    const { rows, has_next } = listFoundMarkets(reader, words, filter, page);
    return { data: bodies(rows), meta: uncountedMeta(wanted, has_next) };
  }
  const { rows, total } = listSortedMatches(reader, words, filter, orderOf(wanted), page);
  return { data: bodies(rows), meta: cappedMeta(total, MOST_MATCHES, wanted) };
}

function eachWanted(request: RouteRequest<Wanted>): Iterable<MarkedMarketRow> {
  const { reader, query: wanted } = request;
  const filter = filterOf(request);
  if (wanted.search === undefined) return eachMarket(reader, filter, orderOf(wanted));
  const page = { limit: MOST_MATCHES, offset: 0 };
  return wanted.sort === undefined
    ? listFoundMarkets(reader, wanted.search, filter, page).rows
    : listSortedMatches(reader, wanted.search, filter, orderOf(wanted), page).rows;
}

function filterOf({ reader, now, query }: RouteRequest<Wanted>): CatalogFilter {
  const { venue, scope, expires_after, expires_before } = query;
  return given({
    platform: venue,
    among: scope === 'constituents' ? publicConstituents(reader, now) : undefined,
    closesAfter: expires_after,
    closesBefore: expires_before,
  });
}

function orderOf({ sort, sort_dir }: Wanted): MarketOrder {
  return { sort: sort ?? 'listed', direction: sort_dir ?? 'desc' };
}

export const marketListRoutes = [publicMarketList, marketList];
export const marketExports = [marketExport];
