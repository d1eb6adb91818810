import { given } from '../../../model/given.ts';
import type { SeenPrices } from '../../../model/observation.ts';
import { roundTo } from '../../../model/units.ts';
import { shownText } from '../../wire/wire-scalars.ts';

/**
 * The position of the Yes side among the two outcomes of a market: first, even if it is called Up or is a team; second
 * only if the names are No and Yes.
 *
 * @example yesPlace(['No', 'Yes']) // 1
 */
export function yesPlace(outcomes: readonly unknown[]): 0 | 1 {
  const [first, second] = outcomes.map((each) => (typeof each === 'string' ? each.toLowerCase() : ''));
  return first === 'no' && second === 'yes' ? 1 : 0;
}

/**
 * What the Yes side stands for, such as a team; undefined if it is called Yes, or has no name.
 *
 * @example yesName(['Lakers', 'Celtics']) // 'Lakers'
 */
export function yesName(outcomes: readonly unknown[]): string | undefined {
  const name = shownText.parse(outcomes[yesPlace(outcomes)]);
  return name?.trim().toLowerCase() === 'yes' ? undefined : name;
}

/** The prices of the other side: its bid is a dollar less this ask, and the reverse. */
export function otherSide({ bid, ask, last, ...counts }: SeenPrices): SeenPrices {
  const rest = (price: number | undefined) => (price === undefined ? undefined : roundTo(1 - price, 6));
  return { ...counts, ...given({ bid: rest(ask), ask: rest(bid), last: rest(last) }) };
}
