import { describe, expect, it } from 'vitest';
import type { SourceRow } from '../../src/explorer/public-documents.ts';
import { leftOutInWords, standingInWords } from '../../src/explorer/sources-in-words.ts';

const source = (given: Partial<SourceRow> = {}): SourceRow => ({
  market_id: 'venue_a:A',
  question: 'Will it?',
  is_active: true,
  weight: 0,
  ...given,
});
const { question: _untold, ...unlisted } = source({ is_active: false });
const priced = source({ latest_price: 40, basis: 'mid', weight: 1 });

describe('the sources of a rate in words', () => {
  it.each([
    [priced, 'middle of bid and ask'],
    [source(), 'did not enter'],
    [source({ is_active: false, outlier: true }), 'settled'],
    [unlisted, 'not listed yet'],
    [source({ ...priced, outlier: true }), 'outlier, but counted'],
    [source({ outlier: true }), 'outlier, left out'],
  ])('%o is described as %s', (given, told) => {
    expect(standingInWords(given)).toBe(told);
  });

  it('are left out for the reason that their methodology gives', () => {
    expect(leftOutInWords('simple_average', [priced])).toEqual([]);
    expect(leftOutInWords('simple_average', [source(), source({ is_active: false })])).toEqual([
      '1 source is settled.',
    ]);
    expect(leftOutInWords('simple_average', [source({ is_active: false }), unlisted, unlisted])).toEqual([
      '1 source is settled.',
      '2 sources are not listed yet.',
    ]);
    expect(leftOutInWords('win_total', [priced, source(), source()])).toEqual([
      '2 sources did not enter: on other lines of the ladder, or without a price.',
    ]);
    expect(leftOutInWords('rolling', [priced, source(), source({ is_active: false })])).toEqual([
      '1 source is settled.',
      '1 source did not enter: not the contract of the day.',
    ]);
    expect(leftOutInWords('simple_average', [priced, source(), source({ outlier: true })])).toEqual([
      '1 source left out, too far from the others.',
      '1 source did not enter: halted, without a price, or not seen for seven days.',
    ]);
  });
});
