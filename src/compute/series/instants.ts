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
 * Groups consecutive instants that have the same key.
 *
 * @param keyOf is called for each instant in order; keys are compared by identity
 */
export function groupConsecutive<Key>(
  instants: readonly Instant[],
  keyOf: (at: Instant) => Key,
): { key: Key; instants: Instant[] }[] {
  const groups: { key: Key; instants: Instant[] }[] = [];
  for (const at of instants) {
    const key = keyOf(at);
    const last = groups.at(-1);
    if (last && last.key === key) last.instants.push(at);
    else groups.push({ key, instants: [at] });
  }
  return groups;
}
