import { badRequest, type KalshiCatalog, kalshiNotFound } from './kalshi-catalog.ts';
import type { WireRow } from './recorded.ts';
import { type Answer, type Ask, integerParameter, listParameter, ok, type Route } from './route.ts';

const periods = [1, 60, 1440];
const mostPeriods = 5000;
const mostBatchPeriods = 10_000;
const mostBatchTickers = 100;

/** Kalshi's three live candle routes; limits count the periods asked for, not the rows served. */
export function kalshiCandleRoutes(catalog: KalshiCatalog): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/series\/[^/]+\/markets\/([^/]+)\/candlesticks$/,
      answer: (ask, ticker = '') => single(catalog, ask, ticker),
    },
    { method: 'GET', path: /^\/markets\/candlesticks$/, answer: (ask) => batch(catalog, ask) },
    {
      method: 'GET',
      path: /^\/series\/[^/]+\/events\/([^/]+)\/candlesticks$/,
      answer: (ask, event = '') => ofEvent(catalog, ask, event),
    },
  ];
}

/** Window of a candle ask: epoch seconds, period in minutes, number of periods it spans. */
interface Window {
  start: number;
  end: number;
  period: number;
  count: number;
}

function single(catalog: KalshiCatalog, ask: Ask, ticker: string): Answer {
  const window = windowOf(ask);
  if (window === undefined) return badRequest('start_ts, end_ts and period_interval are required');
  if (window.count > mostPeriods) return badRequest(`at most ${mostPeriods} candlesticks may be requested`);
  const candlesticks = candlesOf(catalog, ask, ticker, window);
  return candlesticks === undefined ? kalshiNotFound : ok({ ticker, candlesticks });
}

function batch(catalog: KalshiCatalog, ask: Ask): Answer {
  const window = windowOf(ask);
  const tickers = listParameter(ask.query, 'market_tickers');
  if (window === undefined) return badRequest('start_ts, end_ts and period_interval are required');
  if (tickers.length === 0 || tickers.length > mostBatchTickers) {
    return badRequest(`market_tickers must be 1 to ${mostBatchTickers}`);
  }
  if (window.count * tickers.length > mostBatchPeriods) {
    return badRequest(`at most ${mostBatchPeriods} candlesticks may be requested`);
  }
  const markets = tickers.map((market_ticker) => ({
    market_ticker,
    candlesticks: candlesOf(catalog, ask, market_ticker, window),
  }));
  return ok({ markets: markets.filter(({ candlesticks }) => candlesticks !== undefined) });
}

function ofEvent(catalog: KalshiCatalog, ask: Ask, event: string): Answer {
  const window = windowOf(ask);
  if (window === undefined) return badRequest('start_ts, end_ts and period_interval are required');
  const children = [...catalog.unlistedMarketsAt(ask.now), ...catalog.marketsAt(ask.now)]
    .filter((market) => market.event_ticker === event)
    .map((market) => `${market.ticker}`);
  if (children.length === 0) return kalshiNotFound;
  return ok({
    market_tickers: children,
    market_candlesticks: children.map((ticker) => candlesOf(catalog, ask, ticker, window) ?? []),
    adjusted_end_ts: window.end,
  });
}

function candlesOf(
  catalog: KalshiCatalog,
  ask: Ask,
  ticker: string,
  { start, end, period }: Window,
): WireRow[] | undefined {
  return catalog
    .candlesOf(ticker, period, ask.now)
    ?.filter(({ end_period_ts: at }) => typeof at === 'number' && at >= start && at <= end);
}

function windowOf({ query }: Ask): Window | undefined {
  const start = integerParameter(query, 'start_ts');
  const end = integerParameter(query, 'end_ts');
  const period = integerParameter(query, 'period_interval');
  if (start === undefined || end === undefined || period === undefined || !periods.includes(period)) {
    return undefined;
  }
  return { start, end, period, count: Math.floor((end - start) / (period * 60)) };
}
