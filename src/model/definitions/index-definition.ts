import { z } from 'zod';
import {
  addProblems,
  amount,
  firstPrint,
  heading,
  organizationProblems,
  type Problem,
  repeatedProblems,
} from './definition-fields.ts';
import { composite, compositeProblems, totalReturn } from './derived-indices.ts';
import { constituentFields, nameOnce, withId } from './index-constituent.ts';
import { baseLevel, bookCheck, deletionProblems, deletions, effectiveAt } from './index-fields.ts';
import { teamIndex, teamIndexProblems } from './team-index-definition.ts';
import { basketWeighting, gaugeWeighting, weightingProblems } from './weighting.ts';

const constituent = z
  .strictObject({
    ...constituentFields,
    weight: amount.optional().describe('Target share before normalising; with scheme fixed only'),
    attributes: z
      .record(z.string(), amount)
      .optional()
      .describe('Numbers to weight by, for example electoral votes'),
    groups: z.record(z.string(), z.string()).optional().describe('Values of the dimensions to group by'),
  })
  .superRefine(nameOnce)
  .transform(withId);

const common = {
  ...heading,
  base_at: firstPrint,
  effective_at: effectiveAt,
  group_by: z.string().min(1).optional().describe('Dimension of constituent_returns, a key of groups'),
  book_check: bookCheck,
  deletions,
  constituents: z.array(constituent).min(1).describe('The constituents'),
};

const basket = z.strictObject({
  ...common,
  methodology: z.literal('basket').describe('Quantities of contracts, worth what they are quoted at'),
  quote_convention: z.literal('points'),
  base_level: baseLevel,
  weighting: basketWeighting.describe('How the constituents are weighted'),
});

const gauge = z.strictObject({
  ...common,
  methodology: z.literal('gauge').describe('The weighted mean of chances'),
  quote_convention: z
    .enum(['probability', 'centred'])
    .describe('probability: 0 to 100; centred: 100 plus or minus 50'),
  weighting: gaugeWeighting.describe('How the constituents are weighted'),
});

/** An index definition, written as a JSON file in `indices/` of the definitions folder. Unknown keys are rejected. */
export const indexDefinition = z
  .discriminatedUnion('methodology', [basket, composite, gauge, teamIndex, totalReturn])
  .superRefine((definition, context) => {
    // zod goes on with a constituent or a base index that has a problem, but does not transform it: it has no id.
    if (context.issues.some(({ code }) => code !== 'unrecognized_keys')) return;
    addProblems(context, [
      ...organizationProblems(definition),
      ...repeatedProblems('constituents', definition.constituents),
      ...problemsOf(definition),
    ]);
  });

export type IndexDefinition = z.output<typeof indexDefinition>;
export type BasketDefinition = Extract<IndexDefinition, { methodology: 'basket' }>;
export type GaugeDefinition = Extract<IndexDefinition, { methodology: 'gauge' }>;
export type CompositeDefinition = Extract<IndexDefinition, { methodology: 'composite' }>;
export type TotalReturnDefinition = Extract<IndexDefinition, { methodology: 'total_return' }>;

/** Problems of a definition that the schema alone does not find, checked according to its methodology. */
function problemsOf(definition: IndexDefinition): Problem[] {
  switch (definition.methodology) {
    case 'nti':
      return [...teamIndexProblems(definition), ...deletionProblems(definition)];
    case 'composite':
      return compositeProblems(definition);
    case 'total_return':
      return [];
    default:
      return [
        ...weightingProblems(definition.weighting, definition.constituents),
        ...groupProblems(definition),
        ...deletionProblems(definition),
      ];
  }
}

function groupProblems({ group_by, constituents }: BasketDefinition | GaugeDefinition): Problem[] {
  if (group_by === undefined) return [];
  return constituents.flatMap((each, i) =>
    each.groups?.[group_by] === undefined
      ? [{ path: ['constituents', i, 'groups'], message: `must have a value for group_by ${group_by}` }]
      : [],
  );
}
