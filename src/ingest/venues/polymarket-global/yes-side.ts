import { given } from '../../../model/given.ts';
import type { SeenPrices } from '../../../model/observation.ts';
import { roundTo } from '../../../model/units.ts';
import { shownText } from '../../wire/wire-scalars.ts';

/**
 * What the Yes side stands for, such as a team; undefined if it is called Yes, or has no name.
 *
 * @example yesName(['Lakers', 'Celtics'], 0) // 'Lakers'
 */
export function yesName(outcomes: readonly unknown[], yes: 0 | 1): string | undefined {
  const name = shownText.parse(outcomes[yes]);
  return name?.trim().toLowerCase() === 'yes' ? undefined : name;
}

/** The prices of the other side: its bid is a dollar less this ask, and the reverse. */
export function otherSide({ bid, ask, last, ...counts }: SeenPrices): SeenPrices {
  const rest = (price: number | undefined) => (price === undefined ? undefined : roundTo(1 - price, 6));
  return { ...counts, ...given({ bid: rest(ask), ask: rest(bid), last: rest(last) }) };
}
