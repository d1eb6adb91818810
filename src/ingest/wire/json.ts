import { FailedTry } from './failed-try.ts';
import { BodyTooLong } from './read-body.ts';

/**
 * Most lists and records of an answer. Each takes some hundred bytes of memory, at two bytes of an answer: an answer of
 * brackets alone that has the longest length would take 1.7 GB. The fullest answers have one in some twenty bytes.
 */
const MOST_NESTED = 2_000_000;

const OPEN_LIST = 0x5b;
const OPEN_RECORD = 0x7b;

/**
 * Parses an answer's JSON.
 *
 * @throws FailedTry when it is no JSON, or cut off
 * @throws BodyTooLong when it has too many lists and records
 */
export function parseJson(body: Buffer): unknown {
  if (hasTooMany(body)) throw new BodyTooLong(`answer has more than ${MOST_NESTED} lists and records`);
  try {
    const text = body.toString('utf8');
    // Some writers begin with a byte order mark, which is no JSON.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new FailedTry(
      body.byteLength === 0 ? 'answer is empty' : `answer of ${body.byteLength} bytes is cut off or not JSON`,
      { retry: true },
    );
  }
}

// Brackets within texts count too, which are few. Most answers are too short to have so many pairs.
function hasTooMany(body: Buffer): boolean {
  if (body.byteLength <= 2 * MOST_NESTED) return false;
  let nested = 0;
  for (let i = 0; i < body.byteLength; i++) {
    const code = body[i];
    if (code === OPEN_LIST || code === OPEN_RECORD) nested++;
  }
  return nested > MOST_NESTED;
}
