import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import { hasPublished } from '../store/answers/answered.ts';
import type { Store } from '../store/store.ts';
import { findCurrentGeneration } from './archive/current-generation.ts';
import type { Sink } from './sinks/sink.ts';

/**
 * Refuses to publish from a store that never did where something stands already: begun in the wrong folder, say, it would
 * replace the record of the right one by what venues still tell.
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
    `${sink.place}: generation ${generation} as of ${formatInstant(as_of)} stands there, and this store has published ` +
      'nothing yet: name the store that it is of, or put a copy of that in place; publish --take-over replaces what stands',
  );
}
