import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import type { ChunkRow } from './chunk-reads.ts';
import { decodeInstants, readInstants } from './price-codec.ts';

type ChunkInstants = Pick<ChunkRow, 'first_at' | 'points' | 'observed' | 'recorded'>;

const SELECT_CHUNKS = `SELECT first_at, points, observed, recorded FROM price_chunks
  WHERE market_key IN (SELECT value FROM json_each(?))`;

const SELECT_TAIL = `SELECT observed_at, recorded_at FROM price_tail
  WHERE market_key IN (SELECT value FROM json_each(?))`;

/**
 * Calls `tell` with the instants of all observations of some markets: when each was made, and at the same position when
 * it became known. There is one call for each chunk, and one for the tail. Cost: one pass over all observations.
 */
export function forEachRecorded(
  reader: Reader,
  marketKeys: readonly number[],
  tell: (observed: Float64Array, recorded: Float64Array) => void,
): void {
  const keys = JSON.stringify(marketKeys);
  for (const { first_at, points, observed, recorded } of reader.iterate<ChunkInstants>(SELECT_CHUNKS, keys)) {
    const decode = (bytes: Buffer) => decodeInstants(readInstants(bytes, points, first_at), 0, points);
    tell(decode(observed), decode(recorded));
  }
  const tail = reader.all<{ observed_at: Instant; recorded_at: Instant }>(SELECT_TAIL, keys);
  tell(
    Float64Array.from(tail, (row) => row.observed_at),
    Float64Array.from(tail, (row) => row.recorded_at),
  );
}
