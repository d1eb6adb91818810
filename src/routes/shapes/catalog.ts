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

const openInterest = amount.meta({ description: "What is held, in the venue's own unit", examples: [1_200] });

const isConstituent = z.boolean().meta({ description: 'Whether a public index holds it' });

export const market = z.strictObject({
  market_id: marketId,
  platform,
  question,
  description: shortText.describe('What the venue says of it').optional(),
  status: z.enum(MARKET_STATUSES).describe('Where it is in its life: settled is final'),
  latest_price: cents.optional(),
  price_basis: marketBasis.optional(),
  price_at: instant.optional(),
  link: z.string().nullable().meta({ description: 'The page at the venue' }),
  event_id: eventId.optional(),
  event_ticker: shortText
    .describe('Slug of the event, of a venue B US contract, where the venue publishes it')
    .optional(),
  rules_primary: shortText
    .describe('Rules of the contract, of a venue B US contract, where the venue publishes it')
    .optional(),
  yes_sub_title: shortText
    .describe('Title of the Yes outcome, of a venue B US contract, where the venue publishes it')
    .optional(),
  market_type: shortText
    .describe(
      'Kind of contract in the word of the venue, of a venue B US contract, where the venue publishes it',
    )
    .optional(),
  volume: volume.optional(),
  volume_unit: volumeUnit.optional(),
  open_interest: openInterest.optional(),
  closes_at: instant.optional(),
  payout: fraction.meta({ description: 'What Yes paid, a fraction of 1', examples: [1] }).optional(),
});

export const marketList = z.strictObject({
  data: rowsOf(market, 'The markets of the page'),
  meta: rankedMeta,
});

export const candles = z.strictObject({
  market_id: marketId,
  data: rowsOf(
    z.strictObject({
      end_at: instant,
      interval_minutes: z
        .int()
        .positive()
        .describe('Length of the candle; a point of a price history has none')
        .optional(),
      source: z
        .enum(['venue_b_us_price_history', 'venue_b_clob_history'])
        .describe('The price history that it is of; venue B alone')
        .optional(),
      open: cents.optional(),
      high: cents.optional(),
      low: cents.optional(),
      close: cents.optional(),
      bid: cents.optional(),
      ask: cents.optional(),
      volume: amount.describe('What traded within it; none on venue B US').optional(),
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
    'The indices that include it',
  ),
});

export const event = z.strictObject({
  event_id: eventId,
  platform,
  title: text.describe('What the event is about'),
  description: shortText.describe('What the venue says of it').optional(),
  series: shortText.describe('The series that it belongs to at the venue').optional(),
  category: shortText.describe('Its category, in the word of the venue').optional(),
  listed_at: instant.optional(),
  closes_at: instant.optional(),
  volume: amount
    .meta({ description: 'Of its markets together; left out where none tells any', examples: [15_250] })
    .optional(),
  open_interest: openInterest.optional(),
  market_count: count.describe('Markets of the event'),
  is_constituent: isConstituent.optional(),
  markets: rowsOf(
    market.extend({ is_constituent: isConstituent }),
    'Its markets, where embed=markets asks for them',
  ).optional(),
});

export const eventList = z.strictObject({
  data: rowsOf(event, 'The events of the page'),
  total: count.nullable().describe('Rows of all pages; null when the list is searched'),
  total_pages: totalPages.nullable().describe('Pages of all rows; null as total is'),
  has_next: hasNext,
});
