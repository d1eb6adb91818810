import type { Reader } from './store.ts';

/** Most values of a kind that are kept. */
const MOST = 10_000;

/**
 * What `find` gives for a key, unless an answer in the same snapshot has asked for it lately. Once it is much, all of
 * its kind is forgotten, so that it does not grow with the catalog.
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
