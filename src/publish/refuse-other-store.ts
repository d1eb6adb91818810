import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { hasPublished } from '../store/answers/answered.ts';
import { findFirstRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { CurrentGeneration } from './archive/current-generation.ts';
import type { Sink } from './sinks/sink.ts';

/** Throws where what stands is not to be replaced. */
export type Refusal = (current: Pick<CurrentGeneration, 'record'> | undefined) => void;

/**
 * Refuses to publish over what another store published: a store made in the wrong folder, say, or one whose settings
 * name the place of another would replace the record of the right one. A store is known by the instant of its first
 * run, which its copies share. What an older program published names none: any store that has published before goes on
 * from there.
 *
 * @returns a check, which throws ForemarkError sink_unavailable
 */
export function refusalOfOtherStores(store: Store, { place }: Sink): Refusal {
  const own = store.read(findFirstRun);
  const isNew = !store.read(hasPublished);
  return (current) => {
    if (!current) return;
    const { generation, as_of, first_run_at } = current.record;
    if (!isNew && (first_run_at === undefined || first_run_at === own)) return;
    throw new ForemarkError(
      'sink_unavailable',
      `${place} holds generation ${generation} as of ${formatInstant(as_of)}${ranFirst(' of a store that', first_run_at)}, but ` +
        `this store${isNew ? ' has not published anything yet' : ranFirst('', own)}: use the store that published it or ` +
        'restore a copy of it; publish --take-over replaces it',
    );
  };
}

function ranFirst(which: string, at: Instant | undefined): string {
  return at === undefined ? '' : `${which} ran first at ${formatInstant(at)}`;
}
