import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import { parsePrintedId } from '../../model/constituent-id.ts';
import { isRate, membersOf } from '../../model/definitions/definition.ts';
import { firstPlace } from '../../model/first-place.ts';
import type { Instant } from '../../model/units.ts';
import { findMarketKey, selectStatuses } from '../../store/catalog/catalog.ts';
import type { InForce } from '../../store/definitions/definitions.ts';
import { forEachRecorded } from '../../store/prices/recorded-instants.ts';
import type { Reader } from '../../store/store.ts';
import type { CalculatedRun } from '../series/calculated-instants.ts';
import { WINDOW } from '../series/instants.ts';

/**
 * Joins consecutive runs if the later ones learned nothing new about the instants of the earlier ones: all can then be
 * read with what the last one knew. Where runs are short, reading what was known at each is most of the cost of
 * verifying.
 *
 * @param versions all of the series
 * @param runs in order, each with at least one instant
 * @returns the same instants in the same order, those of joined runs under the last one
 */
export function joinRuns(
  reader: Reader,
  versions: readonly InForce[],
  runs: readonly CalculatedRun[],
): CalculatedRun[] {
  const markets = marketsOf(versions);
  if (!markets || runs.length < 2) return [...runs];
  const begins = new Uint8Array(runs.length);
  const firstTo = runFinder(runs);
  const keys = markets.flatMap((id) => findMarketKey(reader, id) ?? []);
  // A status may concern the past, as a settlement does.
  for (const key of keys)
    for (const { observed_at } of selectStatuses(reader, key)) {
      const i = firstTo(observed_at);
      if (i < runs.length) begins[i] = 1;
    }
  const calculatedTo = Float64Array.from(runs, ({ instants }) => instants.at(-1) as Instant);
  forEachRecorded(reader, keys, (observed, recorded) => {
    for (let place = 0; place < observed.length; place++) {
      const i = firstTo(recorded[place] as Instant);
      if (i > 0 && i < runs.length && (observed[place] as number) <= (calculatedTo[i - 1] as number))
        begins[i] = 1;
    }
  });
  return join(runs, begins);
}

/** The markets that a series is made of; undefined if it also depends on the prints of other series. */
function marketsOf(versions: readonly InForce[]): string[] | undefined {
  const definitions = versions.map(({ definition }) => definition);
  const ids = new Set(definitions.flatMap(membersOf));
  const opens = definitions.some(
    (each) => !isRate(each) && indexFamilyOf(each).opensFrom?.(each) !== undefined,
  );
  return opens || [...ids].some(parsePrintedId) ? undefined : [...ids];
}

/**
 * Finds the position of the first run at or after an instant. Cheap if asked roughly in order, otherwise a binary
 * search.
 */
function runFinder(runs: readonly CalculatedRun[]): (at: Instant) => number {
  const instants = Float64Array.from(runs, ({ run }) => run);
  let place = 0;
  return (at) => {
    const fits = (i: number) =>
      (i === instants.length || (instants[i] as number) >= at) &&
      (i === 0 || (instants[i - 1] as number) < at);
    if (fits(place)) return place;
    if (place < instants.length && fits(place + 1)) return ++place;
    place = firstPlace(instants, at);
    return place;
  };
}

/** @param begins 1 for a run that must not be joined to the one before it */
function join(runs: readonly CalculatedRun[], begins: Uint8Array): CalculatedRun[] {
  const joined: CalculatedRun[] = [];
  for (const [i, { run, version, instants }] of runs.entries()) {
    const last = joined.at(-1);
    if (!last || begins[i] || last.version !== version || last.instants.length + instants.length > WINDOW)
      joined.push({ run, version, instants: [...instants] });
    else {
      last.instants.push(...instants);
      last.run = run;
    }
  }
  return joined;
}
