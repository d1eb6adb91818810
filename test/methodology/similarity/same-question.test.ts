import { describe, expect, it } from 'vitest';
import {
  differencesOf,
  pairConfidence,
  settlementSources,
} from '../../../src/methodology/similarity/same-question.ts';
import { type Comparable, compareTexts } from '../../../src/methodology/similarity/similarity.ts';
import { comparables, tables } from '../../quality/methods.ts';

function differences(a: string, b: string, terms: Parameters<typeof differencesOf>[1][] = [{}, {}]) {
  const [first, second] = comparables([{ text: a }, { text: b }]) as [Comparable, Comparable];
  return differencesOf(compareTexts(first, second, tables.facets), terms[0] ?? {}, terms[1] ?? {});
}

describe('how two contracts on one question differ', () => {
  it.each([
    ['nothing', 'Bitcoin above $150k by end of 2026?', 'Will BTC reach $150,000 before 2027?', []],
    ['the deadline', 'US x Iran ceasefire by March 31, 2027?', 'US x Iran ceasefire in 2027?', ['deadline']],
    ['the threshold', 'Bitcoin above $150k in 2026?', 'Bitcoin above $140k in 2026?', ['threshold']],
    [
      'what is asked',
      'Who will win the Ohio Senate race in 2028?',
      'Who will win the Ohio governor race in 2028?',
      ['wording'],
    ],
  ])('%s', (_what, a, b, expected) => {
    expect(differences(a, b)).toEqual(expected);
  });

  it('in close, where no date is named, and in source of settlement', () => {
    const at = Date.parse('2027-01-01T00:00:00Z');
    const [a, b] = ['Next prime minister of Sweden?', 'Who is the next prime minister of Sweden?'];
    expect(differences(a, b, [{ closes_at: at }, { closes_at: at + 86_400_000 }])).toEqual([]);
    expect(differences(a, b, [{ closes_at: at }, { closes_at: at + 30 * 86_400_000 }])).toEqual(['deadline']);
    const rules = [
      'Settled according to the Associated Press.',
      'See https://www.reuters.com/x for the source.',
    ];
    expect(differences(a, b, [{ rules: rules[0] as string }, { rules: rules[1] as string }])).toEqual([
      'settlement_source',
    ]);
    expect(differences(a, b, [{ rules: rules[0] as string }, {}])).toEqual([]);
  });

  it('where sources are hosts and names', () => {
    expect(settlementSources('According to the Associated Press, https://www.apnews.com/a')).toEqual(
      new Set(['apnews.com', 'associated press']),
    );
    expect(settlementSources(undefined)).toEqual(new Set());
  });

  it('with a confidence that falls with the runner-up and with each difference', () => {
    expect(pairConfidence(0.9, 0.3, 0)).toBeCloseTo(0.75);
    expect(pairConfidence(0.9, 0.9, 0)).toBeCloseTo(0.45);
    expect(pairConfidence(0.9, 0, 2)).toBeCloseTo(0.9 * 0.81);
    expect(pairConfidence(0, 0, 0)).toBe(0);
  });
});
