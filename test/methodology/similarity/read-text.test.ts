import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/methodology/similarity/read-text.ts';
import { createTextReader } from '../../../src/methodology/similarity/text-reader.ts';
import type { RelatedText } from '../../../src/model/related-text.ts';
import { readSimilarityTables } from '../../../src/store/similarity-tables.ts';

const reader = createTextReader(readSimilarityTables());
const terms = (text: string, more: Partial<RelatedText> = {}) => [
  ...readText(reader, { text, ...more }).keys(),
];
const ofSort = (sort: string, text: string, more: Partial<RelatedText> = {}) =>
  terms(text, more)
    .filter((term) => term.startsWith(`${sort}|`))
    .map((term) => term.slice(2));
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const days = (text: string, more: Partial<RelatedText> = {}) =>
  ofSort('d', text, more).map((span) =>
    span
      .split('|')
      .slice(0, 2)
      .map((each) => new Date(Number(each) * 86_400_000).toISOString().slice(0, 10))
      .join(' to '),
  );

describe('names', () => {
  it.each([
    ['Will the Celtics beat OKC?', ['team|boston celtics', 'team|oklahoma city thunder']],
    ['Giants vs. Guardians', ['team|cleveland guardians', 'team|san francisco giants']],
    ['Giants vs. Eagles', ['team|new york giants', 'team|philadelphia eagles']],
    ['Will BTC hit $100k?', ['asset|bitcoin']],
    ['Will us exports rise?', []],
    ['Will the US leave NATO?', ['country|united states', 'institution|nato']],
    [
      '2028 U.S. Presidential Election winner? Donald J. Trump',
      ['country|united states', 'person|donald trump'],
    ],
    ['Who takes the Oregon seat? – Marla Quintero', ['name|marla quintero', 'state|oregon']],
    ['Zoë Ångström to win?', ['name|zoe angstrom']],
    ['Jane Low (R) to win', ['name|jane low', 'party|republican party']],
    ['Novels by George R. R. Martin sell', ['name|george r r martin']],
  ])('of %s', (text, names) => {
    expect(ofSort('n', text).sort()).toEqual(names);
  });

  it.each([
    'NY-13 Democratic primary',
    "New York's 13th congressional district, Democratic primary",
    'Democratic primary in the 13th congressional district of New York',
    'By how much will Democrats win New York district 13 in 2028?',
    'New York, congressional district 13',
  ])('a congressional district is one name: %s', (text) =>
    expect(ofSort('n', text)).toContain('district|new york 13'),
  );

  it('the name that Yes is about is that of the outcome, else the first of the question', () => {
    expect(ofSort('s', 'Boston at Chicago Winner? – Chicago')).toEqual(['city|chicago']);
    expect(ofSort('s', 'Will Boston beat Chicago?')).toEqual(['city|boston']);
    expect(ofSort('s', 'Boston at Chicago', { outcome: 'Chicago' })).toEqual(['city|chicago']);
  });
});

describe('dates', () => {
  it.each([
    ['by March 31, 2027', '2027-03-31 to 2027-03-31'],
    ['on 5 Jan 2027', '2027-01-05 to 2027-01-05'],
    ['on 2027-01-05', '2027-01-05 to 2027-01-05'],
    ['on 1/5/2027', '2027-01-05 to 2027-01-05'],
    ['in June 2027', '2027-06-01 to 2027-06-30'],
    ['in Q3 2027', '2027-07-01 to 2027-09-30'],
    ['before 2027', '2026-12-31 to 2026-12-31'],
    ['by end of 2026', '2026-01-01 to 2026-12-31'],
    ['in the 2026–27 season', '2026-07-01 to 2027-06-30'],
  ])('%s', (words, span) => {
    expect(days(`Will it happen ${words}?`)).toEqual([span]);
  });

  it('a date without a year takes that of the text, else the one nearest to the close', () => {
    expect(days('Will it happen by June 30 of 2027?')).toContain('2027-06-30 to 2027-06-30');
    expect(days('Will it happen by January 5?', { closes_at: Date.parse('2026-12-31T00:00:00Z') })).toEqual([
      '2027-01-05 to 2027-01-05',
    ]);
  });

  it('a day that its month does not have counts as the month and the year that are named', () => {
    const month = ['2027-06-01 to 2027-06-30', '2027-01-01 to 2027-12-31'];
    expect(days('Will it happen by June 31, 2027?')).toEqual(month);
    expect(days('Will it happen on February 29, 2028?')).toEqual(['2028-02-29 to 2028-02-29']);
    expect(days('Will it happen on 2027-02-29?')).not.toContain('2027-03-01 to 2027-03-01');
  });

  it('the verbs may and march are not months', () => {
    expect(days('Will troops march, and may they win?')).toEqual([]);
  });

  it('"before" a day can end on it or on the day before', () => {
    expect(ofSort('d', 'before Jan 1, 2027')[0]).toBe(
      `${day('2026-12-31')}|${day('2026-12-31')}|1|${day('2027-01-01')}|1`,
    );
  });
});

describe('quantities', () => {
  it.each([
    ['above $150k', 'dollar|150000|150000'],
    ['above 150,000', '|150000|150000'],
    ['over $1.5 million', 'dollar|1500000|1500000'],
    ['by 25 bps', 'percent|0.25|0.25'],
    ['by 0.25%', 'percent|0.25|0.25'],
    ['87-88°', 'degree|87|88'],
    ['between 87° and 88°F', 'degree|87|88'],
    ['0.6% to 1.0%', 'percent|0.6|1'],
    ['at -2%', 'percent|-2|-2'],
    ['ten million people', '|10000000|10000000'],
  ])('%s', (words, quantity) => {
    expect(ofSort('q', `Will it be ${words}?`)).toEqual([quantity]);
  });

  it('numbers inside a name or a date are not quantities', () => {
    expect(ofSort('q', 'Will the 49ers win on January 5, 2027?')).toEqual([]);
    expect(ofSort('q', 'S&P 500 close?')).toEqual([]);
  });
});

describe('the subject of a question', () => {
  it('a longer phrase of a facet hides the shorter, and so does a name', () => {
    expect(ofSort('f', 'Who will be vice president?')).toContain('office|vice');
    expect(ofSort('f', 'Who will be vice president?')).not.toContain('office|president');
    expect(ofSort('f', 'Who will win the Champions League?')).not.toContain('part of a season|title');
  });

  it('synonyms are one word', () => {
    expect(terms('Who will be the nominee?')).toContain('w|nomination');
    expect(terms('Will payrolls rise?')).toContain('w|job');
  });

  it('a context adds names and words, but not dates and numbers', () => {
    const read = terms('Over 45.5', { context: 'Giants vs. Eagles on January 5, 2027, 7 pm' });
    expect(read).toContain('n|team|philadelphia eagles');
    expect(read.filter((term) => term.startsWith('d|'))).toEqual([]);
    expect(read.filter((term) => term.startsWith('q|'))).toEqual(['q||45.5|45.5']);
  });

  it.each([
    '',
    '   ',
    '???',
    '\u0000\ud800',
    '🏀'.repeat(300),
    'a'.repeat(20_000),
    '"\'`;--%_',
    '9'.repeat(400),
  ])('any text can be read: %j', (text) => expect(() => terms(text)).not.toThrow());
});
