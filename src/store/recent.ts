import type { Reader } from './store.ts';

/** Size limit of the cache of each kind, in values. */
const MOST = 10_000;

/**
 * Caches the result of `find` for a key within a snapshot. A full cache is emptied, so that it does not grow with the
 * catalog.
 */
export function findRecent<Key, Value>(reader: Reader, kind: string, key: Key, find: () => Value): Value {
  const known = reader.once(kind, () => new Map<Key, Value>());
  const value = known.get(key);
  if (value !== undefined || known.has(key)) return value as Value;
  const found = find();
  if (known.size >= MOST) known.clear();
  known.set(key, found);
  return found;
}
