import { getOrInsert } from '../model/memoized.ts';
import type { Reader } from './store.ts';

/** Size limit of the cache of each kind, in values. */
const MOST = 10_000;

/**
 * Caches the result of `find` for a key within a snapshot. A full cache is emptied, so that it does not grow with the
 * catalog.
 */
export function findRecent<Key, Value>(reader: Reader, kind: string, key: Key, find: () => Value): Value {
  const known = reader.once(kind, () => new Map<Key, Value>());
  if (known.size >= MOST && !known.has(key)) known.clear();
  return getOrInsert(known, key, find);
}
