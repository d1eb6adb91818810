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
  launchedAt,
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

/** Indices as they are answered; the public shape comes first, to which the other tier adds fields. */

/** The quality figures that both indices and rates have. */
export const confidence = z.strictObject({
  grade: z
    .enum(['A', 'B', 'C'])
    .describe(
      'Worst of the grades for coverage (of an index) or sources and outliers (of a rate), for the age of the oldest ' +
        'input, and for the spread',
    ),
  oldest_input_age_seconds: count
    .meta({ description: 'Age of the oldest input at the print, in seconds', examples: [40] })
    .optional(),
  median_spread: cents
    .meta({ description: 'Median spread of the inputs whose book has two sides, in cents', examples: [2] })
    .optional(),
});

const coverage = weight.meta({
  description:
    'Value of the constituents included in the last print, as a fraction of the whole. It stays the same while all ' +
    'of them are held',
  examples: [0.97],
});

const head = z.strictObject({
  index_id: indexId,
  ticker: indexTicker,
  name: text.describe('Name of the index'),
  description: shortText.describe('Description by its editor').optional(),
  methodology: indexMethodology,
  quote_convention: quoteConvention,
  latest_price: level
    .meta({
      description:
        'Latest level, in the quote convention. The public tier leaves it out once the last print is older than 7 days',
      examples: [1034.25],
    })
    .optional(),
  coverage: coverage.describe(`${coverage.description}; left out when latest_price is`).optional(),
  confidence: confidence
    .extend({
      coverage,
      effective_names: z.number().meta({
        description: 'Effective number of constituents: 1 / sum of squared weights',
        examples: [7.4],
      }),
    })
    .describe('Quality figures of the last print; left out when latest_price is')
    .optional(),
  latest_print_at: instant.describe('Instant of the last print').optional(),
  constituent_count: count.describe('Number of constituents'),
});
const memberHead = head.extend({ visibility });

const listed = {
  change_percent: percent
    .describe(
      'Change of the level over the window, in percent; left out when latest_price is, and where the present series ' +
        'began within the window',
    )
    .optional(),
};
const list = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    data: rowsOf(row, 'The indices of the page'),
    meta: countedMeta
      .extend({ window: z.enum(WINDOWS).describe('Period that change_percent covers') })
      .describe('Position of the page in the list'),
    methodologies,
  });
export const indexList = list(head.extend(listed));
export const memberIndexList = list(memberHead.extend(listed));

const rateName = rateTicker.describe('Ticker, if the constituent is a rate').optional();
const kindWhere = 'Set if the constituent is not a market';

/** The name of a member of a team index: a market, or a rate by its ticker. */
const memberName = { market_id: marketId.optional(), rate: rateName };

/** The name of a constituent of any index: a market, or a rate or index by its ticker. */
const kind = z.enum(['rate', 'index']).describe(kindWhere).optional();
const named = {
  ...memberName,
  index: indexTicker.describe('Ticker, if the constituent is an index').optional(),
  kind,
};

const markPrice = fraction.meta({ description: 'Mark as a fraction, 0 to 1', examples: [0.425] });

const seat = z.string().meta({ description: 'Seat of the team index', examples: ['championship'] });

const sleeveMember = {
  ...memberName,
  kind: z.literal('rate').describe(kindWhere).optional(),
  mark_price: markPrice.optional(),
  weight,
  active_from: instant.describe('When it was admitted').optional(),
};

const detail = {
  group_by: shortText.describe('Dimension by which constituent_returns are grouped').optional(),
  constituent_returns: rowsOf(
    z.strictObject({
      group: text.describe('Value of the dimension; the constituent if there is no dimension'),
      kind,
      weight,
      point_change: z.number().meta({
        description:
          'Contribution of the group to the change of the level since previous_close_1d, in points',
        examples: [-1.5],
      }),
      percent_change: percent
        .meta({
          description: "Return of the group's own value since then, in percent: 5 is five percent",
          examples: [5],
        })
        .optional(),
    }),
    'Returns by group since previous_close_1d',
  ),
  fourth_seat: text.describe('Team index only: the fourth seat').optional(),
  official_daily_value: level.describe('Team index only: level at the last daily close').optional(),
  sleeves: rowsOf(
    z.strictObject({
      seat,
      weight,
      members: rowsOf(
        z.strictObject({
          ...sleeveMember,
          line: line.optional(),
          lines: z.array(line).describe('Both lines, for a pair of win totals').optional(),
          active_until: instant
            .meta({
              description: 'When it left; left out while it is a member',
              examples: ['2026-11-03T21:00:00Z'],
            })
            .optional(),
          marks: rowsOf(
            z.strictObject({ ...sleeveMember, line }),
            'Both lines with their marks, for a pair of win totals',
          ).optional(),
        }),
        'Members of the seat, followed by those that have left it',
      ),
    }),
    'Team index only: the four seats',
  ).optional(),
  base_index_id: indexId.describe('Total-return index only: the index that it follows').optional(),
  settlement_cash: z.string().describe('What happens to the cash of settled constituents').optional(),
};
export const indexDetail = head.extend(detail);
export const memberIndexDetail = memberHead.extend({
  ...detail,
  previous_close_1d: level
    .meta({ description: 'Close of the last completed US Eastern day', examples: [1034.25] })
    .optional(),
  previous_close_7d: level
    .meta({ description: 'Close seven days before previous_close_1d', examples: [1012.5] })
    .optional(),
});

