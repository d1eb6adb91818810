import { type Observation, usableQuote, usableTrade } from '../../../model/observation.ts';
import { HOUR_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { given, type Rejection, readEnvelope, readRow, reject } from '../../wire-rows.ts';
import { priceOf } from './prices.ts';
import * as wire from './wire.ts';

/** The hourly candles of an answer, by ticker; a ticker that the venue left out is not in it. */
export interface CandlesPage {
  read: number;
  byTicker: Map<string, Observation[]>;
  /** By ticker, the candle before the first one that was left out; the answer's order is oldest first. */
  heldAt: Map<string, Instant>;
  rejections: Rejection[];
}

/**
 * Reads hourly candles of several markets. A candle stands at its end; one that has not ended is left for the
 * next run. Bid and ask are those at its end; what traded before stands for `last` when nothing traded in it.
 */
export function parseCandlesPage(json: unknown, now: Instant): CandlesPage {
  const page: CandlesPage = { read: 0, byTicker: new Map(), heldAt: new Map(), rejections: [] };
  for (const [position, value] of readEnvelope(wire.candlesPage, json).markets.entries()) {
    const result = readRow(wire.marketCandles, value, { position, idField: 'market_ticker' });
    if ('rejection' in result) {
      page.read++;
      page.rejections.push(result.rejection);
      continue;
    }
    const { market_ticker, candlesticks } = result.row;
    addCandles(page, wire.candle, candlesticks, { position, ticker: market_ticker, now });
  }
  return page;
}

/** The tier that keeps a market: what settled before the cutoff is moved to the historical one. */
export type Tier = 'live' | 'historical';

/** Reads hourly candles of one market; those of the historical tier have other names for the same prices. */
export function parseOneMarketCandles(json: unknown, tier: Tier, now: Instant): CandlesPage {
  const page: CandlesPage = { read: 0, byTicker: new Map(), heldAt: new Map(), rejections: [] };
  const { ticker, candlesticks } = readEnvelope(wire.oneMarketCandles, json);
  const schema = tier === 'live' ? wire.candle : wire.historicalCandle;
  addCandles(page, schema, candlesticks, { position: 0, ticker, now });
  return page;
}

type CandleSchema = typeof wire.candle | typeof wire.historicalCandle;

interface CandleList {
  position: number;
  ticker: string;
  now: Instant;
}

function addCandles(
  page: CandlesPage,
  schema: CandleSchema,
  candlesticks: readonly unknown[],
  list: CandleList,
): void {
  const { ticker, now } = list;
  page.read += candlesticks.length;
  const observations = page.byTicker.get(ticker) ?? [];
  for (const [i, each] of candlesticks.entries()) {
    const read = parseCandle(schema, each, { ...list, i });
    if ('rejection' in read) {
      page.rejections.push(read.rejection);
      if (!page.heldAt.has(ticker)) page.heldAt.set(ticker, observations.at(-1)?.observed_at ?? 0);
    } else if (read.row.observed_at <= now) observations.push(read.row);
  }
  page.byTicker.set(ticker, observations);
}

function parseCandle(
  schema: CandleSchema,
  value: unknown,
  { position, ticker, i, now }: CandleList & { i: number },
): { row: Observation } | { rejection: Rejection } {
  const place = { position, within: `candlesticks.${i}`, idField: 'market_ticker' };
  const named = (rejection: Rejection) => ({ rejection: { ...rejection, native_id: ticker } });
  const result = readRow<CandleSchema>(schema, value, place);
  if ('rejection' in result) return named(result.rejection);
  const { row } = result;
  // The hour that is under way ends in the future; a later end is no hour of ours.
  if (row.end_period_ts > now + HOUR_MS)
    return named(reject(value, place, 'end_period_ts', 'end_period_ts must not be more than an hour ahead'));
  if (!row.yes_bid && !row.yes_ask && !row.price)
    return named(reject(value, place, '', 'a candle must have a bid, an ask or a price'));
  const price = row.price ?? undefined;
  const close = usableTrade(priceOf(price?.close_dollars, price?.close));
  const traded = price !== undefined && close !== undefined;
  return {
    row: {
      observed_at: row.end_period_ts,
      ...given({
        bid: usableQuote(priceOf(row.yes_bid?.close_dollars, row.yes_bid?.close)),
        ask: usableQuote(priceOf(row.yes_ask?.close_dollars, row.yes_ask?.close)),
        last: close ?? usableTrade(priceOf(price?.previous_dollars, price?.previous)),
        open: traded ? usableTrade(priceOf(price.open_dollars, price.open)) : undefined,
        high: traded ? usableTrade(priceOf(price.high_dollars, price.high)) : undefined,
        low: traded ? usableTrade(priceOf(price.low_dollars, price.low)) : undefined,
        volume: row.volume_fp ?? row.volume,
        open_interest: row.open_interest_fp ?? row.open_interest,
      }),
    },
  };
}
