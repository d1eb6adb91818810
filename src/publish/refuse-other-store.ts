import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { hasPublished } from '../store/answers/answered.ts';
import { findFirstRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { CurrentGeneration } from './archive/current-generation.ts';
import type { Sink } from './sinks/sink.ts';

/** Throws if the current generation must not be replaced. */
export type Refusal = (current: Pick<CurrentGeneration, 'record'> | undefined) => void;

/**
 * Refuses to replace what another store published: a store created in the wrong folder, for example, or one whose
 * settings name another's place, would replace the record of the right one. A store is identified by the instant of its
 * first run, which its copies share. Generations of older programs name no such instant: any store that has published
 * before may continue from them.
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
