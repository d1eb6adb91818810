/**
 * Calls an async function for each item with limited concurrency, taking the next item only when a worker is free.
 * After a failure no further items are taken, and the first failure is thrown once all calls under way have ended.
 *
 * @param width number of concurrent calls
 */
export async function atOnce<Item>(
  width: number,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const hand = async () => {
    while (failures.length === 0) {
      try {
        const next = await waiting.next();
        if (next.done) return;
        await work(next.value);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, hand));
  if (failures.length === 0) return;
  // The iterator may hold a resource open, such as a query.
  await waiting.return?.();
  throw failures[0];
}
