import { describe, expect, it } from 'vitest';
import { expandLeague, leagueDefinition } from '../../src/model/definitions/league-definition.ts';

const league = {
  league: 'Continental',
  season: '2026-27',
  ticker: '{code}.27',
  name: '{city} {name} team index',
  visibility: 'public',
  interval_minutes: 60,
  base_at: '2026-10-20T04:00:00Z',
  seats: {
    championship: ['venue_a:CUP-27-{code}'],
    conference: ['venue_a:{conference}-27-{code}'],
    wins: { lines: [40, 45], members: ['rate:WINS.{code}.{line}'] },
  },
  teams: [
    { code: 'BOS', fields: { city: 'Boston', name: 'Harbors', conference: 'EAST' } },
    {
      code: 'SEA',
      fields: { city: 'Seattle', name: 'Ferries', conference: 'WEST' },
      also: { championship: ['venue_b:0xab'] },
    },
  ],
};

describe('a league in one file', () => {
  it('[2.4.2/1] gives each team its index, with the members that the patterns name', () => {
    const { indices, problems } = expandLeague(leagueDefinition.parse(league));
    expect(problems).toEqual([]);
    expect(indices.map((each) => [each.ticker, each.name, each.methodology])).toEqual([
      ['BOS.27', 'Boston Harbors team index', 'nti'],
      ['SEA.27', 'Seattle Ferries team index', 'nti'],
    ]);
    expect(indices[1]?.constituents.map((each) => each.market_id)).toEqual([
      'venue_a:CUP-27-SEA',
      'venue_b:0xab',
      'venue_a:WEST-27-SEA',
      'rate:WINS.SEA.40',
      'rate:WINS.SEA.45',
    ]);
    expect(indices[0]?.constituents.at(-1)).toMatchObject({ rate: 'WINS.BOS.45', seat: 'wins', line: 45 });
  });

  it('deletes a constituent from the team that has it', () => {
    const deleting = (...rates: string[]) =>
      expandLeague(
        leagueDefinition.parse({
          ...league,
          deletions: rates.map((rate) => ({ rate, at: '2027-01-01T00:00:00Z', price_cents: 2 })),
        }),
      );
    const { indices, problems } = deleting('WINS.SEA.45');
    expect(problems).toEqual([]);
    expect(
      indices.map((each) => 'deletions' in each && each.deletions?.map(({ market_id }) => market_id)),
    ).toEqual([[], ['rate:WINS.SEA.45']]);
    expect(deleting('WINS.NYC.45', 'WINS.SEA.45', 'WINS.NYC.40').problems).toEqual([
      { path: ['deletions', 0], message: 'must name a member of a team, got rate:WINS.NYC.45' },
      { path: ['deletions', 2], message: 'must name a member of a team, got rate:WINS.NYC.40' },
    ]);
  });

  it('a pattern that a team cannot fill, or an invalid index, is a problem of that team alone', () => {
    const [bos, sea] = league.teams;
    const broken = leagueDefinition.parse({
      ...league,
      teams: [
        bos,
        { code: 'NYC', fields: { city: 'New York', name: 'Comets' } },
        { ...sea, also: { division: ['venue_x:1'] } },
      ],
    });
    const { indices, problems } = expandLeague(broken);
    expect(indices.map((each) => each.ticker)).toEqual(['BOS.27']);
    expect(problems.map((each) => each.path.join('.'))).toEqual(['teams.1', 'teams.2']);
    expect(problems[0]?.message).toBe('NYC has no field conference, which a pattern uses');
    expect(problems[1]?.message).toMatch(/^index of SEA: constituents\.\d\.market_id: must be <venue_a/);
  });
});
