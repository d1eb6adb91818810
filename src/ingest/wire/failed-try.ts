import type { Effects } from '../../model/effects.ts';
import { given } from '../../model/given.ts';
import { SECOND_MS } from '../../model/time.ts';
import { readBody } from './read-body.ts';

/** A try of a request that gave no answer, and whether and when to retry. */
export class FailedTry extends Error {
  readonly retry: boolean;
  readonly pauseMs: number;
  /** The HTTP status, if the venue answered with an error. */
  readonly status: number | undefined;

  constructor(
    message: string,
    options: { retry: boolean; pauseMs?: number; status?: number; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.retry = options.retry;
    this.pauseMs = options.pauseMs ?? 0;
    this.status = options.status;
  }
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * An error response as a failed try: its status, the venue's own message, and when to retry. 408, 425, 429 and 5xx may be
 * retried, unless the venue says that they are final.
 *
 * @param secret sent with the request; cut out of the message if the venue repeats it
 */
export async function refusalOf(
  response: Response,
  effects: Effects,
  secret: string | undefined,
): Promise<FailedTry> {
  const { status } = response;
  let json: unknown;
  try {
    json = JSON.parse((await readBody(response, ERROR_BODY_BYTES)).toString('utf8'));
  } catch {
    // The body of a refusal only adds words to the status.
  }
  const words = errorWords(json, secret);
  const final = typeof json === 'object' && json !== null && 'retryable' in json && json.retryable === false;
  const pauseMs = retryAfter(response.headers, effects);
  return new FailedTry(`answered ${status}${words === undefined ? '' : ` ${words}`}`, {
    retry: (RETRIED.has(status) || status >= 500) && !final,
    status,
    ...given({ pauseMs }),
  });
}

// {error: {code, message}}, {error: "..."}, {code, message} and {type, error} are all in use.
function errorWords(json: unknown, secret: string | undefined): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { error, message } = json as { error?: unknown; message?: unknown };
  const found =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : (error ?? message);
  if (typeof found !== 'string') return undefined;
  const shown = secret === undefined ? found : found.replaceAll(secret, '…');
  return JSON.stringify(shown.slice(0, 200));
}

// A date is by the server's clock, which need not agree with ours: that may be wrong, or fixed to replay a day.
function retryAfter(headers: Headers, effects: Effects): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * SECOND_MS);
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  const answeredAt = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(answeredAt) ? effects.now() : answeredAt));
}
