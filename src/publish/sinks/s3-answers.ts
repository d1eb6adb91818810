import { hash } from 'node:crypto';
import { failureCode, messageOf } from '../../model/errors.ts';

/** Names of errors that do not come from the server, and would happen again. */
const NEVER_AGAIN: ReadonlySet<string> = new Set([
  'AbortError',
  'CredentialsProviderError',
  'TypeError',
  'RangeError',
]);

/** Names of errors for a body that did not arrive as it was sent. */
const DAMAGED_ON_THE_WAY: ReadonlySet<string> = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

/** The HTTP status behind an error of the SDK; undefined when no answer came. */
export function statusOf(thrown: unknown): number | undefined {
  const status = field(field(thrown, '$metadata'), 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Whether an object is missing. A missing bucket is another error, and a page of some other server proves nothing. */
export function isMissing(thrown: unknown): boolean {
  return statusOf(thrown) === 404 && field(thrown, 'name') !== 'NoSuchBucket' && !isUnreadable(thrown);
}

/**
 * Whether the same request may succeed later: after no answer or half an answer, a damaged upload, a conflict (409, which
 * the SDK does not retry), too many requests or a failing server. Not after a caller's mistake, an unsupported request
 * (501), or an abort.
 */
export function needsAnotherTry(thrown: unknown): boolean {
  const name = String(field(thrown, 'name'));
  if (NEVER_AGAIN.has(name)) return false;
  if (DAMAGED_ON_THE_WAY.has(name)) return true;
  const status = statusOf(thrown);
  if (status === undefined) return true;
  // A thrown 200 is an answer that was cut off.
  return status < 300 || (status >= 500 && status !== 501) || [408, 409, 425, 429].includes(status);
}

/** The message for an answer that is not that of an S3 API. */
export const NO_S3 = 'is not an answer of S3; publish.s3.endpoint must be the address of an S3 API';

/** What to do about an error, by the name that S3 or the SDK gives it, or by the system's code. */
const ADVICE: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    'create the bucket, or correct publish.s3.bucket': ['NoSuchBucket'],
    'correct the credentials (AWS_PROFILE, AWS_ACCESS_KEY_ID …)': [
      'CredentialsProviderError',
      'InvalidAccessKeyId',
      'SignatureDoesNotMatch',
    ],
    'the credentials must allow reading, writing, listing and removing there': ['AccessDenied'],
    'correct publish.s3.region': ['PermanentRedirect', 'AuthorizationHeaderMalformed'],
    'check publish.s3.endpoint': ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO'],
  }).flatMap(([advice, names]) => names.map((name) => [name, advice])),
);

/** Whether a request was given up, for instance at its deadline. */
export function isAbort(thrown: unknown): boolean {
  return field(thrown, 'name') === 'AbortError';
}

/** An error of the SDK in words for people. */
export function reasonOf(thrown: unknown): string {
  const status = statusOf(thrown);
  const name = String(field(thrown, 'name') ?? 'error');
  if (status !== undefined && (name === 'Unknown' || isUnreadable(thrown))) {
    const { 'content-type': type, location } = headersOf(thrown);
    const told = [type ?? 'without content', ...(location ? [`to ${location}`] : [])].join(', ');
    return `${status} (${told}) ${NO_S3}`;
  }
  const message = messageOf(thrown).trim().replace(/\.$/, '');
  const reason = message === 'UnknownError' ? name : `${name}: ${message}`;
  const advice = ADVICE.get(name) ?? ADVICE.get(failureCode(thrown));
  return `${status === undefined ? '' : `${status} `}${reason}${advice ? `; ${advice}` : ''}`;
}

/** Whether an answer came that is not the XML that S3 answers with. */
function isUnreadable(thrown: unknown): boolean {
  return statusOf(thrown) !== undefined && messageOf(thrown).includes('XML parse error');
}

function headersOf(thrown: unknown): Record<string, string | undefined> {
  const headers = field(field(thrown, '$response'), 'headers');
  return typeof headers === 'object' && headers !== null ? { ...headers } : {};
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
