/** What a failed request says about asking once more, by the last try of it. */
import { ForemarkError } from '../../model/errors.ts';
import { FailedTry } from './failed-try.ts';
import { BodyTooLong } from './read-body.ts';

/** Whether a thrown error is the venue's fault, so that other feeds can go on. */
export function isVenueTrouble(thrown: unknown): thrown is ForemarkError {
  return (
    thrown instanceof ForemarkError &&
    (thrown.code === 'venue_unavailable' || thrown.code === 'invalid_payload')
  );
}

/** Whether there is no such thing as was asked for. */
export function isMissing(thrown: unknown): boolean {
  return lastTryOf(thrown)?.status === 404;
}

/** Whether the other side has refused a request, and not failed at it. */
export function isRefused(thrown: unknown): boolean {
  const last = lastTryOf(thrown);
  return last?.status !== undefined && last.status < 500 && !last.retry;
}

/** Whether an answer was longer than one may be. */
export function isTooLong(thrown: unknown): boolean {
  return lastTryOf(thrown)?.cause instanceof BodyTooLong;
}

/** Whether there is no use in asking for the same again: it was refused, or the answer is longer than one may be. */
export function isFinal(thrown: unknown): boolean {
  return lastTryOf(thrown)?.retry === false;
}

/** Whether the other side has failed at a request, and may do so again: it answered with an error of its own, or not at all. */
export function hasFailed(thrown: unknown): boolean {
  const last = lastTryOf(thrown);
  return last?.retry === true && (last.status === undefined || last.status >= 500);
}

/** Whether the other side was asked at all: a host that has failed at others is not. */
export function wasAsked(thrown: unknown): boolean {
  return isVenueTrouble(thrown) && (thrown.code !== 'venue_unavailable' || lastTryOf(thrown) !== undefined);
}

function lastTryOf(thrown: unknown): FailedTry | undefined {
  return isVenueTrouble(thrown) && thrown.cause instanceof FailedTry ? thrown.cause : undefined;
}
