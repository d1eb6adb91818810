import { constants, getPriority, setPriority } from 'node:os';

/** How much less urgent a thread is that works on what takes long. */
const LESS_URGENT = 15;

/** Gives this thread a lower priority, so that those that answer at once go first where cores are short. */
export function goBehind(): void {
  // Elsewhere it would be the whole process.
  if (process.platform === 'linux')
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + LESS_URGENT));
}
