import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDefinitionFiles } from '../../../src/store/definitions/definition-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const root = temporaryFolder();
const DATA = join(import.meta.dirname, '../../../data');
let made = 0;

const index = {
  ticker: 'TEST',
  name: 'Test',
  visibility: 'public',
  interval_minutes: 60,
  methodology: 'basket',
  quote_convention: 'points',
  base_at: '2026-01-05T12:00:00Z',
  weighting: { scheme: 'fixed' },
  constituents: [{ market_id: 'venue_a:A', weight: 1 }],
};
const rate = {
  ticker: 'TEST',
  name: 'Test',
  visibility: 'public',
  interval_minutes: 60,
  methodology: 'event_contract',
  start_at: '2026-01-05T12:00:00Z',
  sources: [{ market_id: 'venue_b:us:abc' }],
};

/** Reads a folder with these files; problems have paths relative to it. */
function read(files: Record<string, unknown>) {
  const folder = join(root, String(made++));
  for (const kind of ['indices', 'rates']) mkdirSync(join(folder, kind), { recursive: true });
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(
      join(folder, name),
      typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    );
  }
  const found = readDefinitionFiles(folder);
  return {
    ...found,
    problems: found.problems.map((each) => ({ ...each, file: each.file.slice(folder.length + 1) })),
  };
}

const problemOf = (change: object) => read({ 'indices/a.json': { ...index, ...change } }).problems[0];
const constituent = (change: object) => ({ constituents: [{ ...index.constituents[0], ...change }] });

