import { z } from 'zod';
import { definedInstant } from '../time.ts';
import { amount, instant, type Problem, repeatedProblems } from './definition-fields.ts';
import { constituentFields, nameOnce, withId } from './index-constituent.ts';

/** The fields that families of indices share. */

export const baseLevel = amount.default(1000).describe('Level of the first print');

export const bookCheck = z
  .strictObject({
    max_spread_cents: z.number().positive().max(100).default(20).describe('A wider book fails'),
    max_quote_age_hours: z.number().positive().default(24).describe('A book last seen longer ago fails'),
  })
  .prefault({})
  .describe('Limits of a good book; the name of one that fails is held at its last good mark');

const { market_id, rate } = constituentFields;

const deletion = z
  .strictObject({
    market_id,
    rate,
    at: instant.describe('Instant from which the constituent is out'),
    price_cents: z.number().min(0).max(100).describe('Price at which it is taken out, in cents per contract'),
  })
  .superRefine(nameOnce)
  .transform(withId);

export const deletions = z
  .array(deletion)
  .optional()
  .describe('Dead names that the editor takes out, each at a stated price; they stay among the constituents');

interface Deleting {
  base_at: string;
  constituents: readonly { market_id: string }[];
  deletions?: z.output<typeof deletions>;
}

/** Problems of the deletions of a definition. */
export function deletionProblems({ base_at, constituents, deletions = [] }: Deleting) {
  const problems: Problem[] = repeatedProblems('deletions', deletions);
  for (const [i, { market_id, at }] of deletions.entries()) {
    if (constituents.every((each) => each.market_id !== market_id))
      problems.push({ path: ['deletions', i], message: `must name a constituent, got ${market_id}` });
    if (definedInstant(at) <= definedInstant(base_at))
      problems.push({ path: ['deletions', i, 'at'], message: 'must be later than base_at' });
  }
  return problems;
}

export const effectiveAt = instant
  .optional()
  .describe('When a change of what is priced takes effect, at the earliest a day after its adoption');
