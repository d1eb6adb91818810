/** What a failed request means for asking again, judged by its last try. */
import { type ForemarkError, hasCode } from '../../model/errors.ts';
import { FailedTry } from './failed-try.ts';
import { BodyTooLong } from './read-body.ts';

/** Whether a thrown error is the venue's fault, so that other feeds can go on. */
export function isVenueTrouble(thrown: unknown): thrown is ForemarkError {
  return hasCode(thrown, 'venue_unavailable') || hasCode(thrown, 'invalid_payload');
}

/** Whether what was asked for does not exist. */
export function isMissing(thrown: unknown): boolean {
  return lastTryOf(thrown)?.status === 404;
}

/** Whether the server refused a request, rather than failing at it. */
export function isRefused(thrown: unknown): boolean {
  const last = lastTryOf(thrown);
  return last?.status !== undefined && last.status < 500 && !last.retry;
}

/** Whether the server wants a key, or lets nobody in: any other request of the kind would fail too. */
export function wantsKey(thrown: unknown): boolean {
  const status = lastTryOf(thrown)?.status;
  return status === 401 || status === 403;
}

/** Whether an answer exceeded the size limit. */
export function isTooLong(thrown: unknown): boolean {
  return lastTryOf(thrown)?.cause instanceof BodyTooLong;
}

/** Whether the same request would fail again: it was refused, or the answer exceeds the size limit. */
export function failsForGood(thrown: unknown): boolean {
  return lastTryOf(thrown)?.retry === false;
}

/** Whether the server failed at a request, and may fail again: it answered with a server error, or not at all. */
export function hasFailed(thrown: unknown): boolean {
  const last = lastTryOf(thrown);
  return last?.retry === true && (last.status === undefined || last.status >= 500);
}

/** Whether the server was asked at all: it is not after failing at several other requests. */
export function wasAsked(thrown: unknown): boolean {
  return hasCode(thrown, 'invalid_payload') || lastTryOf(thrown) !== undefined;
}

function lastTryOf(thrown: unknown): FailedTry | undefined {
  return isVenueTrouble(thrown) && thrown.cause instanceof FailedTry ? thrown.cause : undefined;
}
