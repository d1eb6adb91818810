import { z } from 'zod';
import { ANNOUNCEMENT_TYPES } from '../../model/announcement.ts';
import { EXCLUDE_REASONS } from '../../model/mark.ts';
import { WINDOWS } from '../indices/index-body.ts';
import {
  cents,
  constituentBasis,
  count,
  countedMeta,
  day,
  fraction,
  indexId,
  indexMethodology,
  indexTicker,
  instant,
  level,
  line,
  marketId,
  methodologies,
  percent,
  question,
  quoteConvention,
  rateTicker,
  revision,
  rowsOf,
  shortText,
  text,
  visibility,
  weight,
} from './scalars.ts';

/** Indices as they are answered, the public tier first; the other adds fields. */

/** How much a printed value rests on. */
export const confidence = z.strictObject({
  grade: z.enum(['A', 'B', 'C']).meta({
    description:
      'The worst that coverage or sources, flagged sources, the age of the oldest input and the spread earn',
  }),
  oldest_input_age_seconds: count
    .meta({ description: 'Of the input observed longest ago, before the print', examples: [40] })
    .optional(),
  median_spread: cents
    .meta({ description: 'Of the inputs whose book has two sides, in cents', examples: [2] })
    .optional(),
});

const coverage = weight.meta({
  description:
    'Value of the names that the last print included, as a fraction of the whole; it stays where all are held since',
  examples: [0.97],
});

const head = z.strictObject({
  index_id: indexId,
  ticker: indexTicker,
  name: text.describe('Name of the index'),
  description: shortText.describe('What its editor says of it').optional(),
  methodology: indexMethodology,
  quote_convention: quoteConvention,
  latest_price: level
    .meta({
      description:
        'In the quote convention; the public tier leaves it out once the last print is older than 7 days',
      examples: [1034.25],
    })
    .optional(),
  coverage: coverage.optional(),
  confidence: confidence
    .extend({
      coverage,
      effective_names: z.number().meta({ description: '1 / the sum of squared weights', examples: [7.4] }),
    })
    .meta({ description: 'What the last print rests on' })
    .optional(),
  latest_print_at: instant.optional(),
  constituent_count: count.describe('Names that have a constituent row'),
});
const memberHead = head.extend({ visibility });

const listed = { change_percent: percent.optional() };
const list = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    data: rowsOf(row, 'The indices of the page'),
    meta: countedMeta
      .extend({ window: z.enum(WINDOWS).describe('What change_percent is over') })
      .describe('Where the page stands in the list'),
    methodologies,
  });
export const indexList = list(head.extend(listed));
export const memberIndexList = list(memberHead.extend(listed));

const rateName = rateTicker.describe('Ticker of the rate that it is').optional();
const kindWhere = 'What it is where it is no market';

/** Which member of a team index: a market, or a rate by its ticker. */
const memberName = { market_id: marketId.optional(), rate: rateName };

/** Which constituent of any index: a market, or a rate or index by its ticker. */
const kind = z.enum(['rate', 'index']).describe(kindWhere).optional();
const named = {
  ...memberName,
  index: indexTicker.describe('Ticker of the index that it is').optional(),
  kind,
};

const markPrice = fraction.meta({ description: 'The mark, 0 to 1', examples: [0.425] });

const seat = z.string().meta({ description: 'The part of a team index', examples: ['championship'] });

const sleeveMember = {
  ...memberName,
  kind: z.literal('rate').describe(kindWhere).optional(),
  mark_price: markPrice.optional(),
  weight,
  active_from: instant.optional(),
};

const detail = {
  group_by: shortText.meta({ description: 'Dimension of constituent_returns' }).optional(),
  constituent_returns: rowsOf(
    z.strictObject({
      group: text.describe('Value of the dimension; without one, the constituent'),
      kind,
      weight,
      point_change: z.number().meta({
        description: 'What the group moved the level by since previous_close_1d',
        examples: [-1.5],
      }),
      percent_change: percent
        .meta({ description: 'Of the own value of the group; 5 is five percent', examples: [5] })
        .optional(),
    }),
    'What each group did since previous_close_1d',
  ),
  fourth_seat: text.describe('Of a team index: which seat its fourth is').optional(),
  official_daily_value: level.describe('Of a team index: its level at the last daily close').optional(),
  sleeves: rowsOf(
    z.strictObject({
      seat,
      weight,
      members: rowsOf(
        z.strictObject({
          ...sleeveMember,
          line: line.optional(),
          lines: z.array(line).meta({ description: 'The lines of a pair of win totals' }).optional(),
          active_until: instant
            .meta({ description: 'When it left; none while it is in', examples: ['2026-11-03T21:00:00Z'] })
            .optional(),
          marks: rowsOf(
            z.strictObject({ ...sleeveMember, line }),
            'The two of a pair of win totals',
          ).optional(),
        }),
        'Who is in the seat, and after them who has left it',
      ),
    }),
    'Of a team index: its four seats',
  ).optional(),
  base_index_id: indexId.describe('Of a total return: the index that it follows').optional(),
  settlement_cash: z.string().meta({ description: 'What becomes of idle cash' }).optional(),
};
export const indexDetail = head.extend(detail);
export const memberIndexDetail = memberHead.extend({
  ...detail,
  previous_close_1d: level
    .meta({ description: 'Close of the last completed day, US Eastern', examples: [1034.25] })
    .optional(),
  previous_close_7d: level
    .meta({ description: 'The close seven days before previous_close_1d', examples: [1012.5] })
    .optional(),
});

