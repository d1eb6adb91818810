import { describe, expect, it } from 'vitest';
import { greatestOf, leastOf } from '../../src/model/extremes.ts';

describe('minimum and maximum', () => {
  it('are those of the values present, and nothing where there are none', () => {
    const values = [undefined, 0.2, null, 0, 0.5];
    expect([leastOf(values), greatestOf(values)]).toEqual([0, 0.5]);
    expect([leastOf([null]), greatestOf([])]).toEqual([undefined, undefined]);
  });

  it('are found among more values than a call accepts', () => {
    const values = Array.from({ length: 1_000_000 }, (_, i) => i);
    expect([leastOf(values), greatestOf(values)]).toEqual([0, 999_999]);
  });
});
