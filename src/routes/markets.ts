import { z } from 'zod';
import { PLATFORMS } from '../model/platform.ts';
import type { IndexStanding } from '../model/print.ts';
import { findMarket } from '../store/catalog.ts';
import {
  type CatalogFilter,
  countMarkets,
  eachMarketId,
  findMarkedMarket,
  listMarkets,
  MARKET_SORTS,
} from '../store/market-lists.ts';
import { loadTail, observationsOf, selectPrices } from '../store/price-reads.ts';
import { findStanding } from '../store/standings.ts';
import { candleOf } from './candles.ts';
import { constituentRows } from './constituent-rows.ts';
import { marketBody } from './market-body.ts';
import { pageMeta } from './paging.ts';
import { oneOf, page, perPage, sortDirection } from './parameters.ts';
import { type RouteRequest, route, TIERS } from './route.ts';
import { publicConstituents, visibleIndices } from './visibility.ts';

const publicQuery = z.object({
  page,
  per_page: perPage,
  venue: oneOf(PLATFORMS),
  sort: oneOf(MARKET_SORTS),
  sort_dir: sortDirection,
});

const common = {
  path: '/markets',
  summary: 'Markets, newest listed first',
  refuses: {
    search: 'is not supported by this version',
    expires_after: 'is not supported by this version',
    expires_before: 'is not supported by this version',
  },
  needsCatalog: true,
};

const publicMarketList = route({
  ...common,
  tiers: ['public'],
  query: publicQuery,
  answer: (request) => marketPage(request, {}),
  documents: () => [''],
});

const marketList = route({
  ...common,
  tiers: ['authenticated'],
  query: publicQuery.extend({ scope: oneOf(['constituents', 'all']) }),
  answer(request) {
    const { reader, query } = request;
    return marketPage(
      request,
      query.scope === 'constituents' ? { among: publicConstituents(reader, request.now) } : {},
    );
  },
});

function marketPage(
  { reader, query, sites }: RouteRequest<z.output<typeof publicQuery>>,
  limits: CatalogFilter,
) {
  const filter = query.venue ? { ...limits, platform: query.venue } : limits;
  const order = { sort: query.sort ?? 'listed', direction: query.sort_dir ?? 'desc' } as const;
  const rows = listMarkets(reader, filter, order, {
    limit: query.per_page,
    offset: (query.page - 1) * query.per_page,
  });
  return {
    data: rows.map((row) => marketBody(row, sites)),
    meta: pageMeta(countMarkets(reader, filter), query.page, query.per_page),
  };
}

const marketDetail = route({
  path: '/markets/{id}',
  summary: 'One market',
  tiers: TIERS,
  query: z.object({}),
  answer({ reader, id, sites }) {
    const market = findMarkedMarket(reader, id);
    return market && marketBody(market, sites);
  },
  documents: eachMarketId,
});

const marketCandles = route({
  path: '/markets/{id}/candles',
  summary: 'The price history of a market',
  tiers: ['authenticated'],
  query: z.object({}),
  answer({ reader, id, now }) {
    const market = findMarket(reader, id);
    if (!market) return undefined;
    const tail = loadTail(reader, new Set([market.market_key]));
    const prices = selectPrices(reader, market.market_key, { from: 0, until: now }, tail);
    return {
      market_id: id,
      data: observationsOf(prices).flatMap((each) => candleOf(each, market.family) ?? []),
    };
  },
});

const marketIndices = route({
  path: '/markets/{id}/indices',
  summary: 'The indices that a market is in',
  tiers: TIERS,
  query: z.object({}),
  answer(request) {
    const { reader, id } = request;
    if (!findMarket(reader, id)) return undefined;
    const data = visibleIndices(reader, request).flatMap(({ definition }) => {
      const { ticker, name } = definition;
      if (!definition.constituents.some((each) => each.market_id === id && each.status === 'included'))
        return [];
      const standing = findStanding<IndexStanding>(reader, 'index', ticker)?.body;
      const row = constituentRows(definition, standing).find((each) => each.market_id === id);
      return row ? [{ index_id: ticker, ticker, name, weight: row.weight }] : [];
    });
    return { data };
  },
  documents: eachMarketId,
});

export const marketRoutes = [publicMarketList, marketList, marketDetail, marketCandles, marketIndices];
