import { z } from 'zod';
import { MARK_BASES } from '../../model/mark.ts';
import { PLATFORMS } from '../../model/platform.ts';

/** The kinds of values that answers are made of, each with what it means and an example. */

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
export const revision = z
  .int()
  .min(1)
  .meta({ description: 'How often the print was restated, if it was', examples: [1] });
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
export const level = z.number().meta({ description: 'In the quote convention', examples: [1034.25] });
export const percent = z.number().meta({ description: '5 is five percent', examples: [5] });
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
  description: 'Id of the market: its venue, and its id there',
  examples: ['venue_a:KXPRES-28-R'],
});
export const eventId = z.string().meta({
  description: 'Id of the event: its venue, and its id there',
  examples: ['venue_a:KXPRES-28'],
});
export const indexTicker = z
  .string()
  .meta({ description: 'What it is quoted under', examples: ['SENATE-R'] });
export const rateTicker = z.string().meta({ description: 'What it is quoted under', examples: ['R.SENATE'] });
export const indexId = indexTicker.describe('Id of the index: its ticker');
export const question = z.string().meta({
  description: 'What the market asks',
  examples: ['Will it rain on Tuesday?'],
});
export const platform = z.enum(PLATFORMS).meta({ description: 'The venue' });
const methodology = z.string().describe('Token of the rules by which it is calculated');
export const indexMethodology = methodology.meta({ examples: ['basket', 'nti'] });
export const rateMethodology = methodology.meta({ examples: ['event_contract'] });
export const quoteConvention = z.string().meta({
  description: 'points; probability: 0 to 100; centred: 100 plus or minus 50',
  examples: ['points'],
});
const basis = z.enum(MARK_BASES);
export const marketBasis = basis.exclude(['held', 'print', 'stated']).meta({
  description:
    'What the price is: the mid of a book, the last trade, the one side that is quoted, the half-cent floor, or the payoff',
});
export const sourceBasis = basis.exclude(['settlement', 'held', 'print', 'stated']).meta({
  description:
    'What the price is: the mid of a book, the last trade, the one side that is quoted, or the half-cent floor',
});
export const constituentBasis = basis.exclude(['bid', 'ask', 'floor']).meta({
  description:
    'What the mark is: the mid of a book, the last trade, a payoff, the last good mark (held), a print, or what the ' +
    'editor stated',
});
export const volume = amount.meta({
  description: 'What traded so far, in volume_unit; left out where nobody told',
  examples: [15_250],
});
export const volumeUnit = z
  .enum(['contracts', 'shares', 'usd'])
  .meta({ description: 'What volume counts; venues count in different units' });
export const line = z
  .number()
  .meta({ description: 'Wins at which a contract of a win total pays', examples: [45] });
export const methodologies = z.array(z.string()).meta({
  description: 'The methodology tokens of all pages of the list, each once',
});
export const visibility = z
  .enum(['public', 'organization'])
  .meta({ description: 'Who may read it: everybody, or one organization' });

/** The rows of an answer. @param what they are, in words */
export const rowsOf = <Row extends z.ZodType>(row: Row, what: string) => z.array(row).describe(what);

export const perPage = z.int().min(1).describe('Rows a page');
export const totalPages = count.describe('Pages of all rows');
export const hasNext = z.boolean().describe('Whether there is another page');

/** Paging data under meta. */
export const countedMeta = z
  .strictObject({
    page: z.int().min(1).describe('Which page this is, from 1'),
    per_page: perPage,
    total: count.describe('Rows of all pages'),
    total_pages: totalPages,
    has_next: hasNext,
  })
  .describe('Where the page stands in the list');

/** Paging data of a list that is not counted when it is searched. */
export const searchedMeta = countedMeta
  .extend({
    total: count.nullable().describe('Rows of all pages; null for a search'),
    total_pages: totalPages.nullable().describe('Pages of all rows; null as total is'),
  })
  .describe('Where the page stands in the list');

/** The same of a list whose search is counted up to a limit when it is sorted. */
export const rankedMeta = searchedMeta
  .extend({
    total: count.nullable().describe('Rows of all pages; null for a search by relevance'),
    total_capped: z.literal(true).optional().describe('Total and pages are lower bounds'),
  })
  .describe('Where the page stands in the list');
