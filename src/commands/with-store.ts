import { existsSync } from 'node:fs';
import { ForemarkError } from '../model/errors.ts';
import { refuseChanged, refuseDamaged } from '../store/damage.ts';
import { writeChecksums } from '../store/page-checksums.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { openStore, type Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { type ProgressDisplay, progressLines } from './progress.ts';

/** How a command uses the store: reads it, writes to an existing one, or creates it if there is none. */
export type Access = 'read' | 'write' | 'create';

function open({ config: { store } }: CommandContext, access: Access): Store {
  if (access === 'write') refuseMissing(store);
  return openStore(store, { readonly: access === 'read' });
}

/**
 * Only the commands that may be the first create a store: in the wrong folder, the others would otherwise seem to have
 * worked.
 */
function refuseMissing(store: string): void {
  if (existsSync(store)) return;
  throw new ForemarkError(
    'store_unusable',
    `store ${store}: the file does not exist; the first run creates it`,
  );
}

/** Opens the configured store for some work, and closes it however the work ends. */
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

/** The same with progress shown, for longer work. */
export async function withProgress<Result>(
  context: CommandContext,
  access: Access,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  const progress = await showProgress(context);
  let store: Store | undefined;
  try {
    store = open(context, access);
    return await work(store, progress);
  } finally {
    progress.end();
    store?.close();
  }
}

/** Bars on a terminal, for which alone their package is loaded; plain lines in a pipe. */
async function showProgress(context: CommandContext): Promise<ProgressDisplay> {
  if (!context.isTerminal) return progressLines(context);
  const { progressBars } = await import('./progress-bars.ts');
  return progressBars();
}

/** Works under the run lock. @throws ForemarkError run_in_progress */
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

/**
 * Opens the store as a run does: under the run lock, checked for damage, with progress shown.
 *
 * @throws ForemarkError run_in_progress, store_unusable
 */
export async function withRunLock<Result>(
  context: CommandContext,
  access: Exclude<Access, 'read'>,
  work: (store: Store, progress: ProgressDisplay) => Result | Promise<Result>,
): Promise<Result> {
  const { config, effects } = context;
  // Before the lock, which is a file beside the store.
  if (access === 'write') refuseMissing(config.store);
  return underRunLock(context, async () => {
    const isUnchanged = refuseChanged(config.store);
    const result = await withProgress(context, access, (store, progress) => {
      if (!isUnchanged) refuseDamaged(config.store, effects.now());
      return work(store, progress);
    });
    writeChecksums(config.store);
    return result;
  });
}
