import { constants, getPriority, setPriority } from 'node:os';

/** Added to the nice value of threads that do long work. */
const NICER_BY = 15;

/** Lowers the priority of this thread, so that quick answers go first when cores are short. */
export function lowerPriority(): void {
  // On other platforms this would apply to the whole process.
  if (process.platform === 'linux')
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY));
}
