import type { Mark } from '../../model/mark.ts';
import type { RatePrint, ReceiptLine } from '../../model/print.ts';
import type { RateDefinition } from '../../model/rate-definition.ts';
import { QUIET_AFTER_MS } from '../../model/time.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { ContractView, FindView } from '../contract-views.ts';
import { isMark, markOf } from '../marks.ts';

/** A way of making a rate of its sources' marks: one file each, listed in rate-families.ts. */
export interface RateFamily {
  methodology: RateDefinition['methodology'];
  version: string;
  /**
   * The price of the sources that entered, and the share of each.
   *
   * @param marks at least one
   */
  price(marks: readonly Mark[]): { price: Probability; shares: number[] };
}

/**
 * The mark with which a source enters a rate: by the ladder, one-sided or not, unless its market is settled,
 * halted or disputed, or nobody has seen it for seven days.
 */
function readSource(view: ContractView | undefined, at: Instant): Mark | undefined {
  if (view?.status !== 'active' || view.observed_at === undefined) return undefined;
  if (at - view.observed_at > QUIET_AFTER_MS) return undefined;
  const mark = markOf(view);
  return isMark(mark) ? mark : undefined;
}

/**
 * The rate at one instant, or undefined when no source has a price. A source that did not enter keeps its
 * catalog share as its weight.
 *
 * @returns price and spread (highest minus lowest mark) as fractions
 */
export function printRate(
  family: RateFamily,
  definition: RateDefinition,
  view: FindView,
  at: Instant,
): RatePrint | undefined {
  const readings = definition.sources.map((source) => readSource(view(source.market_id), at));
  const marks = readings.filter((mark) => mark !== undefined);
  if (marks.length === 0) return undefined;
  const { price, shares } = family.price(marks);
  const prices = marks.map((mark) => mark.price);
  const catalog = definition.sources.reduce((sum, source) => sum + source.weight, 0);
  let entered = 0;
  const lines = definition.sources.map((source, i): ReceiptLine => {
    const mark = readings[i];
    const { market_id } = source;
    if (!mark) return { market_id, state: 'unpriced', quantity: 0, weight: source.weight / catalog };
    const { beyond_quote: _flag, ...found } = mark;
    return { market_id, state: 'included', quantity: 1, weight: shares[entered++] as number, ...found };
  });
  return {
    at,
    price,
    spread: Math.max(...prices) - Math.min(...prices),
    methodology_version: family.version,
    lines,
  };
}
