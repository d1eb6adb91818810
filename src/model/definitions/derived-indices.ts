import { z } from 'zod';
import { printedId } from '../constituent-id.ts';
import { amount, firstPrint, heading, type Problem, ticker } from './definition-fields.ts';
import { withId } from './index-constituent.ts';
import { baseLevel, effectiveAt } from './index-fields.ts';
import { categoryWeighting } from './weighting.ts';

/** Indices whose constituents are other indices. */

const component = z
  .strictObject({
    index: ticker.describe('Index included by its level'),
    category: z.string().min(1).describe('One of weighting.categories'),
    weight: amount.optional().describe('Weight within the category; equal weights if left out'),
    status: z.enum(['included', 'staged']).default('included').describe('Staged: listed, not yet priced'),
  })
  .transform((given) => ({ ...withId(given), groups: { category: given.category } }));

const points = {
  ...heading,
  quote_convention: z.literal('points'),
  base_at: firstPrint,
  effective_at: effectiveAt,
  base_level: baseLevel,
};

/** A basket of indices, weighted by category. */
export const composite = z.strictObject({
  ...points,
  methodology: z.literal('composite').describe('A basket of indices'),
  weighting: categoryWeighting
    .transform((given) => ({ ...given, by: 'value' as const }))
    .describe('How the indices are weighted'),
  group_by: z.literal('category').default('category'),
  constituents: z.array(component).min(1).describe('The constituents'),
});

/** Problems of a composite that the schema alone does not find. */
export function compositeProblems({ constituents, weighting }: z.output<typeof composite>): Problem[] {
  return constituents.flatMap(({ category }, i) =>
    Object.hasOwn(weighting.categories, category)
      ? []
      : [{ path: ['constituents', i, 'category'], message: 'must be one of weighting.categories' }],
  );
}

/** An index whose settlement payoffs are reinvested at the next calculation. */
export const totalReturn = z
  .strictObject({
    ...points,
    methodology: z.literal('total_return').describe('An index with its idle cash reinvested'),
    base_index_id: ticker.describe('Basket or composite whose total return this is'),
    settlement_cash: z
      .literal('reinvested_pro_rata')
      .default('reinvested_pro_rata')
      .describe('Cash of settled names is reinvested pro rata at the next calculation'),
  })
  .transform((given) => ({ ...given, ...itsBase(given.base_index_id) }));

/** The one constituent of a total-return index: its base index. */
function itsBase(ticker: string): { group_by?: string; constituents: Base[] } {
  const market_id = printedId({ kind: 'index', ticker });
  return { constituents: [{ index: ticker, market_id, status: 'included' }] };
}

interface Base {
  index: string;
  market_id: string;
  status: 'included' | 'staged';
  weight?: number;
  groups?: Record<string, string>;
}
