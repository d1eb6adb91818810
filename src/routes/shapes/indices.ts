import { z } from 'zod';
import { ANNOUNCEMENT_TYPES } from '../../model/announcement.ts';
import { EXCLUDE_REASONS, MARK_BASES } from '../../model/mark.ts';
import { WINDOWS } from '../indices/index-body.ts';
import {
  cents,
  count,
  countedMeta,
  day,
  fraction,
  instant,
  level,
  marketId,
  methodologies,
  percent,
  revision,
  shortText,
  ticker,
  visibility,
  weight,
} from './scalars.ts';

/** Indices as they are answered, the public tier first; the other adds fields. */

/** How much a printed value rests on. */
export const confidence = z.strictObject({
  grade: z.enum(['A', 'B', 'C']),
  oldest_input_age_seconds: count.optional(),
  median_spread: cents.optional(),
});

const head = z.strictObject({
  index_id: ticker,
  ticker,
  name: z.string(),
  description: shortText.optional(),
  methodology: z.string().meta({ examples: ['basket', 'nti'] }),
  quote_convention: z.string().meta({ examples: ['points'] }),
  latest_price: level
    .meta({
      description:
        'In the quote convention; the public tier leaves it out once the last print is older than 7 days',
      examples: [1034.25],
    })
    .optional(),
  coverage: weight.optional(),
  confidence: confidence.extend({ coverage: weight, effective_names: z.number() }).optional(),
  latest_print_at: instant.optional(),
  constituent_count: count,
});
const memberHead = head.extend({ visibility });

const listed = { change_percent: percent.optional() };
const list = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    data: z.array(row),
    meta: countedMeta.extend({ window: z.enum(WINDOWS) }),
    methodologies,
  });
export const indexList = list(head.extend(listed));
export const memberIndexList = list(memberHead.extend(listed));

/** Which constituent: a market, or a rate or index by its ticker. */
const identified = {
  market_id: marketId.optional(),
  rate: ticker.optional(),
  index: ticker.optional(),
};

/** The same with its kind, where it is no market. */
const named = { ...identified, kind: z.enum(['rate', 'index']).optional() };

const sleeveMember = {
  ...named,
  line: z.number().optional(),
  lines: z.array(z.number()).optional(),
  mark_price: fraction.optional(),
  weight,
  active_from: instant.optional(),
  active_until: instant.optional(),
};

const detail = {
  group_by: shortText.optional(),
  constituent_returns: z.array(
    z.strictObject({
      group: z.string(),
      kind: z.enum(['rate', 'index']).optional(),
      weight,
      point_change: z.number(),
      percent_change: percent.optional(),
    }),
  ),
  fourth_seat: z.string().optional(),
  official_daily_value: level.optional(),
  sleeves: z
    .array(
      z.strictObject({
        seat: z.string().meta({ examples: ['championship'] }),
        weight,
        members: z.array(
          z.strictObject({ ...sleeveMember, marks: z.array(z.strictObject(sleeveMember)).optional() }),
        ),
      }),
    )
    .optional(),
  base_index_id: ticker.optional(),
  settlement_cash: z.string().optional(),
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

const ofIndex = { index_id: ticker, ticker };
const series_starts = z.array(instant).optional();

export const indexPrices = z.strictObject({
  ...ofIndex,
  quote_convention: z.string(),
  series_starts,
  data: z.array(
    z.strictObject({
      at: instant,
      level,
      revision: revision.optional(),
    }),
  ),
});

export const constituents = z.strictObject({
  ...ofIndex,
  data: z.array(
    z.strictObject({
      ...named,
      question: z.string().optional(),
      groups: z.record(z.string(), z.string()).optional(),
      weight,
      excluded: z.boolean(),
      exclude_reason: z.enum(EXCLUDE_REASONS).optional(),
      level: level.optional(),
      mark_price: fraction.optional(),
      mark: cents.optional(),
      basis: z.enum(MARK_BASES).optional(),
      observed_at: instant.optional(),
    }),
  ),
});

export const correlation = z.strictObject({
  ...ofIndex,
  market_ids: z.array(z.string()),
  matrix: z.array(z.array(z.number().min(-1).max(1).nullable())).meta({
    description: 'n × n, in the order of market_ids; null where too few changes are known',
  }),
  changes: z.array(z.array(count)),
  through: instant.optional(),
});

export const dailyValues = z.strictObject({
  ...ofIndex,
  series_starts,
  data: z.array(z.strictObject({ day, value: level, at: instant })),
});

export const membershipEvents = z.strictObject({
  ...ofIndex,
  data: z.array(
    z.strictObject({
      at: instant,
      ...identified,
      kind: z.enum(['admission', 'settlement']),
      seat: z.string().optional(),
      line: z.number().optional(),
      mark_price: fraction.optional(),
    }),
  ),
  meta: countedMeta,
});

const announcement = z.strictObject({
  announcement_id: z.string(),
  type: z.enum(ANNOUNCEMENT_TYPES),
  index_id: ticker.optional(),
  title: z.string(),
  body: z.string(),
  announced_at: instant,
  effective_at: instant,
  added_markets: z.array(z.strictObject(named)).optional(),
  removed_markets: z.array(z.strictObject(named)).optional(),
});
export const announcementDetail = announcement;
export const announcementList = z.strictObject({ data: z.array(announcement), meta: countedMeta });
