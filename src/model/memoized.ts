/** Where results are kept by argument: a Map, or a WeakMap. */
interface Results<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

/**
 * The value under a key; made and kept there if there is none.
 *
 * @example getOrInsert(groups, 'a', () => []).push(1)
 */
export function getOrInsert<Key, Value>(
  known: Results<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const before = known.get(key);
  if (before !== undefined || known.has(key)) return before as Value;
  const made = make(key);
  known.set(key, made);
  return made;
}

/**
 * A function that works out each result once and keeps it.
 *
 * @param known in a WeakMap results are kept as long as their arguments are in use
 * @example memoized((file: string) => readFileSync(file)) // reads each file once
 */
export function memoized<Key, Value>(
  make: (key: Key) => Value,
  known: Results<Key, Value> = new Map(),
): (key: Key) => Value {
  return (key) => getOrInsert(known, key, make);
}
