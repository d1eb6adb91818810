import { describe, expect, it } from 'vitest';
import { changedTerms, termsOf, wordsOf } from '../../src/model/market-terms.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';

const CLOSE = Date.parse('2026-12-31T23:59:00Z');

describe('the terms of a market', () => {
  it.each([
    ['Will BTC be above $100,000?', 'Will BTC be above $100,000.00 on Dec 31?'],
    ['Above 100?', 'Above 110?'],
    ['Below 5%?', 'Below 5?'],
    ['At least > 5', 'At least ≥ 5'],
    ['A low of 5 degrees', 'A low of -5 degrees'],
    ['Rate of 1.5', 'Rate of 15'],
    ['Who wins? – Alpha', 'Who wins? – Beta'],
  ])('are others where what is said is another thing: %s, %s', (before, after) => {
    expect(changedTerms({ question: before }, { question: after })).toEqual(['question']);
    expect(changedTerms({ question: 'Q', rules: before }, { question: 'Q', rules: after })).toEqual([
      'rules',
    ]);
  });

  it.each([
    ['Will BTC be  above $100,000?', 'will btc be above $100000'],
    ["Trump's 2026–2027 term", 'TRUMP’S 2026-2027 TERM!'],
    ['a low of −5 degrees', 'A low of -5 degrees:'],
    ['Rule 1.\n\nRule 2', '“Rule 1”; rule 2'],
  ])('are the same where only white space, punctuation or case differ: %j, %j', (before, after) => {
    expect(changedTerms({ question: before, rules: before }, { question: after, rules: after })).toEqual([]);
  });

  it('are the same where the catalog adds the outcome to a question, or leaves it out again', () => {
    const [plain, answered] = [{ question: 'Who wins?' }, { question: 'Who wins? – Alpha' }];
    expect([changedTerms(plain, answered), changedTerms(answered, plain)]).toEqual([[], []]);
  });

  it('are others where the close moves by a day, or Yes stands for something else; what is absent says nothing', () => {
    const before = { question: 'Q', yes_side: 'Lakers', closes_at: CLOSE };
    expect(changedTerms(before, { ...before, closes_at: CLOSE - DAY_MS })).toEqual(['closes_at']);
    expect(changedTerms(before, { ...before, closes_at: CLOSE + 23 * HOUR_MS })).toEqual([]);
    expect(changedTerms(before, { ...before, yes_side: 'Celtics' })).toEqual(['yes_side']);
    expect(changedTerms(before, { question: 'Q' })).toEqual([]);
    expect(changedTerms({ question: 'Q' }, before)).toEqual([]);
  });

  it('are the rules rather than the description, where a venue has both', () => {
    const row = { question: 'Q', yes_sub_title: null, description: 'D', closes_at: null };
    expect(termsOf({ ...row, rules_primary: null })).toEqual({ question: 'Q', rules: 'D' });
    expect(termsOf({ ...row, rules_primary: 'R' })).toEqual({ question: 'Q', rules: 'R' });
  });
});

it('the words of a text keep signs, fractions and units', () => {
  expect(wordsOf('Bitcoin’s price: above $1,000?')).toEqual(['bitcoins', 'price', 'above', '$', '1000']);
  expect(wordsOf('2026-11-03, −2.5%')).toEqual(['2026', '11', '03', '-2.5', '%']);
});
