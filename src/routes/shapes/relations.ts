import { z } from 'zod';
import { filing } from './filings.ts';
import { cents, instant, marketId, platform, question, rowsOf, shortText, text } from './scalars.ts';

/** Records that are near another as they are answered. */

const similarity = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'How near it is, 0 to 1', examples: [0.8123] });

const nearMarket = z.strictObject({
  market_id: marketId,
  similarity,
  platform,
  question,
  description: shortText.describe('What the venue says of it').optional(),
  latest_price: cents.optional(),
});

export const nearMarkets = z.strictObject({ data: rowsOf(nearMarket, 'The markets, the nearest first') });

const nearArticle = z.strictObject({
  news_id: text.describe('Id of the article'),
  title: shortText.describe('Its headline'),
  url: z.string().meta({ description: 'The article' }),
  source: z.string().meta({ description: 'The feed that showed it first' }),
  summary: shortText.describe('What the feed says of it').optional(),
  author: shortText.describe('Who wrote it').optional(),
  published_at: instant.describe('When it came out, RFC 3339, UTC').optional(),
  similarity,
});
const via_market_id = marketId.describe('The market through which it was found');

const articles = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ data: rowsOf(row, 'The articles, the nearest first') });

export const nearNews = articles(nearArticle);
export const newsViaMarkets = articles(nearArticle.extend({ via_market_id }));
export const newsOfRate = articles(
  nearArticle.extend({
    via_market_id: via_market_id
      .describe('The market through which it was found; left out where the rate itself is nearer')
      .optional(),
  }),
);

export const nearFilings = z.strictObject({
  data: rowsOf(filing.extend({ similarity }), 'The filings, the nearest first'),
});
