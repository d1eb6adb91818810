import { z } from 'zod';
import { heading, instant, organizationFits, organizationMessage, repeated } from './definition-fields.ts';
import { constituentFields, nameOnce, withId } from './index-constituent.ts';
import { bookCheck } from './index-fields.ts';
import { teamIndex, teamIndexProblems } from './team-index-definition.ts';

const constituent = z
  .strictObject({
    ...constituentFields,
    weight: z
      .number()
      .positive()
      .optional()
      .describe('Target share before normalising; with scheme fixed only'),
    groups: z.record(z.string(), z.string()).optional().describe('Values of the dimensions to group by'),
  })
  .superRefine(nameOnce)
  .transform(withId);

const common = {
  ...heading,
  base_at: instant.describe('Instant of the first print'),
  group_by: z.string().min(1).optional().describe('Dimension of constituent_returns, a key of groups'),
  book_check: bookCheck,
  constituents: z.array(constituent).min(1),
};

const scheme = z.enum(['fixed', 'equal']).describe('fixed: by weight; equal: the same for all');

const basket = z.strictObject({
  ...common,
  methodology: z.literal('basket'),
  quote_convention: z.literal('points'),
  base_level: z.number().positive().default(1000),
  weighting: z.strictObject({
    scheme,
    by: z
      .enum(['value', 'quantity'])
      .default('value')
      .describe('Weights are value shares at the base, or quantities'),
  }),
});

const gauge = z.strictObject({
  ...common,
  methodology: z.literal('gauge'),
  quote_convention: z
    .enum(['probability', 'centred'])
    .describe('probability: 0 to 100; centred: 100 plus or minus 50'),
  weighting: z.strictObject({ scheme }),
});

/** An index as its editor writes it: a JSON file under data/. Unknown keys are rejected. */
export const indexDefinition = z
  .discriminatedUnion('methodology', [basket, gauge, teamIndex])
  .superRefine((definition, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (!organizationFits(definition)) refuse(organizationMessage.path, organizationMessage.message);
    const twice = repeated(definition.constituents.map((each) => each.market_id));
    if (twice) refuse(['constituents'], `names ${twice} twice`);
    if (definition.methodology === 'nti') {
      for (const { path, message } of teamIndexProblems(definition)) refuse(path, message);
      return;
    }
    definition.constituents.forEach((each, i) => {
      const fixed = definition.weighting.scheme === 'fixed';
      if (fixed && each.weight === undefined)
        refuse(['constituents', i, 'weight'], 'must be given with scheme fixed');
      if (!fixed && each.weight !== undefined)
        refuse(['constituents', i, 'weight'], 'must be left out with scheme equal');
      if (definition.group_by && each.groups?.[definition.group_by] === undefined)
        refuse(['constituents', i, 'groups'], `must have a value for group_by ${definition.group_by}`);
    });
  });

export type IndexDefinition = z.output<typeof indexDefinition>;
export type BasketDefinition = Extract<IndexDefinition, { methodology: 'basket' }>;
export type GaugeDefinition = Extract<IndexDefinition, { methodology: 'gauge' }>;
