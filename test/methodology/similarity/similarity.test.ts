import { describe, expect, it } from 'vitest';
import {
  type Comparable,
  compareTexts,
  mostSimilar,
} from '../../../src/methodology/similarity/similarity.ts';
import { comparables, tables } from '../../quality/methods.ts';
import { rewordedSet } from '../../quality/reworded.ts';

/** Rarity of words is that of a few hundred questions. */
const background = rewordedSet().pool;

function similarity(a: string, b: string): number {
  const all = comparables([...background, { text: a }, { text: b }]);
  return compareTexts(all.at(-2) as Comparable, all.at(-1) as Comparable, tables.facets).similarity;
}

describe('[1/2] the same question in other words scores above one that differs in one thing', () => {
  it.each([
    [
      'another team',
      'Will the Boston Celtics win the 2027 NBA Finals?',
      '2027 NBA champion: Celtics',
      '2027 NBA champion: Lakers',
    ],
    [
      'another district',
      'Will Ann Low be the Democratic nominee for NY-13?',
      "Democratic primary in New York's 13th district – Ann Low",
      "Democratic primary in New York's 17th district – Ann Low",
    ],
    [
      'another margin in a district of the same number',
      'By how much will Democrats win Ohio district 2 in 2028? – Democrats by more than 8',
      'Will the Democrats win Ohio district 2 by more than 8 in 2028?',
      'By how much will Democrats win Ohio district 2 in 2028? – Democrats by more than 2',
    ],
    [
      'half a point of a rate',
      'unemployment rate, 2027-03-05 – 4.5',
      'Unemployment rate on March 5, 2027 above 4.5?',
      'unemployment rate, 2027-03-05 – 4',
    ],
    [
      'a number that is part of its date',
      'Change of payrolls, 2027-03-05 – 50',
      'Payrolls on March 5, 2027: change above 50?',
      'Change of payrolls, 2027-03-05 – 0',
    ],
    [
      'another day',
      'US x Iran ceasefire by March 31, 2027?',
      'Will the US and Iran agree to a ceasefire before Apr 1, 2027?',
      'Will the US and Iran agree to a ceasefire before May 1, 2027?',
    ],
    [
      'another strike',
      'Will Bitcoin reach $150k in 2027?',
      'BTC above 150,000 by end of 2027?',
      'BTC above 120,000 by end of 2027?',
    ],
    [
      'the other direction',
      'Will the Fed cut rates in March 2027?',
      'Fed rate decrease at the March 2027 meeting?',
      'Fed rate increase at the March 2027 meeting?',
    ],
    [
      'the inverse outcome',
      'Will Anthropic IPO by June 30, 2027?',
      'Anthropic goes public by June 30, 2027?',
      'Anthropic does not go public by June 30, 2027?',
    ],
    [
      'the band beside the band',
      'GDP growth in 2033? 0.6% to 1.0%',
      'Will GDP grow between 0.6% and 1% in 2033?',
      'Will GDP grow between 1.1% and 1.5% in 2033?',
    ],
    [
      'another office',
      'Will the Democrats win the Ohio governor race in 2028?',
      'Ohio gubernatorial election 2028 – Democratic',
      'Ohio Senate election 2028 – Democratic',
    ],
    [
      'the other party',
      'Will the Democrats win the Ohio governor race in 2028?',
      'Ohio gubernatorial election 2028 – Democratic',
      'Ohio gubernatorial election 2028 – Republican',
    ],
    [
      'the other side of a game',
      'Will the Rangers beat the Islanders?',
      'New York Rangers win against New York Islanders?',
      'Will the New York Islanders beat the New York Rangers?',
    ],
  ])('%s', (_difference, question, right, near) => {
    expect(similarity(question, right)).toBeGreaterThan(similarity(question, near) + 0.15);
  });
});

it('[1/2] the weather of a city is unlike a game of its team, and like its weather of the day before', () => {
  const asked = 'Highest temperature in Chicago on October 29, 2027? 48° to 50°';
  const other = similarity(asked, 'Highest temperature in Chicago on October 28, 2027? 48° to 50°');
  const band = similarity(asked, 'Highest temperature in Chicago on October 29, 2027? 50° to 52°');
  const game = similarity(asked, 'Chicago at New York – Chicago');
  expect(Math.min(other, band)).toBeGreaterThan(0.1);
  expect(game).toBeLessThan(0.1);
});

it('[1/2] a shared place or institution alone does not make two texts similar, but one more word or another name does', () => {
  const cup = 'In association football, the World Cup concludes with Argentina defeating France';
  expect(similarity('Argentina inflation in February', cup)).toBeLessThan(0.2);
  expect(similarity('Will Argentina win the World Cup?', cup)).toBeGreaterThan(0.4);
  const bridge = 'After a bridge is damaged, Russia attacks many Ukrainian cities with missiles';
  expect(similarity('Will Ukraine have a census this year?', bridge)).toBeLessThan(0.2);
  expect(similarity('Russia x Ukraine ceasefire this year?', bridge)).toBeGreaterThan(0.2);
});

describe('similarity', () => {
  const all = comparables(background).slice(0, 60);

  it('is 0 to 1, symmetric, and at most what the cosine allows', () => {
    for (const a of all)
      for (const b of all) {
        const { similarity: there, cosine } = compareTexts(a, b, tables.facets);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(1 + 1e-9);
        expect(compareTexts(b, a, tables.facets).similarity).toBeCloseTo(there, 6);
        expect(there).toBeLessThanOrEqual(mostSimilar(cosine) + 1e-9);
      }
  });

  it('of a text with itself is 1', () => {
    for (const each of all) expect(compareTexts(each, each, tables.facets).similarity).toBeCloseTo(1, 5);
  });
});
