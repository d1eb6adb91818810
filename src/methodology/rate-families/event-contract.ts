import type { Mark } from '../../model/mark.ts';
import type { RateFamily } from './rate-family.ts';

/** The price of one contract, by the ladder of Spec 2.5.2. */
export const eventContract: RateFamily = {
  methodology: 'event_contract',
  version: 'event_contract-1.0',
  price: (marks) => ({ price: (marks[0] as Mark).price, shares: [1] }),
};
