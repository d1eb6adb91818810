import { rmSync } from 'node:fs';
import { makeFolder } from './make-folder.ts';

/**
 * Keeps what the processes that tests start have compiled for those that start later. In a folder of its own, since the
 * user's cache would keep for ever what was loaded from folders that tests remove.
 */
export function setup(): (() => void) | undefined {
  // Once for all projects of the configuration.
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = makeFolder();
  process.env.NODE_COMPILE_CACHE = folder;
  // A process that was just told to end may still be writing what it has compiled.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
