import { z } from 'zod';
import { MARKET_STATUSES } from '../../model/catalog.ts';
import {
  amount,
  cents,
  count,
  eventId,
  fraction,
  hasNext,
  indexId,
  indexTicker,
  instant,
  marketBasis,
  marketId,
  platform,
  question,
  rankedMeta,
  rowsOf,
  shortText,
  text,
  totalPages,
  volume,
  volumeUnit,
  weight,
} from './scalars.ts';

/** Markets and events as they are answered. */

const openInterest = amount.meta({
  description: "Open interest, in the venue's own unit",
  examples: [1_200],
});

const isConstituent = z.boolean().describe('Whether it is a constituent of a public index');

export const market = z.strictObject({
  market_id: marketId,
  platform,
  question,
  description: shortText.describe('Description by the venue').optional(),
  status: z.enum(MARKET_STATUSES).describe('Status in its life cycle; settled is final'),
  latest_price: cents.describe('The mark of Yes in cents, 0 to 100; left out if there is none').optional(),
  price_basis: marketBasis.optional(),
  price_at: instant.describe('When that price was observed').optional(),
  beyond_quote: z
    .literal(true)
    .describe('Set if that price is the last trade and lies beyond the one quote that remains in the book')
    .optional(),
  link: z.string().nullable().describe('Its page at the venue; null if unknown'),
  event_id: eventId.optional(),
  event_ticker: shortText.describe('Venue B US only: slug of the event').optional(),
  rules_primary: shortText.describe('Venue B US only: rules of the contract').optional(),
  yes_sub_title: shortText.describe('Venue B US only: title of the Yes outcome').optional(),
  market_type: shortText.describe("Venue B US only: kind of contract, in the venue's own word").optional(),
  volume: volume.optional(),
  volume_unit: volumeUnit.optional(),
  open_interest: openInterest.optional(),
  closes_at: instant.describe('When trading ends').optional(),
  payout: fraction.meta({ description: 'What Yes paid, as a fraction of 1', examples: [1] }).optional(),
});

export const marketList = z.strictObject({
  data: rowsOf(market, 'The markets of the page'),
  meta: rankedMeta,
});

export const candles = z.strictObject({
  market_id: marketId,
  data: rowsOf(
    z.strictObject({
      end_at: instant.describe('End of the candle, or instant of the point'),
      interval_minutes: z
        .int()
        .positive()
        .describe('Length of the candle; left out for a point of a price history')
        .optional(),
      source: z
        .enum(['venue_b_us_price_history', 'venue_b_clob_history'])
        .describe('Venue B only: the price history that it comes from')
        .optional(),
      open: cents.optional(),
      high: cents.optional(),
      low: cents.optional(),
      close: cents.optional(),
      bid: cents.describe('Best bid at the end, in cents').optional(),
      ask: cents.describe('Best ask at the end, in cents').optional(),
      volume: amount
        .describe('Volume traded in the candle, in the volume_unit of the market; never on venue B US')
        .optional(),
    }),
    'The candles, oldest first',
  ),
});

export const memberships = z.strictObject({
  data: rowsOf(
    z.strictObject({
      index_id: indexId,
      ticker: indexTicker,
      name: text.describe('Name of the index'),
      weight,
    }),
    'The indices that include the market',
  ),
});

export const event = z.strictObject({
  event_id: eventId,
  platform,
  title: text.describe('Title of the event'),
  description: shortText.describe('Description by the venue').optional(),
  series: shortText.describe('Series of the event at the venue').optional(),
  category: shortText.describe("Category, in the venue's own word").optional(),
  listed_at: instant.describe('When the venue listed it').optional(),
  closes_at: instant.describe('When trading ends').optional(),
  volume: amount
    .meta({
      description: 'Volume of all its markets, in their volume_unit; left out if none reports any',
      examples: [15_250],
    })
    .optional(),
  open_interest: openInterest.optional(),
  market_count: count.describe('Number of its markets'),
  is_constituent: isConstituent.optional(),
  markets: rowsOf(
    market.extend({ is_constituent: isConstituent }),
    'Its markets, if requested by embed=markets',
  ).optional(),
});

export const eventList = z.strictObject({
  data: rowsOf(event, 'The events of the page'),
  total: count.nullable().describe('Number of rows on all pages; null for a search'),
  total_pages: totalPages.nullable().describe('Number of pages; null when total is null'),
  has_next: hasNext,
});
