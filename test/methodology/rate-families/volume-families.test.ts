import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateFamilyOf } from '../../../src/methodology/rate-families/rate-families.ts';
import { A, B, C, defineRate, printAt } from './rates.ts';

const FIELDS = {
  volume_weighted: {},
  claim_price: { claim: 'The Fed holds in December 2026' },
  team_sleeve: { team: 'OKC', seat: 'championship' },
} as const;

describe.each(Object.entries(FIELDS))('%s', (methodology, fields) => {
  const define = (...ids: string[]) =>
    defineRate({ methodology, ...fields, sources: ids.map((market_id) => ({ market_id })) });

  it('[2.5.1/1] weighs the sources that entered by lifetime volume', () => {
    // Worked by hand: (0.40·300 + 0.50·100) / 400 = 0.425.
    const print = printAt(define(A, B, C), { [A]: 0.4, [B]: 0.5 }, { [A]: 300, [B]: 100, [C]: 900 });
    expect(print?.price).toBeCloseTo(0.425, 15);
    expect(print?.spread).toBeCloseTo(0.1, 15);
    expect(print?.lines.map((line) => line.weight)).toEqual([0.75, 0.25, 1 / 3]);
    expect(print?.lines.map((line) => line.volume)).toEqual([300, 100, undefined]);
    expect(print?.methodology_version).toBe(`${methodology}-1.4`);
  });

  it('uses the configured weight for an unknown volume, and records none for it', () => {
    const print = printAt(define(A, B), { [A]: 0.4, [B]: 0.5 }, { [A]: 300 });
    expect(print?.price).toBeCloseTo(0.45, 15);
    expect(print?.lines.map((line) => line.volume)).toEqual([300, undefined]);
  });

  it('gives a measured volume of 0 no weight; where all are 0 the configured weights are used', () => {
    const thin = printAt(define(A, B), { [A]: 0.4, [B]: 0.5 }, { [A]: 300, [B]: 0 });
    expect(thin?.price).toBe(0.4);
    expect(thin?.lines.map((line) => line.weight)).toEqual([1, 0]);
    expect(printAt(define(A, B), { [A]: 0.4, [B]: 0.5 }, { [A]: 0, [B]: 0 })?.price).toBeCloseTo(0.45, 15);
  });

  it.each([
    ['all volumes are known', { [A]: 300, [B]: 100, [C]: 900 }, 'sum of volume x mark / sum of volume'],
    ['one is 0', { [A]: 300, [B]: 0 }, 'sum of volume x mark / sum of volume'],
    ['one is not known', { [A]: 300 }, 'by the weights of the definition'],
    ['all are 0', { [A]: 0, [B]: 0 }, 'by the weights of the definition'],
  ])('explains the price in words where %s', (_, volumes, told) => {
    const rate = define(A, B, C);
    const lines = printAt(rate, { [A]: 0.4, [B]: 0.5 }, volumes)?.lines ?? [];
    expect(rateFamilyOf(rate).formula(lines)).toContain(told);
  });
});

const price = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const world = fc.array(
  fc.record({ price, volume: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }) }),
  { minLength: 2, maxLength: 8 },
);
const METHODOLOGIES = ['simple_average', ...Object.keys(FIELDS)];

describe.each(METHODOLOGIES)('laws of %s', (methodology) => {
  const print = (sources: { id: string; price: number; volume: number | undefined }[]) =>
    printAt(
      defineRate({
        methodology,
        ...FIELDS[methodology as keyof typeof FIELDS],
        sources: sources.map(({ id }) => ({ market_id: id })),
      }),
      Object.fromEntries(sources.map((each) => [each.id, each.price])),
      Object.fromEntries(sources.map((each) => [each.id, each.volume])),
    );
  const named = world.map((sources) => sources.map((each, i) => ({ ...each, id: `venue_a:M${i}` })));

  it('a rate lies within its sources, and the weights of those that entered sum to 1', () => {
    fc.assert(
      fc.property(named, (sources) => {
        const made = print(sources);
        const prices = sources.map((each) => each.price);
        expect(made?.price).toBeGreaterThanOrEqual(Math.min(...prices));
        expect(made?.price).toBeLessThanOrEqual(Math.max(...prices));
        const weights = made?.lines.map((line) => line.weight) ?? [];
        expect(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  it('the order of the sources does not matter', () => {
    fc.assert(
      fc.property(named, (sources) => {
        const turned = print([...sources].reverse());
        expect(turned?.price).toBeCloseTo(print(sources)?.price ?? -1, 12);
      }),
    );
  });

  it("removing a source never moves the others' marks", () => {
    fc.assert(
      fc.property(named, (sources) => {
        const all = print(sources)?.lines ?? [];
        const fewer = print(sources.slice(1))?.lines ?? [];
        const marks = (lines: typeof all) =>
          lines.map(({ market_id, price, basis }) => [market_id, price, basis]);
        expect(marks(fewer)).toEqual(marks(all.slice(1)));
      }),
    );
  });
});
