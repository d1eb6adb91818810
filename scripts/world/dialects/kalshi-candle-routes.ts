import { type KalshiMarket, openDesk } from '../catalog.ts';
import { AsciiBody } from '../http/ascii-body.ts';
import { type Ask, isReply, ok, type Reply, readInteger } from '../http/route.ts';
import type { World } from '../world.ts';
import { writeCandles } from './kalshi-candles.ts';
import { hasMoved, kalshiError } from './kalshi-filters.ts';

const PERIODS_ONE = 5_000;
const PERIODS_BATCH = 10_000;

interface Window {
  /** Milliseconds. */
  from: number;
  to: number;
  minutes: number;
  /** Periods of the requested range, whether they have rows or not. */
  periods: number;
}

function readWindow(ask: Ask): Window | Reply {
  const start = readInteger(ask.query, 'start_ts', -1);
  const end = readInteger(ask.query, 'end_ts', -1);
  const minutes = readInteger(ask.query, 'period_interval', -1);
  if (start === undefined || end === undefined || minutes === undefined || start < 0 || end < 0) {
    return kalshiError(400, 'invalid_parameters', 'start_ts, end_ts and period_interval are required');
  }
  if (![1, 60, 1440].includes(minutes)) {
    return kalshiError(400, 'invalid_parameters', 'period_interval must be 1, 60 or 1440');
  }
  if (end < start) return kalshiError(400, 'invalid_parameters', 'end_ts must not be before start_ts');
  return {
    from: start * 1000,
    to: end * 1000,
    minutes,
    periods: Math.ceil((end - start) / (minutes * 60)),
  };
}

function addCandles(body: AsciiBody, world: World, market: KalshiMarket, window: Window): void {
  const desk = openDesk(world.truth, market.contract);
  body.add('[');
  body.addList(writeCandles(desk, window.from, window.to, window.minutes, world.now()));
  body.add(']');
}

/** Candles of one market; the series must be the market's own. */
export function answerCandles(world: World, ask: Ask): Reply {
  const market = world.catalog.kalshi.markets.get(ask.params.ticker ?? '');
  const window = readWindow(ask);
  if (isReply(window)) return window;
  if (
    market === undefined ||
    market.event.face.series.ticker !== ask.params.series ||
    isMoved(world, market)
  ) {
    return kalshiError(404, 'not_found', 'market not found');
  }
  if (window.periods > PERIODS_ONE) {
    return kalshiError(
      400,
      'bad_request',
      `requested ${window.periods} candlesticks, maximum is ${PERIODS_ONE}`,
    );
  }
  const body = new AsciiBody();
  body.add(`{"ticker":"${market.ticker}","candlesticks":`);
  addCandles(body, world, market, window);
  body.add('}');
  return ok({ raw: body.bytes });
}

/** Candles of up to 100 markets: tickers times periods may not pass 10,000. */
export function answerBatchCandles(world: World, ask: Ask): Reply {
  const tickers = (ask.query.get('market_tickers') ?? '').split(',').filter((ticker) => ticker !== '');
  const window = readWindow(ask);
  if (isReply(window)) return window;
  if (tickers.length < 1 || tickers.length > 100) {
    return kalshiError(400, 'invalid_parameters', `1 to 100 market_tickers required, got ${tickers.length}`);
  }
  const wanted = window.periods * tickers.length;
  if (wanted > PERIODS_BATCH) {
    return kalshiError(400, 'bad_request', `requested ${wanted} candlesticks, maximum is ${PERIODS_BATCH}`);
  }
  const markets = tickers.flatMap((ticker) => world.catalog.kalshi.markets.get(ticker) ?? []);
  const body = new AsciiBody();
  body.add('{"markets":[');
  for (const [i, market] of markets.filter((each) => !isMoved(world, each)).entries()) {
    body.add(`${i > 0 ? ',' : ''}{"market_ticker":"${market.ticker}","candlesticks":`);
    addCandles(body, world, market, window);
    body.add('}');
  }
  body.add(']}');
  return ok({ raw: body.bytes });
}

/** Candles of a market in the historical tier: the same tree with other names, absent prices null. */
export function answerHistoricalCandles(world: World, ask: Ask): Reply {
  const market = world.catalog.kalshi.markets.get(ask.params.ticker ?? '');
  const window = readWindow(ask);
  if (isReply(window)) return window;
  if (market === undefined || !isMoved(world, market)) {
    return kalshiError(404, 'not_found', 'market not found');
  }
  const body = new AsciiBody();
  addCandles(body, world, market, window);
  const live = JSON.parse(body.bytes.toString()) as LiveCandle[];
  return ok({ ticker: market.ticker, candlesticks: live.map(toHistorical) });
}

function isMoved(world: World, market: KalshiMarket): boolean {
  return hasMoved(world, openDesk(world.truth, market.contract).life.finalized_at);
}

interface LiveCandle {
  end_period_ts: number;
  yes_bid: Record<string, string>;
  yes_ask: Record<string, string>;
  price: Record<string, string>;
  volume_fp: string;
  open_interest_fp: string;
}

const PRICE_KEYS = ['open', 'low', 'high', 'close', 'mean', 'previous'] as const;

function toHistorical(candle: LiveCandle): Record<string, unknown> {
  const bare = (prices: Record<string, string>, keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, prices[`${key}_dollars`] ?? null]));
  return {
    end_period_ts: candle.end_period_ts,
    yes_bid: bare(candle.yes_bid, PRICE_KEYS.slice(0, 4)),
    yes_ask: bare(candle.yes_ask, PRICE_KEYS.slice(0, 4)),
    price: bare(candle.price, PRICE_KEYS),
    volume: candle.volume_fp,
    open_interest: candle.open_interest_fp,
  };
}
