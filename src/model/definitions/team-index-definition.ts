import { z } from 'zod';
import { definedInstant } from '../time.ts';
import { firstPrint, heading, instant, type Problem } from './definition-fields.ts';
import { constituentFields, nameOnce, withId } from './index-constituent.ts';
import { bookCheck, deletions, effectiveAt } from './index-fields.ts';
import { FOURTH_SEATS, SEATS } from './seats.ts';

const member = z
  .strictObject({
    ...constituentFields,
    seat: z.enum(SEATS).describe('Seat of the index that it is a member of'),
    line: z.number().positive().optional().describe('Seat wins: the contract pays when wins reach this'),
    active_from: instant.optional().describe('Eligible from this instant on'),
    active_until: instant.optional().describe('No longer eligible from this instant on'),
  })
  .superRefine(nameOnce)
  .transform((given) => ({ ...withId(given), groups: { seat: given.seat } }));

/** The level that a team index opens at by default, and a live series again at each reconstitution. */
export const OPENING_LEVEL = 1000;

export const series = z
  .enum(['live', 'historical'])
  .default('live')
  .describe(
    `live: a new series from ${OPENING_LEVEL} at each reconstitution; historical: one series throughout`,
  );

export const fourthSeat = z
  .enum(FOURTH_SEATS)
  .default('wins')
  .describe('wins: win totals; next_game: one game after another');

export const reconstitutesAt = z
  .array(instant)
  .default([])
  .describe('Instants at which the seats are reset to equal values, ascending');

/** The definition of a team index: championship, conference, division and a fourth seat, of equal value. */
export const teamIndex = z.strictObject({
  ...heading,
  methodology: z.literal('nti').describe("A team's contracts in four seats of equal value"),
  quote_convention: z.literal('points'),
  base_at: firstPrint,
  effective_at: effectiveAt,
  series,
  fourth_seat: fourthSeat,
  reconstitutes_at: reconstitutesAt,
  group_by: z.literal('seat').default('seat'),
  book_check: bookCheck,
  deletions,
  constituents: z.array(member).min(1).describe('The constituents'),
});

export type TeamIndexDefinition = z.output<typeof teamIndex>;
export type TeamMember = TeamIndexDefinition['constituents'][number];

/** Whether the level starts anew at reconstitutions, so that the way from print to print is no return. */
export function startsAnew({ series, reconstitutes_at }: TeamIndexDefinition): boolean {
  return series === 'live' && reconstitutes_at.length > 0;
}

/** Problems of a team index that the schema alone does not find. */
export function teamIndexProblems(definition: TeamIndexDefinition): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: Problem['path'], message: string) => problems.push({ path, message });
  const other = definition.fourth_seat === 'wins' ? 'next_game' : 'wins';
  definition.constituents.forEach((each, i) => {
    if (each.seat === other)
      refuse(['constituents', i, 'seat'], `must not be ${other} with fourth_seat ${definition.fourth_seat}`);
    if ((each.seat === 'wins') !== (each.line !== undefined))
      refuse(['constituents', i, 'line'], 'must be given in the seat wins, and only there');
    if (
      each.active_from &&
      each.active_until &&
      definedInstant(each.active_from) >= definedInstant(each.active_until)
    )
      refuse(['constituents', i, 'active_until'], 'must be later than active_from');
  });
  const lines = definition.constituents.flatMap((each) => each.line ?? []);
  const twice = lines.find((line, i) => lines.indexOf(line) !== i);
  if (twice !== undefined)
    refuse(['constituents'], `has the line ${twice} twice; each line may be used only once`);
  const dates = [definition.base_at, ...definition.reconstitutes_at].map(definedInstant);
  dates.forEach((date, i) => {
    if (i > 0 && date <= (dates[i - 1] as number))
      refuse(['reconstitutes_at', i - 1], 'must be later than the one before, and than base_at');
  });
  return problems;
}