const ofIndex = { index_id: indexId, ticker: indexTicker };
const series_starts = z
  .array(instant)
  .meta({ description: 'Of a team index: where it began, and where it began anew' })
  .optional();

export const indexPrices = z.strictObject({
  ...ofIndex,
  quote_convention: quoteConvention,
  series_starts,
  data: rowsOf(
    z.strictObject({
      at: instant,
      level,
      revision: revision.optional(),
    }),
    'The prints, oldest first',
  ),
});

export const constituents = z.strictObject({
  ...ofIndex,
  data: rowsOf(
    z.strictObject({
      ...named,
      question: question
        .describe(
          'What the market asks; left out of one that the catalog does not have, whose own paths answer 404',
        )
        .optional(),
      groups: z
        .record(z.string(), z.string())
        .meta({ description: 'Its values of the dimensions of the index' })
        .optional(),
      weight,
      excluded: z
        .boolean()
        .meta({ description: 'Whether its book failed a check: it stands at its last good mark' }),
      exclude_reason: z.enum(EXCLUDE_REASONS).meta({ description: 'The first check that failed' }).optional(),
      level: level.describe('Of an index, its level as its mark').optional(),
      mark_price: markPrice.optional(),
      mark: cents.meta({ description: 'The same in cents', examples: [42.5] }).optional(),
      basis: constituentBasis.optional(),
      observed_at: instant.describe('When its mark was seen, RFC 3339, UTC').optional(),
    }),
    'The names that the index is made of',
  ),
});

export const correlation = z.strictObject({
  ...ofIndex,
  market_ids: rowsOf(text, 'Ids of the names, those of rates and indices by their kind and ticker'),
  matrix: z.array(z.array(z.number().min(-1).max(1).nullable())).meta({
    description: 'n × n, in the order of market_ids; null where too few changes are known',
  }),
  changes: z
    .array(z.array(count))
    .meta({ description: 'How many daily changes each pair has in common, in the same order' }),
  through: instant.optional(),
});

export const dailyValues = z.strictObject({
  ...ofIndex,
  series_starts,
  data: rowsOf(
    z.strictObject({ day, value: level, at: instant.describe('Instant of the print, RFC 3339, UTC') }),
    'The daily closes, oldest first; empty for other families',
  ),
});

export const membershipEvents = z.strictObject({
  ...ofIndex,
  data: rowsOf(
    z.strictObject({
      at: instant,
      ...memberName,
      kind: z.enum(['admission', 'settlement']).describe('Whether it came in or settled'),
      seat: seat.optional(),
      line: line.optional(),
      mark_price: markPrice.optional(),
    }),
    'Admissions and settlements, newest first; empty for other families',
  ),
  meta: countedMeta,
});

const announcement = z.strictObject({
  announcement_id: text.describe('Id of the notice'),
  type: z.enum(ANNOUNCEMENT_TYPES).describe('What is announced'),
  index_id: indexId.describe('The index that it is about; left out where it is about all').optional(),
  title: text.describe('Its headline'),
  body: text.describe('What changes, and why'),
  announced_at: instant.describe('The date of the notice, RFC 3339, UTC'),
  effective_at: instant.describe('From when on it counts, RFC 3339, UTC'),
  added_markets: rowsOf(z.strictObject(named), 'Names that a rebalance takes in').optional(),
  removed_markets: rowsOf(z.strictObject(named), 'Names that a rebalance takes out').optional(),
});
export const announcementDetail = announcement;
export const announcementList = z.strictObject({
  data: rowsOf(announcement, 'The notices of the page, newest first'),
  meta: countedMeta,
});
