import { z } from 'zod';
import {
  heading,
  instant,
  marketId,
  organizationFits,
  organizationMessage,
  repeated,
} from './definition-fields.ts';

const source = z.strictObject({
  market_id: marketId,
  weight: z.number().positive().default(1).describe('Catalog share before normalising'),
});

const common = { ...heading, start_at: instant.describe('Instant from which the rate is printed') };

const eventContract = z.strictObject({
  ...common,
  methodology: z.literal('event_contract').describe('The price of one contract'),
  sources: z.array(source).length(1),
});

const simpleAverage = z.strictObject({
  ...common,
  methodology: z.literal('simple_average').describe('The mean of the sources that have a price'),
  sources: z.array(source).min(1),
});

/** A reference rate as its editor writes it: a JSON file under data/. Unknown keys are rejected. */
export const rateDefinition = z
  .discriminatedUnion('methodology', [eventContract, simpleAverage])
  .superRefine((definition, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (!organizationFits(definition)) refuse(organizationMessage.path, organizationMessage.message);
    const twice = repeated(definition.sources.map((each) => each.market_id));
    if (twice) refuse(['sources'], `names ${twice} twice`);
  });

export type RateDefinition = z.output<typeof rateDefinition>;
