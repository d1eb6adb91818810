import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readDefinitionFiles } from '../../../src/store/definitions/definition-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'leagues'));
});

const league = {
  league: 'Cup',
  season: '2026',
  ticker: '{code}.26',
  name: '{code} team index',
  visibility: 'public',
  interval_minutes: 60,
  base_at: '2026-06-11T00:00:00Z',
  seats: { championship: ['venue_a:CUP-{code}'] },
  teams: [{ code: 'ARG' }, { code: 'BRA' }],
};
const write = (name: string, body: object) =>
  writeFileSync(join(folder, 'leagues', name), JSON.stringify(body));

it('a league file gives its teams, in their order', () => {
  write('cup.json', league);
  const { indices, problems } = readDefinitionFiles(folder);
  expect(problems).toEqual([]);
  expect(indices.map((each) => each.ticker)).toEqual(['ARG.26', 'BRA.26']);
});

it('a problem of a league file is reported with file and place, and the other teams stand', () => {
  write('cup.json', { ...league, seats: { championship: ['venue_a:{region}-{code}'] } });
  write('more.json', { ...league, teams: [{ code: 'ARG' }, { code: 'ARG' }] });
  const { indices, problems } = readDefinitionFiles(folder);
  expect(indices.map((each) => each.ticker)).toEqual(['ARG.26']);
  expect(problems.map(({ file, path, message }) => [file.slice(folder.length + 1), path, message])).toEqual([
    ['leagues/cup.json', 'teams.0', 'ARG has no field region, which a pattern uses'],
    ['leagues/cup.json', 'teams.1', 'BRA has no field region, which a pattern uses'],
    ['leagues/more.json', 'ticker', `ARG.26 is defined in ${join(folder, 'leagues/more.json')} already`],
  ]);
});
