import { z } from 'zod';
import {
  answerRows,
  cursor,
  listOf,
  listOrText,
  optionalListOf,
  rows,
  tagTexts,
} from '../../wire/wire-lists.ts';
import {
  amount,
  epochSeconds,
  flag,
  fraction,
  instantText,
  nativeId,
  neededText,
  nullableAmount,
  nullableFraction,
  shownText,
} from '../../wire/wire-scalars.ts';

/** Schemas of the answers of the three hosts. Keys that are not used are left out. */

export const eventsPage = z.object({ events: answerRows, next_cursor: cursor });
export const marketsPage = z.object({ markets: answerRows, next_cursor: cursor });

const ofEvent = {
  id: nativeId,
  slug: shownText,
  description: shownText,
  category: shownText,
  tags: tagTexts,
  seriesSlug: shownText,
  series: optionalListOf(z.object({ slug: shownText })),
  createdAt: instantText,
  creationDate: instantText,
  endDate: instantText,
  volume: amount,
  openInterest: amount,
};

export const event = z.object({ ...ofEvent, title: neededText, markets: rows });
export type Event = z.output<typeof event>;

/** What the markets of an event need of it. */
export const parent = z.object({ id: nativeId, slug: shownText, endDate: instantText });
export type Parent = z.output<typeof parent>;

/** The event that a market of `/markets/keyset` names, sometimes with little more than its id. */
const parentEvents = optionalListOf(z.object({ ...ofEvent, title: shownText }));

export const gammaMarket = z.object({
  conditionId: nativeId,
  question: neededText,
  description: shownText,
  slug: shownText,
  events: parentEvents,
  version: shownText,
  clobTokenIds: listOrText,
  positionIds: listOrText,
  outcomes: listOrText,
  outcomePrices: listOrText,
  active: flag,
  closed: flag,
  archived: flag,
  acceptingOrders: flag,
  umaResolutionStatus: shownText,
  resolutionStatus: shownText,
  createdAt: instantText,
  startDate: instantText,
  endDate: instantText,
  closedTime: instantText,
  bestBid: fraction,
  bestAsk: fraction,
  lastTradePrice: fraction,
  volumeNum: amount,
  volume: amount,
});

export type GammaMarket = z.output<typeof gammaMarket>;

export const listingPage = z.object({ data: answerRows, next_cursor: cursor });

export const clobMarket = z.object({
  condition_id: nativeId,
  question: neededText,
  description: shownText,
  market_slug: shownText,
  end_date_iso: instantText,
  accepting_order_timestamp: instantText,
  active: flag,
  closed: flag,
  archived: flag,
  accepting_orders: flag,
  is_50_50_outcome: flag,
  tokens: listOf(
    z.object({ token_id: nativeId, outcome: shownText, price: z.unknown().optional(), winner: flag }),
  ),
});

export type ClobMarket = z.output<typeof clobMarket>;

const rungs = listOf(z.object({ price: nullableFraction, size: nullableAmount }))
  .nullable()
  .transform((value) => value ?? []);

export const booksAnswer = answerRows;
export const book = z.object({ asset_id: nativeId, bids: rungs, asks: rungs, last_trade_price: fraction });

export const historyPage = z.object({
  data: answerRows,
  pagination: z.object({ next_cursor: cursor }).nullish(),
});
export const historyPoint = z.object({
  timestamp: epochSeconds,
  price: nullableFraction,
  resolution_seconds: amount,
});

export const resolutionsPage = z.object({ data: answerRows });
export const resolution = z.object({
  condition_id: nativeId,
  status: neededText,
  payouts: listOrText,
  resolved_at: instantText,
});

export const liveVolume = z.object({ data: z.object({ conditions: rows }).nullish() });
export const takerVolume = z.object({ condition_id: nativeId, taker_volume: amount });

export const tokenHistory = z.object({ history: answerRows });
export const tokenPoint = z.object({ t: epochSeconds, p: nullableFraction });
