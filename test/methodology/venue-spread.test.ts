import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadOverVenues } from '../../src/methodology/venue-spread.ts';

const spread = (nearest: string[], most: number) => spreadOverVenues(nearest, (id) => id.charAt(0), most);

describe('[4.1/7] the spread over venues', () => {
  it.each([
    [['a1', 'a2', 'a3', 'b1', 'c1'], 3, ['a1', 'b1', 'c1']],
    [['a1', 'a2', 'b1', 'a3'], 3, ['a1', 'a2', 'b1']],
    [['a1', 'a2', 'a3', 'a4'], 3, ['a1', 'a2', 'a3']],
    [['a1', 'b1', 'c1'], 1, ['a1']],
    [['c1', 'a1', 'b1'], 2, ['c1', 'a1']],
    [[], 3, []],
  ])('of %j by %d is %j', (nearest, most, expected) => {
    expect(spread(nearest, most)).toEqual(expected);
  });

  it('keeps the nearest, the order and the number, and as many venues as fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 }),
        fc.integer({ min: 1, max: 3 }),
        (venues, most) => {
          const nearest = venues.map((venue, i) => `${venue}${i}`);
          const chosen = spread(nearest, most);
          expect(chosen).toEqual(nearest.filter((each) => chosen.includes(each)));
          expect(chosen.length).toBe(Math.min(most, nearest.length));
          if (nearest[0]) expect(chosen[0]).toBe(nearest[0]);
          const kinds = (ids: string[]) => new Set(ids.map((id) => id.charAt(0))).size;
          expect(kinds(chosen)).toBe(Math.min(most, kinds(nearest)));
        },
      ),
    );
  });
});
