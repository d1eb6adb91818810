import { z } from 'zod';
import { DAY_MS, parseInstant } from '../time.ts';
import type { Instant } from '../units.ts';
import {
  addProblems,
  amount,
  firstPrint,
  heading,
  instant,
  marketId,
  organizationProblems,
  type Problem,
  repeatedProblems,
} from './definition-fields.ts';
import { SEATS } from './seats.ts';

const source = z.strictObject({
  market_id: marketId,
  weight: amount.default(1).describe('Catalog share before normalising'),
});

const common = { ...heading, start_at: firstPrint.describe('Instant from which the rate is printed') };

const outlierGate = z
  .strictObject({
    limit_cents: z
      .number()
      .positive()
      .max(100)
      .default(15)
      .describe('A source further than this from the median of the sources is flagged'),
    drop: z
      .boolean()
      .default(false)
      .describe('Flagged sources are left out if at least three have a price and most agree'),
  })
  .prefault({})
  .describe('When a source disagrees with the others');

const sources = z.array(source).min(1).describe('The markets whose prices enter');

const several = { sources, outlier_gate: outlierGate };

const eventContract = z.strictObject({
  ...common,
  methodology: z.literal('event_contract').describe('The price of one contract'),
  sources: z.array(source).length(1).describe('The market whose price it is'),
});

const simpleAverage = z.strictObject({
  ...common,
  methodology: z.literal('simple_average').describe('The mean of the sources that have a price'),
  ...several,
});

const volumeWeighted = z.strictObject({
  ...common,
  methodology: z.literal('volume_weighted').describe('The mean of the sources, weighted by lifetime volume'),
  ...several,
});

const claimPrice = z.strictObject({
  ...common,
  methodology: z.literal('claim_price').describe('One claim on several venues, weighted by lifetime volume'),
  claim: z.string().min(1).max(500).describe('The statement on which every source pays'),
  ...several,
});

const teamSleeve = z.strictObject({
  ...common,
  methodology: z
    .literal('team_sleeve')
    .describe('What fills a seat of a team index, weighted by lifetime volume'),
  team: z.string().min(1).max(50).describe('Team code'),
  seat: z.enum(SEATS).exclude(['wins']).describe('Seat of the team index'),
  ...several,
});

const robustMedian = z.strictObject({
  ...common,
  methodology: z.literal('robust_median').describe('The mean of the medians of the twelve parts of an hour'),
  sources,
  least_trades: z
    .int()
    .min(1)
    .default(3)
    .describe('A part with fewer trades uses the time-weighted median of the marks'),
});

const winTotal = z.strictObject({
  ...common,
  methodology: z.literal('win_total').describe('Chance that a team reaches a line of wins'),
  team: z.string().min(1).max(50).describe('Team code'),
  line: z.number().positive().describe('The rate is P(wins ≥ line)'),
  sources: z
    .array(
      z.strictObject({
        market_id: marketId,
        line: z.number().positive().describe('Line of this contract'),
        side: z.enum(['yes', 'no']).default('yes').describe('no: pays when the team stays under its line'),
      }),
    )
    .min(1)
    .describe("The contracts of this line and of the team's other lines: the whole ladder"),
});

const rolling = z.strictObject({
  ...common,
  methodology: z.literal('rolling').describe('A chain of contracts that roll into each other'),
  roll: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('step_change').describe('The next contract takes over at roll_at') }),
      z.strictObject({
        kind: z.literal('linear_blend').describe('The next contract takes over linearly until roll_at'),
        days: z.number().positive().max(366).describe('Days before roll_at at which the blend begins'),
      }),
    ])
    .describe('How one contract rolls into the next'),
  sources: z
    .array(
      z.strictObject({
        market_id: marketId,
        roll_at: instant
          .optional()
          .describe('When the roll to the next contract is complete; all but the last have one'),
      }),
    )
    .min(2)
    .describe('The chain, in order'),
});

/** A rate definition, written as a JSON file in `rates/` of the definitions folder. Unknown keys are rejected. */
export const rateDefinition = z
  .discriminatedUnion('methodology', [
    eventContract,
    simpleAverage,
    volumeWeighted,
    claimPrice,
    teamSleeve,
    robustMedian,
    winTotal,
    rolling,
  ])
  .superRefine((definition, context) =>
    addProblems(context, [
      ...organizationProblems(definition),
      ...repeatedProblems('sources', definition.sources),
      ...(definition.methodology === 'win_total' ? ladderProblems(definition) : []),
      ...(definition.methodology === 'rolling' ? chainProblems(definition) : []),
    ]),
  );

export type RateDefinition = z.output<typeof rateDefinition>;
export type RateDefinitionOf<Methodology extends RateDefinition['methodology']> = Extract<
  RateDefinition,
  { methodology: Methodology }
>;

/** A problem if no contract of a ladder is of the line that the rate is about. */
function ladderProblems({ line, sources }: z.output<typeof winTotal>): Problem[] {
  if (sources.some((each) => each.line === line)) return [];
  return [{ path: ['sources'], message: `must have a contract of line ${line}` }];
}

/** Problems of the roll dates of a chain. */
function chainProblems({ roll, sources }: z.output<typeof rolling>): Problem[] {
  const rollAt = (place: number): Instant | undefined => parseInstant(sources[place]?.roll_at ?? '');
  const least = roll.kind === 'linear_blend' ? roll.days * DAY_MS : 1;
  return sources.flatMap((each, place): Problem[] => {
    const path = ['sources', place, 'roll_at'];
    const isLast = place === sources.length - 1;
    if (isLast !== (each.roll_at === undefined))
      return [{ path, message: isLast ? 'must be left out of the last contract' : 'must be given' }];
    const [own, earlier] = [rollAt(place), rollAt(place - 1)];
    if (own === undefined || earlier === undefined || own - earlier >= least) return [];
    const limit = roll.kind === 'linear_blend' ? `${roll.days} days` : '1 ms';
    return [{ path, message: `must be at least ${limit} after that of the contract before` }];
  });
}
