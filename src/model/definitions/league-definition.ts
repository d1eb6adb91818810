import { z } from 'zod';
import { readWritten } from '../written-value.ts';
import {
  addProblems,
  firstPrint,
  intervalMinutes,
  organization,
  organizationProblems,
  type Problem,
  visibility,
} from './definition-fields.ts';
import { type IndexDefinition, indexDefinition } from './index-definition.ts';
import { bookCheck, deletions, effectiveAt } from './index-fields.ts';
import { SEATS, type Seat } from './seats.ts';
import { fourthSeat, reconstitutesAt, series } from './team-index-definition.ts';

const pattern = z
  .string()
  .min(1)
  .describe(
    'Market id or, after "rate:", a rate; {code} is the team, {name} one of its fields, {line} a line',
  );

const seat = z.array(pattern).default([]).describe('Patterns of the members of this seat');

const team = z
  .strictObject({
    code: z
      .string()
      .regex(/^[A-Z0-9]{1,16}$/, 'must be 1 to 16 of A-Z and 0-9')
      .describe('Code of the team in tickers and patterns'),
    fields: z.record(z.string(), z.string().min(1)).default({}).describe('Text that patterns may use'),
    also: z
      .partialRecord(z.enum(SEATS).exclude(['wins']), z.array(pattern))
      .optional()
      .describe('Members of this team alone, for example at a venue whose ids follow no pattern'),
  })
  .describe('A team');

/** The definition of the team indices of a whole league: its teams, and the patterns that fill the seats. */
export const leagueDefinition = z
  .strictObject({
    $schema: z.string().optional(),
    league: z.string().min(1).describe('Name of the league'),
    season: z.string().min(1).describe('Season, {season} in patterns'),
    ticker: z.string().min(1).describe('Ticker of each index: {code} stands for the team'),
    name: z.string().min(1).describe('Name of each index, a pattern'),
    description: z.string().min(1).optional().describe('Description of each index, a pattern'),
    visibility,
    organization,
    interval_minutes: intervalMinutes,
    base_at: firstPrint,
    effective_at: effectiveAt,
    series,
    fourth_seat: fourthSeat,
    reconstitutes_at: reconstitutesAt,
    book_check: bookCheck,
    deletions,
    seats: z
      .strictObject({
        championship: seat,
        conference: seat,
        division: seat,
        wins: z
          .strictObject({
            lines: z.array(z.number().positive()).min(1).describe('Lines of wins that have contracts'),
            members: z.array(pattern).min(1).describe('Patterns with {line}'),
          })
          .optional()
          .describe('Win totals, one member for each line'),
        next_game: seat,
      })
      .describe('The members of each seat, for every team'),
    teams: z.array(team).min(1).describe('The teams, one index each'),
  })
  .superRefine((league, context) => addProblems(context, organizationProblems(league)));

export type LeagueDefinition = z.output<typeof leagueDefinition>;
type Team = LeagueDefinition['teams'][number];

/**
 * Expands a league into one index for each team. A team whose index would be invalid gives problems instead.
 *
 * @example a team { code: 'BOS' } with the pattern 'venue_a:CHAMP-27-{code}' gets the member venue_a:CHAMP-27-BOS
 */
export function expandLeague(league: LeagueDefinition): {
  indices: IndexDefinition[];
  problems: Problem[];
} {
  const indices: IndexDefinition[] = [];
  const problems: Problem[] = [];
  league.teams.forEach((each, i) => {
    const unknown = new Set<string>();
    const drafted = draftIndex(league, each, unknown);
    for (const field of unknown)
      problems.push({
        path: ['teams', i],
        message: `${each.code} has no field ${field}, which a pattern uses`,
      });
    if (unknown.size > 0) return;
    const { value, problems: found } = readWritten(indexDefinition, drafted);
    if (value !== undefined) indices.push(value);
    for (const { path, message } of found)
      problems.push({ path: ['teams', i], message: `index of ${each.code}: ${placeOf(path)}${message}` });
  });
  // Deletions are checked only if all indices are valid: otherwise some members are unknown.
  if (problems.length > 0) return { indices, problems };
  const known = new Set(indices.flatMap(({ constituents }) => constituents.map((each) => each.market_id)));
  for (const [i, { market_id }] of (league.deletions ?? []).entries())
    if (!known.has(market_id))
      problems.push({ path: ['deletions', i], message: `must name a member of a team, got ${market_id}` });
  return { indices, problems };
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length > 0 ? `${path.map(String).join('.')}: ` : '';
}

/**
 * The index of a team as it would be in a file of its own.
 *
 * @param unknown collects pattern fields that the team lacks
 */
function draftIndex(league: LeagueDefinition, each: Team, unknown: Set<string>): object {
  const { seats, teams: _teams, league: name, season, ticker, deletions, ...common } = league;
  const fields = new Map(Object.entries({ ...each.fields, league: name, season, code: each.code }));
  const fill = (text: string, more: ReadonlyMap<string, string> = new Map()) =>
    text.replace(/\{(\w+)\}/g, (_all, field: string) => {
      const value = more.get(field) ?? fields.get(field);
      if (value === undefined) unknown.add(field);
      return value ?? '';
    });
  const ids = new Set<string>();
  const named = (id: string) => {
    ids.add(id);
    return memberOf(id);
  };
  const members = (seat: Seat, patterns: readonly string[] = []) =>
    patterns.map((text) => ({ ...named(fill(text)), seat }));
  const { wins, ...others } = seats;
  const lines = (wins?.lines ?? []).flatMap((line) =>
    (wins?.members ?? []).map((text) => ({
      ...named(fill(text, new Map([['line', String(line)]]))),
      seat: 'wins',
      line,
    })),
  );
  const constituents = SEATS.flatMap((seat): object[] =>
    seat === 'wins' ? lines : [...members(seat, others[seat]), ...members(seat, each.also?.[seat])],
  );
  return {
    ...common,
    methodology: 'nti',
    quote_convention: 'points',
    ticker: fill(ticker),
    name: fill(common.name),
    ...(common.description === undefined ? {} : { description: fill(common.description) }),
    constituents,
    deletions: deletions
      ?.filter((each) => ids.has(each.market_id))
      .map(({ market_id, at, price_cents }) => ({ ...memberOf(market_id), at, price_cents })),
  };
}

/** The field that names a member, from the id that a pattern gave. */
function memberOf(id: string): { rate: string } | { market_id: string } {
  return id.startsWith('rate:') ? { rate: id.slice('rate:'.length) } : { market_id: id };
}
