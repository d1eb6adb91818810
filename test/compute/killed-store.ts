import type { Store } from '../../src/store/store.ts';

/** The same store, whose process is killed before its n-th transaction. */
export function killedAt(store: Store, n: number): Store {
  let done = 0;
  return {
    ...store,
    write(work) {
      if (done++ >= n) throw new Error('killed');
      return store.write(work);
    },
  };
}

/** How many write transactions something makes in a store. */
export function countTransactions(store: Store, work: (counting: Store) => unknown): number {
  let transactions = 0;
  work({
    ...store,
    write(writing) {
      transactions++;
      return store.write(writing);
    },
  });
  return transactions;
}
