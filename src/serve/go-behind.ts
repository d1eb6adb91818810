import { constants, getPriority, setPriority } from 'node:os';

/** How much less urgent a thread is that works on what takes long. */
const LESS_URGENT = 15;

/** Has this thread go behind those that answer at once, where cores are short. */
export function goBehind(): void {
  // Elsewhere it would be the whole process.
  if (process.platform === 'linux')
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + LESS_URGENT));
}
