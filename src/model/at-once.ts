/**
 * Does a piece of work for each item, some at once, taking the next item only when there is a hand free. After
 * a failure nothing new is begun; the first failure is thrown when all that was begun has ended.
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
  // What gives the items may hold something open, a query for one.
  await waiting.return?.();
  throw failures[0];
}
