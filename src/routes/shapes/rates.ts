import { z } from 'zod';
import { confidence } from './indices.ts';
import {
  cents,
  countedMeta,
  day,
  instant,
  launchedAt,
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
  link: text.nullable().describe('Its page at the venue; null if unknown').optional(),
  line: line.optional(),
  side: z
    .string()
    .describe('Win total only: the side of the line; no pays if the team stays below it')
    .optional(),
  roll_at: z.string().describe('Rolling chain only: when the next contract has taken over').optional(),
  is_active: z.boolean().describe('Whether the source is active; false once its market has settled'),
  weight: weight.meta({
    description: 'Share of the latest print; if the source did not enter it, its share by the definition',
    examples: [0.18],
  }),
  latest_price: cents.describe('Mark with which it entered the latest print, in cents').optional(),
  basis: sourceBasis.optional(),
  volume: volume.optional(),
  volume_unit: volumeUnit.optional(),
  outlier: z.literal(true).describe('Set if its mark is far from those of the other sources').optional(),
});

const spread = cents.meta({
  description:
    'Highest minus lowest mark of the sources that entered, in cents; left out when latest_price is',
  examples: [1.5],
});

export const rate = z.strictObject({
  ticker: rateTicker,
  name: text.describe('Name of the rate'),
  description: shortText.describe('Description by its editor').optional(),
  methodology: rateMethodology,
  latest_price: cents
    .meta({
      description: 'Price in cents; left out once the last print is older than 7 days',
      examples: [42.5],
    })
    .optional(),
  spread: spread.optional(),
  confidence: confidence
    .extend({
      effective_sources: z
        .number()
        .meta({ description: 'Effective number of sources: 1 / sum of squared weights', examples: [1.8] }),
    })
    .describe('Quality figures of the last print; left out when no latest_price is shown')
    .optional(),
  latest_print_at: instant.describe('Instant of the last print').optional(),
  sources: rowsOf(source, 'All markets that the definition names'),
});
const memberRate = rate.extend({
  visibility,
  latest_price: cents
    .nullable()
    .describe('Price in cents; null if the last print is older than start, or 7 days'),
  spread: spread
    .nullable()
    .describe('Highest minus lowest mark of the sources that entered, in cents; null when latest_price is'),
});

export const rateList = z.strictObject({
  data: rowsOf(rate, 'The rates'),
  meta: countedMeta
    .optional()
    .describe('Position of the page in the list; left out without parameters, when all rates are returned'),
  methodologies,
});
export const memberRateList = z.strictObject({
  data: rowsOf(memberRate, 'The rates of the page'),
  meta: countedMeta,
  methodologies,
});

const trailing = z
  .number()
  .meta({ description: 'Return as a fraction: 0.05 is five percent', examples: [0.05] });

export const memberRateDetail = memberRate.extend({
  previous_close_1d: cents
    .meta({ description: 'Close of the last completed US Eastern day, in cents', examples: [42.5] })
    .optional(),
  previous_close_7d: cents
    .meta({ description: 'Close seven days before previous_close_1d', examples: [40.25] })
    .optional(),
  stats: z
    .strictObject({
      through_day: day.describe('Day of the last close'),
      first_day: day.describe('Day of the first close'),
      return_1d: trailing.optional(),
      return_7d: trailing.optional(),
      return_30d: trailing.optional(),
      return_90d: trailing.optional(),
      return_since_first: trailing.optional(),
      volatility: z
        .number()
        .min(0)
        .meta({ description: 'Annualised volatility of the daily changes, in cents', examples: [21.5] })
        .optional(),
      high_365d: cents.describe('Highest close of the last 365 days, in cents'),
      low_365d: cents.describe('Lowest close of the last 365 days, in cents'),
      max_drawdown_365d: z
        .number()
        .max(0)
        .meta({
          description: 'Greatest fall from a high of the last 365 days, as a fraction: 0 or below',
          examples: [-0.12],
        }),
    })
    .describe('Trailing returns and risk figures of the daily closes')
    .optional(),
});

export const ratePrices = z.strictObject({
  ticker: rateTicker,
  methodology: rateMethodology,
  launched_at: launchedAt,
  data: rowsOf(
    z.strictObject({
      at: instant.describe('Instant of the print'),
      price: cents,
      revision: revision.optional(),
      sources: rowsOf(
        z.strictObject({ market_id: marketId, weight }),
        'Rolling chain only: the contracts behind the price',
      ).optional(),
    }),
    'The prints, oldest first',
  ),
});
