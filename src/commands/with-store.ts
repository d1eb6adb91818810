import { openStore, type Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';

/** Works with the store that the settings name, and closes it however the work ends. */
export function withStore<Result>(
  { config }: CommandContext,
  options: { readonly: boolean },
  work: (store: Store) => Result,
): Result {
  const store = openStore(config.store, options);
  try {
    return work(store);
  } finally {
    store.close();
  }
}