describe('definition files', () => {
  it.each(['0206-01-05T12:00:00Z', '1999-12-31T23:59:59Z'])(
    'say that no series begins before there were venues: nobody could calculate it from %s',
    (begin) => {
      const message = 'must be in 2000 or later';
      const { problems } = read({
        'indices/a.json': { ...index, base_at: begin },
        'rates/a.json': { ...rate, start_at: begin },
      });
      expect(problems).toMatchObject([
        { file: 'indices/a.json', path: 'base_at', message: expect.stringContaining(message) },
        { file: 'rates/a.json', path: 'start_at', message: expect.stringContaining(message) },
      ]);
      expect(problemOf({ base_at: '2000-01-01T00:00:00Z' })).toBeUndefined();
    },
  );

  it('all read without a problem where they are published with the product', () => {
    const folders = readdirSync(DATA, { withFileTypes: true }).filter(
      (each) => each.isDirectory() && !['cdn', 'schemas', 'similarity'].includes(each.name),
    );
    let count = 0;
    for (const { name } of folders) {
      const { indices, rates, problems } = readDefinitionFiles(join(DATA, name));
      expect(problems).toEqual([]);
      count += indices.length + rates.length;
    }
    expect(count).toBeGreaterThanOrEqual(70);
  });

  it('fill in their defaults', () => {
    const { indices, rates, problems } = read({ 'indices/a.json': index, 'rates/a.json': rate });
    expect(problems).toEqual([]);
    expect(indices[0]).toMatchObject({
      base_level: 1000,
      weighting: { by: 'value' },
      book_check: { max_spread_cents: 20, max_quote_age_hours: 24 },
      constituents: [{ status: 'included' }],
    });
    expect(rates[0]?.sources).toEqual([{ market_id: 'venue_b:us:abc', weight: 1 }]);
  });

  it('characters that nobody sees but that act on what shows them are refused, with their place', () => {
    const { indices, problems } = read({
      'indices/a.json': { ...index, description: 'at 40\u202e cents\u0007', 'na\u200eme': 1 },
      'indices/b.json': {
        ...index,
        ticker: 'B',
        name: 'two\nlines',
        constituents: [{ market_id: 'venue_a:X\u2066', weight: 1 }],
      },
      'indices/c.json': {
        ...index,
        ticker: 'C',
        name: 'Ünïted 👩‍👩‍👧',
        description: 'One paragraph.\n\nA\tsecond.',
      },
      'rates/d.json': { ...rate, organization: 'desk\u009b' },
    });
    expect(indices.map(({ ticker }) => ticker)).toEqual(['C']);
    expect(problems.map(({ file, path, message }) => `${file} ${path}: ${message}`)).toEqual([
      expect.stringMatching(/^indices\/a.json na\u200eme: there is no such key/),
      'indices/a.json description: must have no control or direction characters, got U+202E',
      'indices/a.json na\u200eme: must have no control or direction characters, got U+200E',
      'indices/b.json name: must be on one line, without tabs, got "two\\nlines"',
      'indices/b.json constituents.0.market_id: must have no control or direction characters, got U+2066',
      expect.stringMatching(/^rates\/d.json organization: must be given when/),
      'rates/d.json organization: must have no control or direction characters, got U+009B',
    ]);
  });

  it('a file beside the folders is a problem: nobody would read it', () => {
    const { indices, problems } = read({ 'a.json': index, 'indices/b.json': { ...index, ticker: 'B' } });
    expect(indices.map(({ ticker }) => ticker)).toEqual(['B']);
    expect(problems).toEqual([
      { file: 'a.json', path: '', message: 'must be in indices/, rates/ or leagues/ to be read' },
    ]);
  });

  it('an unread file inside the folders is a problem too, except notes and hidden folders', () => {
    const { indices, problems } = read({
      'indices/a.yaml': 'ticker: A',
      'indices/B.JSON': index,
      'indices/c.json': index,
      'indices/notes.md': 'text',
      'indices/west/d.json': index,
      'indices/.git/e.json': index,
      leagues: 'a file',
    });
    expect(indices).toHaveLength(1);
    expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'leagues: must be a folder',
      'indices/B.JSON: must have a name that ends in .json to be read',
      'indices/a.yaml: must have a name that ends in .json to be read',
      'indices/west: must be a file: folders in indices/ are not read',
    ]);
  });

  it('a file given in place of the folder is a problem', () => {
    expect(readDefinitionFiles(import.meta.filename).problems).toEqual([
      { file: import.meta.filename, path: '', message: 'must be a folder' },
    ]);
  });

  it('a key repeated in one object is named with its line; the same key in two objects is allowed', () => {
    const twice = JSON.stringify(index, null, 1).replace(
      '"weight": 1',
      '"weight": 1,\n "groups": {},\n "weight": 2',
    );
    const { indices, problems } = read({
      'indices/a.json': twice,
      'indices/b.json': { ...index, ticker: 'B', name: 'a "weight": 1, "weight": {', description: '\\' },
    });
    expect(indices.map(({ ticker }) => ticker)).toEqual(['B']);
    expect(problems).toEqual([
      {
        file: 'indices/a.json',
        path: '',
        message: 'the key "weight" occurs twice in one object, the second time in line 17',
      },
    ]);
  });

  it('a repeated key is named even where one of the two is escaped', () => {
    const twice = JSON.stringify(index).replace('"name"', '"n\\u0061me":"another","name"');
    expect(read({ 'indices/a.json': twice }).problems.map(({ message }) => message)).toEqual([
      'the key "name" occurs twice in one object, the second time in line 1',
    ]);
  });

  it('a text of millions of characters is too long, like any other that is', () => {
    expect(problemOf({ name: 'x'.repeat(20_000_000) })).toMatchObject({
      path: 'name',
      message: 'must have at most 200 characters, got 20000000',
    });
  });

  it.skipIf(process.platform === 'win32')('a link to what is not a file is named, and not followed', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'indices'));
    for (const [name, to] of [
      ['device', '/dev/null'],
      ['folder', '.'],
    ] as const)
      symlinkSync(to, join(folder, 'indices', `${name}.json`));
    expect(readDefinitionFiles(folder).problems).toEqual(
      ['device', 'folder'].map((name) => ({
        file: join(folder, 'indices', `${name}.json`),
        path: '',
        message: 'must be a file',
      })),
    );
  });

  it('a misspelt key is named with its file and place', () => {
    expect(problemOf(constituent({ wieght: 2 }))).toEqual({
      file: 'indices/a.json',
      path: 'constituents.0.wieght',
      message: 'there is no such key, only market_id, rate, status, weight, attributes, groups',
    });
    expect(problemOf({ constituants: [] })?.path).toBe('constituants');
  });

  it.each([
    [
      'an unknown market id form',
      constituent({ market_id: 'kalshi:A' }),
      'constituents.0.market_id',
      '<native id>',
    ],
    ['a missing weight', constituent({ weight: undefined }), 'constituents.0.weight', 'must be given'],
    ['a weight of 0', constituent({ weight: 0 }), 'constituents.0.weight', 'at least 1e-15, got 0'],
    [
      'a weight that a price makes 0',
      constituent({ weight: 5e-324 }),
      'constituents.0.weight',
      'at least 1e-15, got 5e-324',
    ],
    [
      'a base level with an infinite divisor',
      { base_level: 5e-324 },
      'base_level',
      'at least 1e-15, got 5e-324',
    ],
    ['a weight with equal shares', { weighting: { scheme: 'equal' } }, 'constituents.0.weight', 'left out'],
    ['a group_by that no constituent has', { group_by: 'state' }, 'constituents.0.groups', 'group_by state'],
    [
      'a market named twice',
      { constituents: [...index.constituents, ...index.constituents] },
      'constituents',
      'venue_a:A twice',
    ],
    ['no constituent', { constituents: [] }, 'constituents', '1'],
    ['an unknown methodology', { methodology: 'nti2' }, 'methodology', '"nti", "total_return", got "nti2"'],
    ['no methodology', { methodology: undefined }, 'methodology', '"nti", "total_return"'],
    ['a ticker in small letters', { ticker: 'test' }, 'ticker', 'start with a letter or digit, got "test"'],
    ['an invalid day', { base_at: '31.6.2026' }, 'base_at', '2026-07-06T00:00:00Z, got "31.6.2026"'],
    ["another family's quote convention", { quote_convention: 'centred' }, 'quote_convention', 'points'],
    ['an organization that is missing', { visibility: 'organization' }, 'organization', 'and only then'],
    ['an invalid day', { base_at: '2026-02-30' }, 'base_at', 'instant'],
    ['an interval that does not divide a day', { interval_minutes: 7 }, 'interval_minutes', 'divide a day'],
    ['a ticker in small letters', { ticker: 'test' }, 'ticker', 'A-Z'],
  ])('%s is a problem at its place', (_name, change, path, message) => {
    expect(problemOf(change)).toMatchObject({
      file: 'indices/a.json',
      path,
      message: expect.stringContaining(message),
    });
  });

  it('a seat of one team that does not exist names those that do', () => {
    const teams = [{ code: 'BOS', also: { champ: ['venue_a:X'] } }];
    const { problems } = read({ 'leagues/a.json': { teams } });
    expect(problems).toContainEqual({
      file: 'leagues/a.json',
      path: 'teams.0.also.champ',
      message: 'there is no such key, only championship, conference, division, next_game',
    });
  });

  it('what is not JSON says so; the other files still read', () => {
    const { indices, problems } = read({
      'indices/a.json': '{',
      'indices/b.json': index,
      'indices/readme.txt': 'x',
    });
    expect(indices).toHaveLength(1);
    expect(problems).toEqual([
      { file: 'indices/a.json', path: '', message: expect.stringContaining('is not JSON') },
    ]);
  });

  it.each([
    [
      'a comma after the last entry',
      '{\n  "constituents": [\n    { "weight": 50 },\n  ]\n}',
      "Unexpected token ']' in line 4",
    ],
    ['a comment', '// mine\n{}', "Unexpected token '/' in line 1"],
    ['a word in capitals', '{\n  "a": 1,\n  "b": TRUE\n}', "Unexpected token 'T' in line 3"],
    ['a quotation mark of prose', '{\n"a": “x”\n}', "Unexpected token '“' in line 2"],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'line 3'],
  ])('what is not JSON names the line: %s', (_, text, message) => {
    const { problems } = read({ 'indices/a.json': text });
    expect(problems).toEqual([
      { file: 'indices/a.json', path: '', message: expect.stringContaining(message) },
    ]);
    expect(problems[0]?.message).not.toContain('\n');
  });

  it('what is not UTF-8 says so, and is not read as a name with other letters', () => {
    const latin = Buffer.from(JSON.stringify({ ...index, name: 'Perú' }), 'latin1');
    expect(read({ 'indices/a.json': latin })).toMatchObject({
      indices: [],
      problems: [{ file: 'indices/a.json', path: '', message: 'must be UTF-8, and line 1 is not' }],
    });
  });

  it('the second file of a ticker is the problem, and names the first', () => {
    const { indices, rates, problems } = read({
      'indices/a.json': index,
      'indices/b.json': { ...index, name: 'B' },
      'rates/a.json': rate,
    });
    expect(indices.map((each) => each.name)).toEqual(['Test']);
    expect(rates).toHaveLength(1);
    expect(problems).toMatchObject([
      { file: 'indices/b.json', path: 'ticker', message: expect.stringContaining('a.json') },
    ]);
  });

  it('all problems of all files are reported together', () => {
    const { problems } = read({
      'indices/a.json': { ...index, name: '', interval_minutes: 7 },
      'rates/a.json': { ...rate, sources: [] },
    });
    expect(problems.map((each) => each.path).sort()).toEqual(['interval_minutes', 'name', 'sources']);
  });

  it('a missing folder is a problem, not an empty set of definitions', () => {
    expect(readDefinitionFiles(join(root, 'nowhere')).problems).toMatchObject([
      { message: 'folder does not exist; it should have indices/, rates/ or leagues/ in it' },
    ]);
  });

  it('so is a folder with none of the three folders in it, as when nothing is mounted', () => {
    const folder = join(root, 'unmounted');
    mkdirSync(folder);
    expect(readDefinitionFiles(folder).problems).toEqual([
      { file: folder, path: '', message: 'must have indices/, rates/ or leagues/ in it' },
    ]);
    mkdirSync(join(folder, 'rates'));
    expect(readDefinitionFiles(folder).problems).toEqual([]);
  });

  it('so is a link to a folder that is not mounted; one of which the system cannot tell throws', () => {
    const folder = join(root, 'linked');
    mkdirSync(join(folder, 'indices'), { recursive: true });
    const rates = join(folder, 'rates');
    symlinkSync(join(root, 'nowhere'), rates);
    expect(readDefinitionFiles(folder).problems).toEqual([
      { file: rates, path: '', message: 'must be a folder' },
    ]);
    rmSync(rates);
    symlinkSync('rates', rates);
    expect(() => readDefinitionFiles(folder)).toThrow(/^ELOOP: .+\/linked\/rates'$/);
  });

  it('hidden files of editors and operating systems are not read', () => {
    const hidden = { 'indices/.#a.json': 'me@here.1', 'indices/._a.json': 'x', 'rates/.b.YAML': 'x' };
    const { indices, problems } = read({ 'indices/a.json': index, ...hidden });
    expect([indices.length, problems]).toEqual([1, []]);
  });
});
