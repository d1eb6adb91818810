import { setFlagsFromString } from 'node:v8';

const GROWTH = '--semi-space-growth-factor';

/**
 * Runs work without letting V8's semi-space, where objects begin, grow. By default it grows to 96 MB, and discarded columns
 * stay in memory outside the heap until that space is full. V8 reads the flag each time it might grow the space.
 */
export function withSmallSemiSpace<T>(work: () => T): T {
  setFlagsFromString(`${GROWTH}=1`);
  try {
    return work();
  } finally {
    setFlagsFromString(`${GROWTH}=2`);
  }
}
