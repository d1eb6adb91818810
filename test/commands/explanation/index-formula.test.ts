import { describe, expect, it } from 'vitest';
import { indexFormula } from '../../../src/commands/explanation/index-formula.ts';

const included = { state: 'included' } as const;

describe('the formula of a level', () => {
  it('of a basket leaves out what is deleted at it: n = 2 and 5 at 0.54 and, deleted, 0.02 over 0.001355', () => {
    const step = { cash: 0, divisor: 0.001355 * (1.08 / 1.18) };
    expect(indexFormula(step, [included, { state: 'settled' }], 'points')).toBe(
      '(sum of quantity x mark of the names that stay + cash 0) / divisor 0.00124016949153',
    );
    expect(indexFormula({ cash: 0, divisor: 1 }, [included], 'points')).toBe(
      '(sum of quantity x mark + cash 0) / divisor 1',
    );
    expect((2 * 0.54) / 0.00124016949153).toBeCloseTo((2 * 0.54 + 5 * 0.02) / 0.001355, 6);
  });

  it('of a gauge keeps what has settled', () => {
    expect(indexFormula({ cash: 0, divisor: 1 }, [included, { state: 'settled' }], 'centred')).toBe(
      '50 + 100 x sum of quantity x mark / sum of quantity, over the names with a mark',
    );
  });
});
