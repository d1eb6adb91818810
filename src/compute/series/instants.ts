import { chunksOf } from '../../model/chunks.ts';
import { floorTo, MINUTE_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/** Most instants calculated together. */
export const WINDOW = 512;
/**
 * Most instants times markets calculated together, at some 60 bytes each: bounds the memory that a long history needs.
 */
const POINTS = 4_000_000;

/**
 * The instants at which a definition is calculated: the whole steps of its interval after `after`, from `first` on, and
 * the instant of the run itself.
 *
 * @param after the last calculated instant; undefined if there is none
 * @param first the definition's own first instant, calculated whether or not it is a whole step
 * @example printInstants(60, undefined, 0, 5_400_000) // [0, 3600000, 5400000]
 */
export function printInstants(
  intervalMinutes: number,
  after: Instant | undefined,
  first: Instant,
  now: Instant,
): Instant[] {
  if (now < first || (after !== undefined && now <= after)) return [];
  const step = intervalMinutes * MINUTE_MS;
  const instants: Instant[] = after === undefined ? [first] : [];
  const from = Math.max(first, after ?? first);
  for (let at = floorTo(from, step) + step; at <= now; at += step) instants.push(at);
  if (instants.at(-1) !== now) instants.push(now);
  return instants;
}

/** Cuts ascending instants into windows of bounded length; the more markets are read, the shorter. */
export function windows(instants: readonly Instant[], markets = 1): Instant[][] {
  return chunksOf(instants, Math.max(1, Math.min(WINDOW, Math.floor(POINTS / markets))));
}

/**
 * Groups consecutive ascending instants by a property.
 *
 * @param of the property of an instant; equal properties must be the same object
 */
export function partsBy<Had>(
  instants: readonly Instant[],
  of: (at: Instant) => Had,
): { had: Had; instants: Instant[] }[] {
  const begins: { had: Had; from: number }[] = [];
  for (const [i, at] of instants.entries()) {
    const had = of(at);
    if (begins.at(-1)?.had !== had || i === 0) begins.push({ had, from: i });
  }
  return begins.map(({ had, from }, part) => ({
    had,
    instants: instants.slice(from, begins[part + 1]?.from),
  }));
}
