import type { Observation } from '../../../model/observation.ts';
import { formatInstant, HOUR_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { leaveOut, type ReadPage, readEnvelope, readRow } from '../../wire/wire-rows.ts';
import { readCandle, WrongField } from './read-candle.ts';
import * as wire from './wire.ts';

/** The hourly candles of an answer, by ticker, without tickers that the venue left out. */
export interface CandlesPage extends ReadPage {
  byTicker: Map<string, Observation[]>;
  /** By ticker, the instant of the last candle before the first one left out; answers are oldest first. */
  heldAt: Map<string, Instant>;
}

/**
 * Parses hourly candles of several markets. A candle is dated at its end; one that has not ended is left to the next
 * run. Bid and ask are those at its end; if nothing traded in it, `last` is the previous trade.
 */
export function parseCandlesPage(json: unknown, now: Instant): CandlesPage {
  const page: CandlesPage = { read: 0, byTicker: new Map(), heldAt: new Map(), rejections: [] };
  for (const [position, value] of readEnvelope(wire.candlesPage, json).markets.entries()) {
    const row = readRow(page, wire.marketCandles, value, { position, idField: 'market_ticker' });
    if (row) addCandles(page, row.candlesticks, { position, ticker: row.market_ticker, now });
    else page.read++;
  }
  return page;
}

/** Parses hourly candles of one market. */
export function parseOneMarketCandles(json: unknown, now: Instant): CandlesPage {
  const page: CandlesPage = { read: 0, byTicker: new Map(), heldAt: new Map(), rejections: [] };
  const { ticker, candlesticks } = readEnvelope(wire.oneMarketCandles, json);
  addCandles(page, candlesticks, { position: 0, ticker, now });
  return page;
}

interface CandleList {
  position: number;
  ticker: string;
  now: Instant;
}

function addCandles(
  page: CandlesPage,
  candlesticks: readonly unknown[],
  { position, ticker, now }: CandleList,
): void {
  page.read += candlesticks.length;
  const observations = page.byTicker.get(ticker) ?? [];
  for (let i = 0; i < candlesticks.length; i++)
    try {
      const candle = readCandle(candlesticks[i]);
      refuseLate(candle.observed_at, now);
      if (candle.observed_at <= now) observations.push(candle);
    } catch (thrown) {
      if (!(thrown instanceof WrongField)) throw thrown;
      const path = [`candlesticks.${i}`, thrown.field].filter((part) => part).join('.');
      leaveOut(page, { position, native_id: ticker, path, reason: thrown.message });
      if (!page.heldAt.has(ticker)) page.heldAt.set(ticker, observations.at(-1)?.observed_at ?? 0);
    }
  page.byTicker.set(ticker, observations);
}

// The current hour ends in the future; a later end is an error.
function refuseLate(end: Instant, now: Instant): void {
  if (end <= now + HOUR_MS) return;
  const reason = `end_period_ts must not be more than an hour ahead, got ${formatInstant(end)}`;
  throw new WrongField('end_period_ts', reason);
}
