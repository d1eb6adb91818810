import { setTimeout as wait } from 'node:timers/promises';
import type { UsageRecorder } from '../serve/callers/usage-recorder.ts';
import type { CommandContext } from './context.ts';

/** How often request counts are written. */
const FLUSH_EVERY_MS = 2_000;

/**
 * The operator is warned after this many failures in a row. A run blocks the store for seconds only; a full disk does
 * so until it is noticed.
 */
const TOLD_AFTER = 30;

/** Pause between two tries of the last write, and their number; a run may be blocking the store. */
const LAST_TRY_EVERY_MS = 100;
const LAST_TRIES = 100;

/** Writes request counts regularly. @returns a function that writes the last counts and stops */
export function writeUsage(usage: UsageRecorder, { err }: Pick<CommandContext, 'err'>): () => Promise<void> {
  let failures = 0;
  const flushing = setInterval(() => {
    const why = usage.flush();
    failures = why === undefined ? 0 : failures + 1;
    if (failures === TOLD_AFTER) err(`counts of requests wait to be written: ${why}`);
  }, FLUSH_EVERY_MS);
  return async () => {
    clearInterval(flushing);
    let why = usage.flush();
    for (let i = 1; why !== undefined && i < LAST_TRIES; i++) {
      await wait(LAST_TRY_EVERY_MS);
      why = usage.flush();
    }
    if (why !== undefined) err(`the last counts of requests could not be written: ${why}`);
  };
}
