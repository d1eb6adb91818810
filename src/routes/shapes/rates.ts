import { z } from 'zod';
import { confidence } from './indices.ts';
import {
  cents,
  countedMeta,
  day,
  instant,
  line,
  marketId,
  methodologies,
  platform,
  question,
  rateMethodology,
  rateTicker,
  revision,
  rowsOf,
  shortText,
  sourceBasis,
  text,
  visibility,
  volume,
  volumeUnit,
  weight,
} from './scalars.ts';

/** Rates as they are answered. */

const source = z.strictObject({
  market_id: marketId,
  platform: platform.optional(),
  question: question.optional(),
  link: text.nullable().describe('The page at the venue; null where none can be named').optional(),
  line: line.optional(),
  side: z.string().meta({ description: 'Of a win total: no pays below the line' }).optional(),
  roll_at: z.string().meta({ description: 'When it has given way to the next of the chain' }).optional(),
  is_active: z.boolean().meta({ description: 'Whether the market can still enter a print' }),
  weight: weight.meta({
    description: 'Its share of the latest print; its share in the definition where it did not enter that',
    examples: [0.18],
  }),
  latest_price: cents.optional(),
  basis: sourceBasis.optional(),
  volume: volume.optional(),
  volume_unit: volumeUnit.optional(),
  outlier: z.literal(true).meta({ description: 'Far from the other sources' }).optional(),
});

const spread = cents.meta({
  description: 'Cents from the lowest to the highest source; left out as latest_price is',
  examples: [1.5],
});

const rate = z.strictObject({
  ticker: rateTicker,
  name: text.describe('Name of the rate'),
  description: shortText.describe('What its editor says of it').optional(),
  methodology: rateMethodology,
  latest_price: cents
    .meta({ description: 'Cents; left out once the last print is older than 7 days', examples: [42.5] })
    .optional(),
  spread: spread.optional(),
  confidence: confidence
    .extend({
      effective_sources: z.number().meta({ description: '1 / the sum of squared weights', examples: [1.8] }),
    })
    .meta({ description: 'What the last print rests on' })
    .optional(),
  latest_print_at: instant.optional(),
  sources: rowsOf(source, 'Every market that it is configured to be made of'),
});
const memberRate = rate.extend({
  visibility,
  latest_price: cents
    .nullable()
    .meta({ description: 'null when the last print is older than the look-back' }),
  spread: spread.nullable().meta({ description: 'null as latest_price is' }),
});

export const rateList = z.strictObject({
  data: rowsOf(rate, 'The rates'),
  meta: countedMeta.optional().meta({ description: 'When a parameter is given; else all rates are here' }),
  methodologies,
});
export const memberRateList = z.strictObject({
  data: rowsOf(memberRate, 'The rates of the page'),
  meta: countedMeta,
  methodologies,
});

const trailing = z.number().meta({ description: 'A fraction: 0.05 is five percent', examples: [0.05] });

export const rateDetail = rate;
export const memberRateDetail = memberRate.extend({
  previous_close_1d: cents
    .meta({ description: 'Close of the last completed day, US Eastern, in cents', examples: [42.5] })
    .optional(),
  previous_close_7d: cents
    .meta({ description: 'The close seven days before previous_close_1d', examples: [40.25] })
    .optional(),
  stats: z
    .strictObject({
      through_day: day,
      first_day: day,
      return_1d: trailing.optional(),
      return_7d: trailing.optional(),
      return_30d: trailing.optional(),
      return_90d: trailing.optional(),
      return_since_first: trailing.optional(),
      volatility: z
        .number()
        .min(0)
        .meta({ description: 'Of a year, in cents', examples: [21.5] })
        .optional(),
      high_365d: cents,
      low_365d: cents,
      max_drawdown_365d: z
        .number()
        .max(0)
        .meta({ description: 'A fraction, 0 or below', examples: [-0.12] }),
    })
    .describe('Trailing returns and risk, of the daily closes')
    .optional(),
});

export const ratePrices = z.strictObject({
  ticker: rateTicker,
  methodology: rateMethodology,
  data: rowsOf(
    z.strictObject({
      at: instant,
      price: cents,
      revision: revision.optional(),
      sources: rowsOf(
        z.strictObject({ market_id: marketId, weight }),
        'The contracts of a rolling chain that made it',
      ).optional(),
    }),
    'The prints, oldest first',
  ),
});
