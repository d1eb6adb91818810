import { z } from 'zod';
import { filing } from './filings.ts';
import { cents, instant, marketId, platform, shortText } from './scalars.ts';

/** Records that are near another as they are answered. */

const similarity = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: '0 to 1', examples: [0.8123] });

const nearMarket = z.strictObject({
  market_id: marketId,
  similarity,
  platform,
  question: z.string(),
  description: shortText.optional(),
  latest_price: cents.optional(),
});

export const nearMarkets = z.strictObject({ data: z.array(nearMarket) });

export const nearNews = z.strictObject({
  data: z.array(
    z.strictObject({
      news_id: z.string(),
      title: shortText,
      url: z.string().meta({ description: 'The article' }),
      source: z.string().meta({ description: 'The feed that showed it first' }),
      summary: shortText.optional(),
      author: shortText.optional(),
      published_at: instant.optional(),
      similarity,
      via_market_id: marketId
        .meta({ description: 'The market through which it was found', examples: ['venue_a:KXPRES-28-R'] })
        .optional(),
    }),
  ),
});

export const nearFilings = z.strictObject({ data: z.array(filing.extend({ similarity })) });
