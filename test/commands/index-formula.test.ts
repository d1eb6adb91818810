import { describe, expect, it } from 'vitest';
import { indexFormula, rateFormula } from '../../src/commands/explained-formula.ts';

const included = { state: 'included' } as const;
const counted = { ...included, volume: 300 };

describe('the formula of a print', () => {
  it('of a basket leaves out what leaves at it: n = 2 and 5 at 0.54 and, deleted, 0.02 over 0.001355', () => {
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

  it.each([
    ['event_contract-1.2', [included], 'mark of the source'],
    ['claim_price-1.2', [counted, counted], 'sum of volume x mark / sum of volume, over the included'],
    ['claim_price-1.2', [counted, { ...counted, volume: 0 }], 'sum of volume x mark'],
    ['volume_weighted-1.2', [counted, included], 'by the weights of the definition'],
    ['team_sleeve-1.2', [{ ...included, volume: 0 }], 'by the weights of the definition'],
    ['team_sleeve-1.2', [counted, { state: 'consulted' as const }], 'sum of volume x mark'],
    ['win_total-1.2', [included], 'its line in the ladder'],
  ])('of a rate, %s', (version, lines, told) => {
    expect(rateFormula(version, lines)).toContain(told);
  });
});
