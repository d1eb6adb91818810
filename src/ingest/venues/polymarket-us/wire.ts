import { z } from 'zod';
import { answerRows, optionalListOf, rows, tagTexts } from '../../wire/wire-lists.ts';
import {
  amount,
  epochSeconds,
  flag,
  fraction,
  instantText,
  nativeId,
  neededText,
  shownText,
} from '../../wire/wire-scalars.ts';

/** Schemas of the answers. Keys that are not used are left out. */

/** A price in dollars: `{value, currency}`, without a value if there is none, or a bare number in older answers. */
const money = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'object' && value !== null ? Reflect.get(value, 'value') : value))
  .pipe(fraction);

export const eventsPage = z.object({ events: answerRows });
export const eventAnswer = z.object({ event: z.unknown() });
export const marketsPage = z.object({ markets: answerRows });

export const event = z.object({
  slug: nativeId,
  title: neededText,
  description: shownText,
  category: shownText,
  tags: tagTexts,
  seriesSlug: shownText,
  createdAt: instantText,
  creationDate: instantText,
  endDate: instantText,
  closed: flag,
  closedTime: instantText,
  volume: amount,
  openInterest: amount,
  markets: rows,
});

export type Event = z.output<typeof event>;

/** What the markets of an event need of it. */
export const parent = z.object({
  slug: nativeId,
  title: shownText,
  description: shownText,
  endDate: instantText,
  closed: flag,
  closedTime: instantText,
});

export type Parent = z.output<typeof parent>;

const assetTerms = z.object({ windowEnd: instantText }).nullish().catch(undefined);

export const market = z.object({
  slug: nativeId,
  question: shownText,
  title: shownText,
  description: shownText,
  status: shownText,
  active: flag,
  closed: flag,
  marketType: shownText,
  sportsMarketType: shownText,
  marketSides: optionalListOf(z.object({ long: flag, description: shownText })),
  createdAt: instantText,
  startDate: instantText,
  endDate: instantText,
  assetPriceTerms: assetTerms,
  bestBidQuote: money,
  bestBid: money,
  bestAskQuote: money,
  bestAsk: money,
  volume: amount,
});

export type Market = z.output<typeof market>;

export const settlement = z.object({ slug: nativeId, settlement: fraction });

export const bestQuote = z.object({
  marketData: z.object({
    marketSlug: nativeId,
    bestBid: money,
    bestAsk: money,
    bidShares: amount,
    askShares: amount,
    lastTradePx: money,
    openInterest: amount,
  }),
});

export const priceHistory = z.object({ history: answerRows });
export const displayPoint = z.object({ timestamp: epochSeconds, longPrice: fraction, shortPrice: fraction });
