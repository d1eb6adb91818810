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