const ofIndex = { index_id: indexId, ticker: indexTicker };
const series_starts = z
  .array(instant)
  .describe('Team index only: when each of its series began; a reconstitution begins a new one');

export const indexPrices = z.strictObject({
  ...ofIndex,
  quote_convention: quoteConvention,
  launched_at: launchedAt,
  series_starts: series_starts
    .describe(
      'Team index only: when each of its series began; a reconstitution begins a new one. Left out while there is only ' +
        'the first, which began with the first print',
    )
    .optional(),
  data: rowsOf(
    z.strictObject({
      at: instant.describe('Instant of the print'),
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
          'Question of the market; left out if the catalog does not have the market: its own paths then answer 404',
        )
        .optional(),
      groups: z
        .record(z.string(), z.string())
        .describe('Its value in each dimension of the index')
        .optional(),
      weight,
      excluded: z
        .boolean()
        .describe('Whether its book failed a check, so that it is held at its last good mark'),
      exclude_reason: z.enum(EXCLUDE_REASONS).describe('First check that its book failed').optional(),
      level: level.describe('Mark of a constituent that is an index: its level').optional(),
      mark_price: markPrice.optional(),
      mark: cents.meta({ description: 'The same mark in cents', examples: [42.5] }).optional(),
      basis: constituentBasis.optional(),
      observed_at: instant.describe('When the mark was observed').optional(),
    }),
    'The constituents of the index',
  ),
});

export const correlation = z.strictObject({
  ...ofIndex,
  market_ids: rowsOf(text, 'Ids of the constituents; rates and indices as rate:<ticker> and index:<ticker>'),
  matrix: z
    .array(z.array(z.number().min(-1).max(1).nullable()))
    .describe(
      'Correlations, n × n, in the order of market_ids; null for pairs with too few changes or without variance',
    ),
  changes: z
    .array(z.array(count))
    .describe('Number of daily changes behind each correlation, in the same order'),
  through: instant.describe('Instant of the last print used').optional(),
});

export const dailyValues = z.strictObject({
  ...ofIndex,
  series_starts: series_starts.optional(),
  data: rowsOf(
    z.strictObject({ day, value: level, at: instant.describe('Instant of the print') }),
    'Daily closes, oldest first; empty for other indices',
  ),
});

export const membershipEvents = z.strictObject({
  ...ofIndex,
  data: rowsOf(
    z.strictObject({
      at: instant.describe('When it happened'),
      ...memberName,
      kind: z.enum(['admission', 'settlement']).describe('Whether it was admitted or settled'),
      seat: seat.optional(),
      line: line.optional(),
      mark_price: markPrice.optional(),
    }),
    'Admissions and settlements, newest first; empty for other indices',
  ),
  meta: countedMeta,
});

export const announcement = z.strictObject({
  announcement_id: text.describe('Id of the notice'),
  type: z.enum(ANNOUNCEMENT_TYPES).describe('Type of the notice'),
  index_id: indexId.describe('Index that the notice is about; left out if it is about all').optional(),
  title: text.describe('Title of the notice'),
  body: text.describe('Text of the notice'),
  announced_at: instant.describe('Date of the notice'),
  effective_at: instant.describe('When the change takes effect'),
  added_markets: rowsOf(z.strictObject(named), 'Constituents that a rebalance adds').optional(),
  removed_markets: rowsOf(z.strictObject(named), 'Constituents that a rebalance removes').optional(),
});
export const announcementList = z.strictObject({
  data: rowsOf(announcement, 'The notices of the page, newest first'),
  meta: countedMeta,
});
