import { z } from 'zod';
import { MARK_BASES } from '../../model/mark.ts';
import { PLATFORMS } from '../../model/platform.ts';

/** The kinds of values that answers are made of, each with its meaning and an example. */

export const instant = z.iso.datetime().meta({
  description: 'RFC 3339, UTC',
  examples: ['2026-11-03T21:00:00Z'],
});
export const day = z.iso.date().meta({ description: 'Calendar day', examples: ['2026-11-03'] });
export const cents = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: 'Cents, 0 to 100', examples: [42.5] });
export const launchedAt = instant.describe(
  'When its first definition was adopted; the prints before it were calculated afterwards',
);
export const revision = z
  .int()
  .min(1)
  .meta({ description: 'How often the print was restated; left out if never', examples: [1] });
export const fraction = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'A fraction of 1', examples: [0.18] });
export const weight = z
  .number()
  .min(0)
  .meta({
    description: 'A fraction of 1: 0.18 is 18 percent',
    examples: [0.18],
  });
export const level = z
  .number()
  .meta({ description: 'Level of the index, in its quote convention', examples: [1034.25] });
export const percent = z.number().meta({ description: 'In percent: 5 is five percent', examples: [5] });
export const count = z
  .int()
  .min(0)
  .meta({ examples: [12] });
export const amount = z
  .number()
  .min(0)
  .meta({ examples: [15_250] });
export const text = z.string();
/** A text that is left out where it would be empty. */
export const shortText = z.string().min(1);
export const marketId = z.string().meta({
  description: "Id of the market: the venue and the venue's own id",
  examples: ['venue_a:KXPRES-28-R'],
});
export const eventId = z.string().meta({
  description: "Id of the event: the venue and the venue's own id",
  examples: ['venue_a:KXPRES-28'],
});
export const indexTicker = z.string().meta({ description: 'Ticker of the index', examples: ['SENATE-R'] });
export const rateTicker = z.string().meta({ description: 'Ticker of the rate', examples: ['R.SENATE'] });
export const indexId = indexTicker.describe('Id of the index: its ticker');
export const question = z.string().meta({
  description: 'Question of the market',
  examples: ['Will it rain on Tuesday?'],
});
export const platform = z.enum(PLATFORMS).describe('The venue');
const methodology = z.string().describe('Methodology token: the rules by which it is calculated');
export const indexMethodology = methodology.meta({ examples: ['basket', 'nti'] });
export const rateMethodology = methodology.meta({ examples: ['event_contract'] });
export const quoteConvention = z.string().meta({
  description: 'Unit of the level: points; probability, 0 to 100; or centred, 100 plus or minus 50',
  examples: ['points'],
});
const basis = z.enum(MARK_BASES);
export const marketBasis = basis
  .exclude(['held', 'print', 'stated'])
  .describe(
    'What the price is based on: the mid of the book, the last trade, the only side quoted (bid or ask), the ' +
      'half-cent floor, or the settlement payoff',
  );
export const sourceBasis = basis
  .exclude(['settlement', 'held', 'print', 'stated'])
  .describe(
    'What the price is based on: the mid of the book, the last trade, the only side quoted (bid or ask), or the ' +
      'half-cent floor',
  );
export const constituentBasis = basis
  .exclude(['bid', 'ask', 'floor'])
  .describe(
    'What the mark is based on: the mid of the book, the last trade, a settlement payoff, the last good mark (held), ' +
      'the print of a rate or index, or a price stated by the editor',
  );
export const volume = amount.meta({
  description: 'Lifetime volume, in volume_unit; left out if the venue does not report it',
  examples: [15_250],
});
export const volumeUnit = z
  .enum(['contracts', 'shares', 'usd'])
  .describe('Unit of volume and of the volumes of candles, which differs between venues');
export const line = z.number().meta({
  description: 'Line of a win total: the contract pays if the team wins at least this many games',
  examples: [45],
});
export const methodologies = z
  .array(z.string())
  .describe('Distinct methodology tokens of the list, over all pages');
export const visibility = z
  .enum(['public', 'organization'])
  .describe('Who may read it: everybody, or one organization');

/** The rows of an answer. @param what they are, in words */
export const rowsOf = <Row extends z.ZodType>(row: Row, what: string) => z.array(row).describe(what);

export const perPage = z.int().min(1).describe('Rows per page');
export const totalPages = count.describe('Number of pages');
export const hasNext = z.boolean().describe('Whether there is another page');

/** Paging data under meta. */
export const countedMeta = z
  .strictObject({
    page: z.int().min(1).describe('Number of this page, from 1'),
    per_page: perPage,
    total: count.describe('Number of rows on all pages'),
    total_pages: totalPages,
    has_next: hasNext,
  })
  .describe('Position of the page in the list');

/** Paging data of a list that is not counted when it is searched. */
export const searchedMeta = countedMeta
  .extend({
    total: count.nullable().describe('Number of rows on all pages; null for a search'),
    total_pages: totalPages.nullable().describe('Number of pages; null when total is null'),
  })
  .describe('Position of the page in the list');

/** Paging data of a list whose sorted searches are counted up to a limit. */
export const rankedMeta = searchedMeta
  .extend({
    total: count.nullable().describe('Number of rows on all pages; null for a search by relevance'),
    total_capped: z
      .literal(true)
      .optional()
      .describe('Set if total is the limit of counting: there may be more rows'),
  })
  .describe('Position of the page in the list');
