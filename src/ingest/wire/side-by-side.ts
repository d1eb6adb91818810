import pLimit from 'p-limit';

/**
 * Does work on each item, some at once, in order of their start. After something was thrown nothing more is
 * started; what is under way ends first, so that nothing goes on behind the caller's back.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limit = pLimit(atOnce);
  let failure: { thrown: unknown } | undefined;
  await limit.map(items, async (item) => {
    if (failure) return;
    try {
      await work(item);
    } catch (thrown) {
      failure ??= { thrown };
    }
  });
  if (failure) throw failure.thrown;
}
