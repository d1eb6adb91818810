import { setFlagsFromString } from 'node:v8';

const GROWTH = '--semi-space-growth-factor';

/**
 * Does work with no more room for short-lived objects than there is already. V8 else gives them up to 96 MB, and columns
 * that nobody wants any more wait outside its heap until that is full. Read by V8 whenever it would give more.
 */
export function withoutRoomToGrow<T>(work: () => T): T {
  setFlagsFromString(`${GROWTH}=1`);
  try {
    return work();
  } finally {
    setFlagsFromString(`${GROWTH}=2`);
  }
}
