import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import { hasPublished } from '../store/answers/answered.ts';
import type { Store } from '../store/store.ts';
import { findCurrentGeneration } from './archive/current-generation.ts';
import type { Sink } from './sinks/sink.ts';

/**
 * Refuses to publish from a store that never did to a place that already holds a publication: a store created in the wrong
 * folder, say, would replace the record of the right one by what venues still tell.
 *
 * @throws ForemarkError sink_unavailable
 */
export async function refuseNewStore(store: Store, sink: Sink): Promise<void> {
  if (store.read(hasPublished)) return;
  const current = await findCurrentGeneration(sink);
  if (!current) return;
  const { generation, as_of } = current.record;
  throw new ForemarkError(
    'sink_unavailable',
    `${sink.place} holds generation ${generation} as of ${formatInstant(as_of)}, but this store has not published anything ` +
      'yet: use the store that published it or restore a copy of it; publish --take-over replaces it',
  );
}
