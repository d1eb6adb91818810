import type { Effects } from '../../model/effects.ts';
import { messageOf } from '../../model/errors.ts';
import { given } from '../../model/given.ts';
import { toMilliseconds } from '../../model/time.ts';
import type { Validators } from '../../model/validators.ts';
import { FailedTry, refusalOf } from './failed-try.ts';
import { parseJson } from './json.ts';
import { oneLine } from './plain-text.ts';
import { BodyTooLong, readBody } from './read-body.ts';
import type { Answer, Format, RequestLimits, VenueRequest } from './request.ts';

/** The Accept header of each format, and its name in messages. */
const FORMATS: Readonly<Record<Format, { accept: string; name: string }>> = {
  json: { accept: 'application/json', name: 'JSON' },
  csv: { accept: 'text/csv', name: 'CSV' },
  html: { accept: 'text/html', name: 'HTML' },
  feed: {
    accept:
      'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1',
    name: 'a feed',
  },
  file: { accept: '*/*', name: 'a file' },
};

/** How a feed begins, possibly after a byte order mark, whatever content type its server claims. */
const FEED_HEAD = /^[^<{]{0,16}(?:<\?xml|<rss|<feed|<rdf:|\{)/i;
/** How a whole page, and a whole feed, end. */
const ENDS: Partial<Record<Format, RegExp>> = {
  html: /<\/html>/,
  feed: /<\/(?:[\w.-]+:)?(?:rss|feed|rdf)\s*>|\}\s*$/i,
};
/** That end is looked for in this tail, since something may follow it. */
const TAIL_BYTES = 4096;

/**
 * Formats that do not show where they end. They are asked for uncompressed: `fetch` takes a compressed body that was cut
 * off before it was sent for a whole one, and gives what it could decompress.
 */
const ENDLESS: ReadonlySet<Format> = new Set(['csv', 'file']);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Trying {
  effects: Effects;
  limits: RequestLimits;
  signal: AbortSignal;
}

/**
 * Tries a request once.
 *
 * @param name of the request, for messages
 * @throws FailedTry, or the error of the fetch when the signal was aborted
 */
export async function tryOnce(request: VenueRequest, name: string, trying: Trying): Promise<Answer> {
  const { limits, signal } = trying;
  const timeout = AbortSignal.timeout(toMilliseconds(limits.request_timeout_seconds));
  try {
    const response = await trying.effects.fetch(request.url, {
      headers: headersOf(request, limits.contact),
      ...(request.body === undefined ? {} : { method: 'POST', body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    return await readAnswer(response, request, name, trying);
  } catch (thrown) {
    if (signal.aborted || thrown instanceof FailedTry) throw thrown;
    if (thrown instanceof BodyTooLong) throw new FailedTry(thrown.message, { retry: false, cause: thrown });
    if (timeout.aborted)
      throw new FailedTry(`no complete answer in ${limits.request_timeout_seconds} s`, { retry: true });
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    // OpenSSL ends its messages with a line break.
    throw new FailedTry(`connection failed: ${oneLine(messageOf(cause ?? thrown))}`, {
      retry: true,
      cause: thrown,
    });
  }
}

async function readAnswer(
  response: Response,
  request: VenueRequest,
  name: string,
  { effects, limits }: Trying,
): Promise<Answer> {
  if (REDIRECTS.has(response.status)) {
    await response.body?.cancel();
    const to = JSON.stringify((response.headers.get('location') ?? '').slice(0, 200));
    throw new FailedTry(`answered with a redirect to ${to}`, { retry: false });
  }
  if (response.status === 304 && request.unless)
    return { request: name, body: Buffer.alloc(0), json: undefined, unchanged: true };
  if (response.status !== 200) throw await refusalOf(response, effects, request.bearer);
  const { format = 'json' } = request;
  const body = await readFormat(response, format, limits.max_body_bytes);
  const reads = format === 'json' && !request.isKnown?.(body);
  return {
    request: name,
    body,
    json: reads ? parseJson(body) : undefined,
    charset: /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1],
    validators: validatorsOf(response),
  };
}

/** The bytes of an answer. @throws FailedTry when they are visibly not of the format that was asked for */
async function readFormat(response: Response, format: Format, longest: number): Promise<Buffer> {
  const isCalledHtml = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
  const insteadOf = () => new FailedTry(`answered HTML instead of ${FORMATS[format].name}`, { retry: true });
  // Misconfigured servers send feeds as HTML.
  if (isCalledHtml && format !== 'html' && format !== 'feed') {
    await response.body?.cancel();
    throw insteadOf();
  }
  const body = await readBody(response, longest);
  if (isCalledHtml && format === 'feed' && !FEED_HEAD.test(body.toString('latin1', 0, 100)))
    throw insteadOf();
  if (ENDLESS.has(format) && body.byteLength === 0) throw new FailedTry('answer is empty', { retry: true });
  // Without the zeros of UTF-16.
  const tail = body.toString('latin1', Math.max(0, body.byteLength - TAIL_BYTES)).replaceAll('\0', '');
  if (ENDS[format]?.test(tail) === false)
    throw new FailedTry(`answer of ${body.byteLength} bytes is cut off or not ${FORMATS[format].name}`, {
      retry: true,
    });
  return body;
}

function headersOf(
  { format, body, bearer, unless }: VenueRequest,
  contact: string | undefined,
): Record<string, string> {
  return {
    accept: FORMATS[format ?? 'json'].accept,
    'accept-language': 'en',
    'user-agent': contact === undefined ? 'foremark' : `foremark (+${contact})`,
    ...given({
      'accept-encoding': ENDLESS.has(format ?? 'json') ? 'identity' : undefined,
      'content-type': body === undefined ? undefined : 'application/json',
      authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
      'if-none-match': unless?.etag,
      'if-modified-since': unless?.last_modified,
    }),
  };
}

function validatorsOf({ headers }: Response): Validators | undefined {
  const etag = headers.get('etag') ?? undefined;
  const last_modified = headers.get('last-modified') ?? undefined;
  return etag === undefined && last_modified === undefined ? undefined : { etag, last_modified };
}
