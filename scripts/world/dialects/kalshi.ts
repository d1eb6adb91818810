import { iso } from '../calendar.ts';
import { type KalshiEvent, type KalshiMarket, openDesk } from '../catalog.ts';
import {
  type Ask,
  type Dialect,
  isReply,
  ok,
  type Reply,
  type Route,
  readInteger,
  takePage,
} from '../http/route.ts';
import type { World } from '../world.ts';
import { answerBatchCandles, answerCandles, answerHistoricalCandles } from './kalshi-candle-routes.ts';
import {
  cursorTo,
  hasMoved,
  kalshiError,
  readList,
  readMarketFilter,
  readPage,
  readStatus,
} from './kalshi-filters.ts';
import { bookRow, eventRow, type KalshiStatus, kalshiStatus, marketRow, seriesRow } from './kalshi-rows.ts';
import { answerTrades } from './kalshi-trades.ts';

const ROUTES: Route[] = [
  { method: 'GET', path: '/historical/cutoff', answer: answerCutoff },
  { method: 'GET', path: '/historical/markets', answer: answerHistoricalMarkets },
  { method: 'GET', path: '/historical/markets/:ticker/candlesticks', answer: answerHistoricalCandles },
  { method: 'GET', path: '/historical/trades', answer: (world, ask) => answerTrades(world, ask, true) },
  { method: 'GET', path: '/series', answer: answerSeriesList },
  { method: 'GET', path: '/series/:series', answer: answerSeries },
  { method: 'GET', path: '/series/:series/markets/:ticker/candlesticks', answer: answerCandles },
  { method: 'GET', path: '/events', answer: answerEvents },
  { method: 'GET', path: '/markets', answer: answerMarkets },
  { method: 'GET', path: '/markets/candlesticks', answer: answerBatchCandles },
  { method: 'GET', path: '/markets/orderbooks', answer: answerBooks },
  { method: 'GET', path: '/markets/trades', answer: (world, ask) => answerTrades(world, ask, false) },
  { method: 'GET', path: '/markets/:ticker/orderbook', answer: answerBook },
];

/** Kalshi's trade API, version 2: the read routes that the product uses. */
export const kalshi: Dialect = {
  prefix: '/kalshi/trade-api/v2',
  routes: ROUTES,
  notFound: () => kalshiError(404, 'not_found', 'not found'),
};

function answerCutoff(world: World): Reply {
  const cutoff = iso(world.historical_cutoff);
  return ok({ market_settled_ts: cutoff, trades_created_ts: cutoff, orders_updated_ts: cutoff });
}

function answerSeriesList(world: World, ask: Ask): Reply {
  const updated = readInteger(ask.query, 'min_updated_ts', -1) ?? -1;
  const series = world.epoch / 1000 > updated ? [...world.catalog.kalshi.series.values()] : [];
  return ok({ series: series.map((row) => seriesRow(row, world.epoch)) });
}

function answerSeries(world: World, ask: Ask): Reply {
  const series = world.catalog.kalshi.series.get(ask.params.series ?? '');
  if (series === undefined) return kalshiError(404, 'not_found', 'series not found');
  return ok({ series: seriesRow(series, world.epoch) });
}

/** Markets of an event in the live tier now. */
function shownMarkets(world: World, event: KalshiEvent): { market: KalshiMarket; status: KalshiStatus }[] {
  return event.markets.flatMap((market) => {
    const desk = openDesk(world.truth, market.contract);
    const status = kalshiStatus(desk, world.now());
    return status === undefined || hasMoved(world, desk.life.finalized_at) ? [] : [{ market, status }];
  });
}

function isListed(world: World, event: KalshiEvent): boolean {
  return event.markets.some(
    ({ contract }) => kalshiStatus(openDesk(world.truth, contract), world.now()) !== undefined,
  );
}

function answerEvents(world: World, ask: Ask): Reply {
  const page = readPage(ask, 200, 200);
  if (isReply(page)) return page;
  const limit = Math.min(page.limit, world.events_a_page);
  const status = readStatus(ask);
  if (isReply(status)) return status;
  const tickers = readList(ask, 'tickers');
  const series = ask.query.get('series_ticker') || undefined;
  const passes = (event: KalshiEvent): boolean => {
    if (tickers !== undefined && !tickers.has(event.face.event_ticker)) return false;
    if (series !== undefined && event.face.series.ticker !== series) return false;
    if (!isListed(world, event)) return false;
    const { wanted } = status;
    return wanted === undefined || shownMarkets(world, event).some((shown) => wanted.has(shown.status));
  };
  const { page: rows, next } = takePage(world.catalog.kalshi.event_list, page.from, limit, passes);
  const nested = ask.query.get('with_nested_markets') === 'true';
  const events = rows.map((event) =>
    eventRow(world, event, nested ? shownMarkets(world, event).map(({ market }) => market) : undefined),
  );
  return ok({ events, milestones: [], cursor: cursorTo(next) });
}

function answerMarkets(world: World, ask: Ask): Reply {
  const page = readPage(ask, 100, 1000);
  if (isReply(page)) return page;
  const filter = readMarketFilter(world, ask);
  if (isReply(filter)) return filter;
  const { page: rows, next } = takePage(marketsToScan(world, ask), page.from, page.limit, filter.passes);
  return ok({
    markets: rows.map((market) => marketRow(world, market)),
    cursor: cursorTo(next),
  });
}

// Named tickers are looked up, not scanned for; unknown ones are left out.
function marketsToScan(world: World, ask: Ask): KalshiMarket[] {
  const { markets, events, market_list } = world.catalog.kalshi;
  const tickers = readList(ask, 'tickers');
  if (tickers !== undefined) return [...tickers].flatMap((ticker) => markets.get(ticker) ?? []);
  const event = ask.query.get('event_ticker');
  if (event !== null && event !== '') return events.get(event)?.markets ?? [];
  return market_list;
}

function answerHistoricalMarkets(world: World, ask: Ask): Reply {
  const page = readPage(ask, 100, 1000);
  if (isReply(page)) return page;
  if (['min_settled_ts', 'max_settled_ts', 'status'].some((name) => ask.query.has(name))) {
    return kalshiError(400, 'bad_request', 'historical markets take no time or status filter');
  }
  const series = ask.query.get('series_ticker') || undefined;
  const { page: rows, next } = takePage(
    marketsToScan(world, ask),
    page.from,
    page.limit,
    (market) =>
      (series === undefined || market.event.face.series.ticker === series) &&
      hasMoved(world, openDesk(world.truth, market.contract).life.finalized_at),
  );
  const markets = rows.map((market) => ({ ...marketRow(world, market), open_interest_fp: '0.00' }));
  return ok({ markets, cursor: cursorTo(next) });
}

function answerBook(world: World, ask: Ask): Reply {
  const market = world.catalog.kalshi.markets.get(ask.params.ticker ?? '');
  if (market === undefined) return kalshiError(404, 'not_found', 'market not found');
  return ok({ orderbook_fp: bookRow(openDesk(world.truth, market.contract), world.now()) });
}

function answerBooks(world: World, ask: Ask): Reply {
  const tickers = ask.query.getAll('tickers');
  if (tickers.length < 1 || tickers.length > 100) {
    return kalshiError(400, 'invalid_parameters', `1 to 100 tickers required, got ${tickers.length}`);
  }
  const orderbooks = tickers.flatMap((ticker) => {
    const market = world.catalog.kalshi.markets.get(ticker);
    if (market === undefined) return [];
    return [{ ticker, orderbook_fp: bookRow(openDesk(world.truth, market.contract), world.now()) }];
  });
  return ok({ orderbooks });
}
