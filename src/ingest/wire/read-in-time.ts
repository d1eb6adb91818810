import { createContext, Script } from 'node:vm';
import { ForemarkError, messageOf } from '../../model/errors.ts';

const SCRIPT = new Script('read()');
/** The context in which the script finds the function to run; created on first use. */
let room: { read?: () => unknown } | undefined;

/**
 * Runs a parser on a text that may be hostile: made to take quadratic time, or nested too deep for the stack. A parser
 * that takes too long is interrupted wherever it is.
 *
 * @throws ForemarkError invalid_payload when it takes too long or goes too deep; what `read` throws
 * @example readInTime(5, () => parse(text)) // what parse gives
 */
export function readInTime<Read>(seconds: number, read: () => Read): Read {
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

/** Whether a parser was interrupted because it took too long, and blocked everything else meanwhile. */
export function hasHeldUp(thrown: unknown): boolean {
  return thrown instanceof ForemarkError && isTimedOut(thrown.cause);
}

function isTimedOut(thrown: unknown): boolean {
  return /execution timed out/.test(messageOf(thrown));
}
