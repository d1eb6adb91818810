import { z } from 'zod';
import type { IndexStanding } from '../model/print.ts';
import { findMarket } from '../store/catalog.ts';
import { eachMarketId, findMarkedMarket } from '../store/market-lists.ts';
import { loadTail, observationsOf, selectPrices } from '../store/price-reads.ts';
import { findStanding } from '../store/standings.ts';
import { candleOf } from './candles.ts';
import { constituentRows } from './constituent-rows.ts';
import { marketBody } from './market-body.ts';
import { route, TIERS } from './route.ts';
import { visibleIndices } from './visibility.ts';

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

export const marketRoutes = [marketDetail, marketCandles, marketIndices];
