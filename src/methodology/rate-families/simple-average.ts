import { mean } from 'simple-statistics';
import type { RateFamily } from './rate-family.ts';

/** The mean of the sources that have a price, each with the same share. */
export const simpleAverage: RateFamily = {
  methodology: 'simple_average',
  version: 'simple_average-1.0',
  price: (marks) => ({
    price: mean(marks.map((mark) => mark.price)),
    shares: marks.map(() => 1 / marks.length),
  }),
};
