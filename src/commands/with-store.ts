import { existsSync } from 'node:fs';
import { ForemarkError } from '../model/errors.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { openStore, type Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { type ProgressDisplay, showProgress } from './progress.ts';

/** What a command does with the store: reads it, writes to the one that is there, or makes one where there is none. */
export type Access = 'read' | 'write' | 'create';

function open({ config: { store } }: CommandContext, access: Access): Store {
  if (access === 'write') refuseMissing(store);
  return openStore(store, { readonly: access === 'read' });
}

/** A command that goes by what is known makes no new store: in the wrong folder it would seem to have worked. */
function refuseMissing(store: string): void {
  if (existsSync(store)) return;
  throw new ForemarkError(
    'store_unusable',
    `store ${store}: the file does not exist; the first run makes it`,
  );
}

/** Works with the store that the settings name, and closes it however the work ends. */
export function withStore<Result>(
  context: CommandContext,
  access: Access,
  work: (store: Store) => Result,
): Result {
  const store = open(context, access);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Works with the store for longer, with progress shown; puts both away however the work ends. */
export async function withProgress<Result>(
  context: CommandContext,
  access: Access,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  const progress = showProgress(context);
  let store: Store | undefined;
  try {
    store = open(context, access);
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
export async function withRunLock<Result>(
  context: CommandContext,
  access: Exclude<Access, 'read'>,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  // Before the lock, which is a file beside the store.
  if (access === 'write') refuseMissing(context.config.store);
  return underRunLock(context, () => withProgress(context, access, work));
}
