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

/** Works with the store for longer, with progress shown; puts both away however the work ends. */
export async function withProgress<Result>(
  context: CommandContext,
  options: { readonly: boolean },
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  const progress = showProgress(context);
  let store: Store | undefined;
  try {
    store = openStore(context.config.store, options);
    return await work(store, progress);
  } finally {
    progress.end();
    store?.close();
  }
}

/** Works while no run does. @throws ForemarkError run_in_progress */
export async function underRunLock<Result>(
  { config }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const unlock = takeRunLock(config.store);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Works with the store as a run does: under its lock, with progress shown. @throws ForemarkError run_in_progress */
export function withRunLock<Result>(
  context: CommandContext,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  return underRunLock(context, () => withProgress(context, { readonly: false }, work));
}
