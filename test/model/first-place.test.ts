import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstPlace } from '../../src/model/first-place.ts';

it('the first place at or after a number is that of a search one by one', () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 20 })).map((each) => each.sort((a, b) => a - b));
  fc.assert(
    fc.property(
      numbers,
      fc.constantFrom(-1, 0, 7, 8, 20, 21, Number.POSITIVE_INFINITY),
      (ascending, wanted) => {
        const place = ascending.findIndex((each) => each >= wanted);
        expect(firstPlace(ascending, wanted)).toBe(place < 0 ? ascending.length : place);
      },
    ),
  );
});
