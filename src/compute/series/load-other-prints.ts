import { memoized } from '../../model/memoized.ts';
import type { IndexPrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { findBeginning } from '../../store/prints/divisor-steps.ts';
import { findPositiveLevel, selectPrintsInForce } from '../../store/prints/index-prints.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import type { Reader } from '../../store/store.ts';
import type { IndexFacts } from './index-calculator.ts';

/**
 * Looks up the prints in force of other indices, from where each now begins: what a restatement has left from before
 * that does not count. An index must have been calculated to the last of the instants before it is asked for.
 *
 * @param instants ascending
 */
export function loadOtherPrints(
  reader: Reader,
  instants: readonly Instant[],
  knownAt: Instant,
): Pick<IndexFacts, 'printsOf' | 'lastPositiveLevel'> {
  const end = instants.at(-1) ?? 0;
  const beginningOf = memoized((ticker: string) => findBeginning(reader, ticker, knownAt) ?? EVER);
  const loaded = new Map<string, { from: Instant; prints: IndexPrint[] }>();
  const printsFrom = (ticker: string, from: Instant, until: Instant) => {
    const cached = loaded.get(ticker);
    if (cached && cached.from <= from) return cached.prints;
    const begins = beginningOf(ticker);
    const prints = selectPrintsInForce(reader, ticker, from, Math.max(until, end), knownAt).filter(
      ({ at }) => at >= begins,
    );
    loaded.set(ticker, { from, prints });
    return prints;
  };
  return {
    printsOf(ticker, from, until) {
      const prints = printsFrom(ticker, from, until);
      const inForce = prints.findLastIndex(({ at }) => at <= from);
      return prints.slice(Math.max(0, inForce)).filter(({ at }) => at <= until);
    },
    lastPositiveLevel: (ticker, from, until) =>
      findPositiveLevel(reader, ticker, Math.max(from, beginningOf(ticker)), until, knownAt),
  };
}
