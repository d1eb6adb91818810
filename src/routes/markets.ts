import { z } from 'zod';
import { PLATFORMS } from '../model/platform.ts';
import type { IndexStanding } from '../model/print.ts';
import { findMarket } from '../store/catalog.ts';
import {
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
import { route, TIERS } from './route.ts';
import { visibleIndices } from './visibility.ts';

const marketList = route({
  path: '/markets',
  summary: 'Markets, newest listed first',
  tiers: TIERS,
  query: z.object({
    page,
    per_page: perPage,
    venue: oneOf(PLATFORMS),
    sort: oneOf(MARKET_SORTS),
    sort_dir: sortDirection,
  }),
  refuses: {
    search: 'is not supported by this version',
    expires_after: 'is not supported by this version',
    expires_before: 'is not supported by this version',
  },
  needsCatalog: true,
  answer({ reader, query, sites }) {
    const filter = query.venue ? { platform: query.venue } : {};
    const order = { sort: query.sort ?? 'listed', direction: query.sort_dir ?? 'desc' } as const;
    const limits = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
    const rows = listMarkets(reader, filter, order, limits);
    return {
      data: rows.map((row) => marketBody(row, sites)),
      meta: pageMeta(countMarkets(reader, filter), query.page, query.per_page),
    };
  },
  documents: () => [''],
});

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

export const marketRoutes = [marketList, marketDetail, marketCandles, marketIndices];
