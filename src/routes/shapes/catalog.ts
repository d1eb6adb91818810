import { z } from 'zod';
import { MARKET_STATUSES } from '../../model/catalog.ts';
import {
  amount,
  basis,
  cents,
  count,
  eventId,
  fraction,
  instant,
  marketId,
  platform,
  searchedMeta,
  shortText,
  ticker,
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
  question: z.string().meta({ examples: ['Will it rain on Tuesday?'] }),
  description: shortText.optional(),
  status: z.enum(MARKET_STATUSES),
  latest_price: cents.optional(),
  price_basis: basis.optional(),
  price_at: instant.optional(),
  link: z.string().nullable().meta({ description: 'The page at the venue' }),
  event_id: eventId.optional(),
  event_ticker: shortText.optional(),
  rules_primary: shortText.optional(),
  yes_sub_title: shortText.optional(),
  market_type: shortText.optional(),
  volume: volume.optional(),
  volume_unit: volumeUnit.optional(),
  open_interest: openInterest.optional(),
  closes_at: instant.optional(),
  payout: fraction.meta({ description: 'What Yes paid, a fraction of 1', examples: [1] }).optional(),
});

export const marketList = z.strictObject({ data: z.array(market), meta: searchedMeta });

export const candles = z.strictObject({
  market_id: marketId,
  data: z.array(
    z.strictObject({
      end_at: instant,
      interval_minutes: z.int().positive().optional(),
      source: z.enum(['venue_b_us_price_history', 'venue_b_clob_history']).optional(),
      open: cents.optional(),
      high: cents.optional(),
      low: cents.optional(),
      close: cents.optional(),
      bid: cents.optional(),
      ask: cents.optional(),
      volume: amount.optional(),
    }),
  ),
});

export const memberships = z.strictObject({
  data: z.array(z.strictObject({ index_id: ticker, ticker, name: z.string(), weight })),
});

export const event = z.strictObject({
  event_id: eventId,
  platform,
  title: z.string(),
  description: shortText.optional(),
  series: shortText.optional(),
  category: shortText.optional(),
  listed_at: instant.optional(),
  closes_at: instant.optional(),
  volume: amount
    .meta({ description: 'Of its markets together; left out where none tells any', examples: [15_250] })
    .optional(),
  open_interest: openInterest.optional(),
  market_count: count,
  is_constituent: isConstituent.optional(),
  markets: z.array(market.extend({ is_constituent: isConstituent })).optional(),
});

export const eventList = z.strictObject({
  data: z.array(event),
  total: count.nullable().meta({ description: 'null when the list is searched' }),
  total_pages: count.nullable(),
  has_next: z.boolean(),
});
