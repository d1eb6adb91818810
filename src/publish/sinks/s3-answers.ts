import { hash } from 'node:crypto';

/** Names of errors that do not come from the server, and would happen again. */
const NEVER_AGAIN: ReadonlySet<string> = new Set([
  'AbortError',
  'CredentialsProviderError',
  'TypeError',
  'RangeError',
]);

/** The HTTP status behind an error of the SDK; undefined when no answer came. */
export function statusOf(thrown: unknown): number | undefined {
  const metadata = field(thrown, '$metadata');
  const status = field(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Whether an object is missing; a missing bucket is another error. */
export function isMissing(thrown: unknown): boolean {
  return statusOf(thrown) === 404 && field(thrown, 'name') !== 'NoSuchBucket';
}

/**
 * Whether the same request may succeed later: after no answer or half an answer, a conflict (409, which the SDK does not
 * retry), too many requests or a failing server. Not after a caller's mistake, an unsupported request (501), or an abort.
 */
export function needsAnotherTry(thrown: unknown): boolean {
  if (NEVER_AGAIN.has(String(field(thrown, 'name')))) return false;
  const status = statusOf(thrown);
  if (status === undefined) return true;
  // A thrown 200 is an answer that was cut off.
  return status < 300 || (status >= 500 && status !== 501) || [408, 409, 425, 429].includes(status);
}

/** An error of the SDK in words for people. */
export function reasonOf(thrown: unknown): string {
  const name = String(field(thrown, 'name') ?? 'error');
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const status = statusOf(thrown);
  return `${status === undefined ? '' : `${status} `}${name}: ${message}`;
}

/** The ETag, without quotes, that most servers give to an object that was sent in one piece. */
export function md5Etag(body: Buffer): string {
  return hash('md5', body);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
