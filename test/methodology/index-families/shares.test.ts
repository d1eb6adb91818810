import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capShares, targetShares } from '../../../src/methodology/index-families/shares.ts';
import { type BasketDefinition, indexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { index } from '../../helpers/hand-definitions.ts';

type Given = Record<string, object>;

const define = (weighting: object, names: Given, more: object = {}) =>
  indexDefinition.parse(
    index('T', 'basket', {
      weighting,
      constituents: Object.entries(names).map(([name, fields]) => ({
        market_id: `venue_a:${name}`,
        ...fields,
      })),
      ...more,
    }),
  ) as BasketDefinition;

const sharesOf = (definition: BasketDefinition, sizes: Record<string, number> = {}) =>
  targetShares(definition, definition.constituents, (id) => sizes[id.replace('venue_a:', '')]);

const problemOf = (weighting: object, names: Given) => {
  try {
    define(weighting, names);
    return undefined;
  } catch (thrown) {
    return String(thrown instanceof Error ? thrown.message : thrown);
  }
};

describe('weight schemes', () => {
  it('by an attribute: a number that each constituent carries', () => {
    const votes = (electoral_votes: number) => ({ attributes: { electoral_votes } });
    const definition = define(
      { scheme: 'attribute', attribute: 'electoral_votes' },
      { PA: votes(19), WI: votes(10), NV: votes(6) },
    );
    expect(sharesOf(definition).map((share) => share * 35)).toEqual(
      [19, 10, 6].map((each) => expect.closeTo(each, 12)),
    );
    expect(problemOf({ scheme: 'attribute', attribute: 'votes' }, { A: votes(1) })).toContain(
      'must have a number for attribute votes',
    );
    expect(problemOf({ scheme: 'attribute' }, { A: {} })).toContain('with scheme attribute, and only there');
  });

  it('by volume and liquidity: unknown or zero counts as the smallest known; with none known all are equal', () => {
    for (const scheme of ['volume', 'liquidity']) {
      const definition = define({ scheme }, { A: {}, B: {}, C: {}, D: {} });
      expect(sharesOf(definition, { A: 600, B: 200, C: 0 })).toEqual(
        [0.5, 1 / 6, 1 / 6, 1 / 6].map((each) => expect.closeTo(each, 12)),
      );
      expect(sharesOf(definition)).toEqual([0.25, 0.25, 0.25, 0.25]);
    }
    const us = { market_id: 'venue_b:us:nba-a' };
    for (const first of [{}, us])
      expect(problemOf({ scheme: 'volume' }, { A: first, B: { market_id: 'venue_b:0xab' } })).toContain(
        "first one's venue and family",
      );
    expect(problemOf({ scheme: 'volume' }, { A: us, B: { market_id: 'venue_b:us:nba-b' } })).toBeUndefined();
    expect(problemOf({ scheme: 'volume', by: 'quantity' }, { A: {} })).toContain('must be value');
  });

  it('no constituent is above the cap; the excess goes to the others by their shares', () => {
    expect(capShares([0.6, 0.3, 0.1], 0.5)).toEqual(
      [0.5, 0.375, 0.125].map((each) => expect.closeTo(each, 12)),
    );
    // Cutting the first pushes the second over: 0.5 + 0.25 × 0.3/0.4 would be 0.4875.
    expect(capShares([0.6, 0.3, 0.1], 0.4)).toEqual([0.4, 0.4, 0.2].map((each) => expect.closeTo(each, 12)));
    expect(capShares([0.6, 0.4], 0.3)).toEqual([0.5, 0.5]);
  });

  it('capped shares sum to 1, keep their order and stay under the cap', () => {
    const weights = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(weights, fc.double({ min: 0.01, max: 1, noNaN: true }), (given, cap) => {
        const total = given.reduce((sum, each) => sum + each, 0);
        const shares = given.map((each) => each / total);
        const capped = capShares(shares, cap);
        expect(Math.abs(capped.reduce((sum, each) => sum + each, 0) - 1)).toBeLessThanOrEqual(1e-12);
        if (given.length * cap > 1)
          for (const share of capped) expect(share).toBeLessThanOrEqual(cap + 1e-12);
        for (const [i, share] of capped.entries())
          for (const [j, other] of capped.entries())
            if ((shares[i] as number) > (shares[j] as number))
              expect(share).toBeGreaterThanOrEqual(other - 1e-12);
      }),
    );
  });
});
