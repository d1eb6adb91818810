import type { SeriesId } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import { WINDOW } from './instants.ts';

/** Most markets of a group times instants of a window, at some 60 bytes each and as much again in objects. */
const POINTS = 75_000;

/** A series as far as it matters what it is calculated together with. */
export interface GroupedSeries extends SeriesId {
  markets: readonly string[];
  instants: readonly Instant[];
  /** Tickers of the indices that it depends on. */
  uses: readonly string[];
}

/**
 * Cuts series into groups that are calculated one after the other, each over all its instants, so that memory does not
 * grow with their number. Markets that several groups have in common are read by each, so few instants of many series
 * stay one group.
 *
 * @param series in the order of calculation. Where one depends on a later one, because the two are changing roles, both
 *   are in the same group.
 */
export function seriesGroups<Series extends GroupedSeries>(series: readonly Series[]): Series[][] {
  const places = new Map(series.map((each, i) => [`${each.kind} ${each.ticker}`, i]));
  const groups: Series[][] = [];
  const markets = new Set<string>();
  let longest = 0;
  let reach = 0;
  for (const [i, each] of series.entries()) {
    const group = groups.at(-1);
    const others = each.markets.filter((id) => !markets.has(id)).length;
    const length = Math.min(WINDOW, each.instants.length);
    const adds = others > 0 || length > longest;
    if (group && (reach >= i || !adds || (markets.size + others) * Math.max(longest, length) <= POINTS)) {
      group.push(each);
      longest = Math.max(longest, length);
    } else {
      groups.push([each]);
      markets.clear();
      longest = length;
    }
    for (const id of each.markets) markets.add(id);
    reach = Math.max(reach, ...each.uses.map((ticker) => places.get(`index ${ticker}`) ?? 0));
  }
  return groups;
}
