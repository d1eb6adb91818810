import { createContext, Script } from 'node:vm';
import { ForemarkError, messageOf } from '../../model/errors.ts';

/** A page of a registry, or a feed of news, takes some hundredths of this. */
const SECONDS = 5;

const SCRIPT = new Script('read()');
/** Where the script finds what it runs; made once, when there is something to read. */
let room: { read?: () => unknown } | undefined;

/**
 * Runs the reader of a text that may be hostile: made to take time with the square of its length, or nested deeper
 * than the stack reaches. The reader is stopped wherever it is.
 *
 * @throws ForemarkError invalid_payload when it takes too long or goes too deep; what `read` throws
 * @example readInTime(() => parse(text)) // what parse gives
 */
export function readInTime<Read>(read: () => Read, seconds = SECONDS): Read {
  room ??= createContext({});
  room.read = read;
  try {
    return SCRIPT.runInContext(room, { timeout: seconds * 1000 });
  } catch (cause) {
    if (isTimedOut(cause))
      throw new ForemarkError('invalid_payload', `answer could not be read in ${seconds} s`, { cause });
    if (/call stack/.test(messageOf(cause)))
      throw new ForemarkError('invalid_payload', 'answer is nested too deep to be read', { cause });
    throw cause;
  }
}

/** Whether a reader was stopped because it took too long: nobody else's answers were read meanwhile. */
export function hasHeldUp(thrown: unknown): boolean {
  return thrown instanceof ForemarkError && isTimedOut(thrown.cause);
}

function isTimedOut(thrown: unknown): boolean {
  return /execution timed out/.test(messageOf(thrown));
}
