import { z } from 'zod';
import { answerRows, cursor, listOf, optionalListOf, rows } from '../../wire/wire-lists.ts';
import {
  amount,
  cents,
  flag,
  fraction,
  instantText,
  nativeId,
  neededText,
  shownText,
} from '../../wire/wire-scalars.ts';

/**
 * Schemas of the answers, for both generations of prices: until March 2026 integer cents beside dollar texts, since
 * then only dollar texts and `_fp` counts. Keys that are not used are left out.
 */

export const eventsPage = z.object({ events: answerRows, cursor });
export const marketsPage = z.object({ markets: answerRows, cursor });
export const candlesPage = z.object({ markets: answerRows });
export const tradesPage = z.object({ trades: answerRows, cursor });
export const booksPage = z.object({ orderbooks: answerRows });

export const seriesList = z.object({ series: answerRows });
export const oneSeries = z.object({ series: z.unknown() });
export const cutoff = z.object({ market_settled_ts: instantText, trades_created_ts: instantText });

export const series = z.object({
  ticker: nativeId,
  title: neededText,
  category: shownText,
  tags: optionalListOf(z.string()),
  settlement_sources: optionalListOf(z.object({ name: shownText, url: shownText })),
  contract_url: shownText,
  contract_terms_url: shownText,
});

export type Series = z.output<typeof series>;

export const event = z.object({
  event_ticker: nativeId,
  series_ticker: shownText,
  title: neededText,
  sub_title: shownText,
  category: shownText,
  markets: rows,
});

export type Event = z.output<typeof event>;

export const market = z.object({
  ticker: nativeId,
  event_ticker: nativeId,
  title: shownText,
  yes_sub_title: shownText,
  rules_primary: shownText,
  rules_secondary: shownText,
  status: neededText,
  result: shownText,
  created_time: instantText,
  open_time: instantText,
  close_time: instantText,
  settlement_ts: instantText,
  settlement_value_dollars: fraction,
  settlement_value: cents,
  settlement_bounds_type: shownText,
  yes_bid_dollars: fraction,
  yes_bid: cents,
  yes_bid_size_fp: amount,
  yes_ask_dollars: fraction,
  yes_ask: cents,
  yes_ask_size_fp: amount,
  last_price_dollars: fraction,
  last_price: cents,
  volume_fp: amount,
  volume: amount,
  open_interest_fp: amount,
  open_interest: amount,
});

export type Market = z.output<typeof market>;

export const trade = z.object({
  trade_id: nativeId,
  ticker: shownText,
  yes_price_dollars: fraction,
  yes_price: cents,
  count_fp: amount,
  count: amount,
  created_time: instantText,
  is_block_trade: flag,
});

export const oneMarketCandles = z.object({ ticker: nativeId, candlesticks: answerRows });
export const marketCandles = z.object({ market_ticker: nativeId, candlesticks: answerRows });

const rungs = listOf(z.tuple([fraction, amount], z.unknown())).nullish();
const rungsInCents = listOf(z.tuple([cents, amount], z.unknown())).nullish();

const bids = z
  .object({ yes_dollars: rungs, no_dollars: rungs, yes: rungsInCents, no: rungsInCents })
  .nullish();

export const book = z.object({ ticker: nativeId, orderbook_fp: bids, orderbook: bids });

export type Bids = NonNullable<z.output<typeof bids>>;
