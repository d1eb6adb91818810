import { z } from 'zod';
import { filing } from './filings.ts';
import { cents, instant, marketId, platform, question, rowsOf, shortText, text } from './scalars.ts';

/** Records that are near another as they are answered. */

const similarity = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Similarity, 0 to 1', examples: [0.8123] });

const nearMarket = z.strictObject({
  market_id: marketId,
  similarity,
  platform,
  question,
  description: shortText.describe('Description by the venue').optional(),
  latest_price: cents.describe('The mark of Yes in cents; left out if there is none').optional(),
});

export const nearMarkets = z.strictObject({ data: rowsOf(nearMarket, 'Markets, the most similar first') });

const nearArticle = z.strictObject({
  news_id: text.describe('Id of the article'),
  title: shortText.describe('Headline'),
  url: z.string().describe('Address of the article'),
  source: z.string().describe('Feed that listed it first'),
  summary: shortText.describe('Summary by the feed').optional(),
  author: shortText.describe('Author').optional(),
  published_at: instant.describe('When it was published').optional(),
  similarity,
});
const via_market_id = marketId.describe('Market that produced the match');

const articles = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ data: rowsOf(row, 'Articles, the most similar first') });

export const nearNews = articles(nearArticle);
export const newsViaMarkets = articles(nearArticle.extend({ via_market_id }));
export const newsOfRate = articles(
  nearArticle.extend({
    via_market_id: via_market_id
      .describe('Market that produced the match; left out if the rate itself matched more closely')
      .optional(),
  }),
);

export const nearFilings = z.strictObject({
  data: rowsOf(filing.extend({ similarity }), 'Filings, the most similar first'),
});
