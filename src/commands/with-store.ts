import { takeRunLock } from '../store/run-lock.ts';
import { openStore, type Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { type ProgressDisplay, showProgress } from './progress.ts';

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

/**
 * Works with the store as a run does: under its lock, with progress shown; puts all of it away however the work ends.
 *
 * @throws ForemarkError run_in_progress
 */
export async function withRunLock<Result>(
  context: CommandContext,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  const { store: path } = context.config;
  const unlock = takeRunLock(path);
  const progress = showProgress(context);
  let store: Store | undefined;
  try {
    store = openStore(path);
    return await work(store, progress);
  } finally {
    progress.end();
    store?.close();
    unlock();
  }
}
