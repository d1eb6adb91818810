import pRetry from 'p-retry';
import type { Effects } from '../../model/effects.ts';
import { ForemarkError, messageOf } from '../../model/errors.ts';
import { given } from '../../model/given.ts';
import { toMilliseconds } from '../../model/time.ts';
import { FailedTry, refusalOf } from './failed-try.ts';
import { Pace } from './pace.ts';
import { BodyTooLong, readBody } from './read-body.ts';

/** One question to a venue; with a body it is a POST. */
export interface VenueRequest {
  url: string;
  body?: unknown;
  /** What the answer is written in; JSON when left out. */
  format?: Exclude<Format, 'json'>;
  /** Whether an answer was read before as it is: it is not read again then. */
  isKnown?(body: Buffer): boolean;
  /** Sent as a bearer token; never part of a message. */
  bearer?: string;
  /** What it counts for at a venue that weighs its requests; 1 when left out. */
  weight?: number;
  /** What an earlier answer was sent with: the whole is asked for only where it is another by now. */
  unless?: Validators;
}

/** What an answer is told apart by from later ones, in the words of its server. */
interface Validators {
  etag?: string | undefined;
  last_modified?: string | undefined;
}

/** The media type asked for, by the format of the answer. */
const ACCEPT = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  feed: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1',
  file: '*/*',
} as const;
type Format = keyof typeof ACCEPT;

const NAMES: Record<Format, string> = {
  json: 'JSON',
  csv: 'CSV',
  html: 'HTML',
  feed: 'a feed',
  file: 'a file',
};

/** A venue's whole answer, as it came and, where it is JSON that was not known before, read. */
export interface Answer {
  request: string;
  /** Empty where it is as it was. */
  body: Buffer;
  json: unknown;
  /** What to ask by whether it is still so; undefined where its server has none. */
  validators?: Validators | undefined;
  /** Whether the server said that it is what the request's validators were sent with. */
  unchanged?: true;
}

/** What requests cost: tries and bytes of good answers, after inflation. */
export interface Meter {
  requests: number;
  bytes: number;
}

/** Asks a venue; the meter counts. @throws ForemarkError venue_unavailable when no try gave a whole answer */
export type Requester = (request: VenueRequest, meter: Meter) => Promise<Answer>;

export interface RequestLimits {
  /** A contact address for whoever is asked. */
  contact?: string | undefined;
  attempts: number;
  request_timeout_seconds: number;
  max_body_bytes: number;
  requests_per_second: number;
}

/** How a feed begins, a mark of the byte order before it included, whatever its server calls it. */
const FEED_HEAD = /^[^<{]{0,16}(?:<\?xml|<rss|<feed|<rdf:|\{)/i;
/** Where the end of a whole page is looked for: something may follow it. */
const HTML_TAIL_BYTES = 4096;

const WAIT_FLOOR_MS = 1000;
const WAIT_CEILING_MS = 30_000;
/** A venue that asks for a longer pause is left alone until the next run. */
const LONGEST_PAUSE_MS = 120_000;
/** From this many requests in a row that failed for good, a host is not asked again in the run. */
const HOST_DOWN_AFTER = 3;

interface Host {
  pace: Pace;
  failedInRow: number;
}

/**
 * Makes the one function that speaks to a venue. Each host has its own pace. A try that ended in 425, 429,
 * 5xx, a broken connection, HTML or cut-off JSON is repeated after a random pause that doubles, at least a
 * second and at least what Retry-After asks; other answers are final. Redirects are refused.
 *
 * @param signal ends everything, pauses included, for instance at the venue's deadline
 */
export function createRequester(effects: Effects, limits: RequestLimits, signal: AbortSignal): Requester {
  const hosts = new Map<string, Host>();
  const hostOf = (url: string): Host => {
    const { origin } = new URL(url);
    const known = hosts.get(origin);
    if (known) return known;
    const host = { pace: new Pace(limits.requests_per_second, (ms) => effects.sleep(ms)), failedInRow: 0 };
    hosts.set(origin, host);
    return host;
  };

  return async (request, meter) => {
    const host = hostOf(request.url);
    const name = `${request.body === undefined ? 'GET' : 'POST'} ${request.url}`;
    if (host.failedInRow >= HOST_DOWN_AFTER)
      throw new ForemarkError('venue_unavailable', `${brief(name)}: not asked, the host failed before`);
    let tries = 0;
    try {
      const answer = await pRetry(
        async () => {
          await host.pace.turn(request.weight);
          tries++;
          meter.requests++;
          return await attempt(effects, limits, signal, request, name);
        },
        {
          retries: limits.attempts - 1,
          // The pause is ours, through effects; p-retry counts and gives up.
          minTimeout: 0,
          signal,
          shouldRetry: ({ error, attemptNumber }) => pause(effects, signal, error, attemptNumber),
        },
      );
      host.failedInRow = 0;
      meter.bytes += answer.body.byteLength;
      return answer;
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof FailedTry)) throw thrown;
      host.failedInRow = thrown.retry ? host.failedInRow + 1 : 0;
      const after = tries > 1 ? ` (${tries} tries)` : '';
      throw new ForemarkError('venue_unavailable', `${brief(name)}: ${thrown.message}${after}`, {
        cause: thrown,
      });
    }
  };
}

async function pause(effects: Effects, signal: AbortSignal, error: Error, tries: number): Promise<boolean> {
  if (!(error instanceof FailedTry) || !error.retry || error.pauseMs > LONGEST_PAUSE_MS) return false;
  const backOff = effects.random() * Math.min(WAIT_CEILING_MS, WAIT_FLOOR_MS * 2 ** tries);
  await effects.sleep(Math.max(WAIT_FLOOR_MS, backOff, error.pauseMs), signal);
  return true;
}

/** What a venue is told beside a request's address and body. */
function headersOf(
  { format, body, bearer, unless }: VenueRequest,
  contact: string | undefined,
): Record<string, string> {
  return {
    accept: ACCEPT[format ?? 'json'],
    'accept-language': 'en',
    'user-agent': contact === undefined ? 'foremark' : `foremark (+${contact})`,
    ...given({
      'content-type': body === undefined ? undefined : 'application/json',
      authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
      'if-none-match': unless?.etag,
      'if-modified-since': unless?.last_modified,
    }),
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function attempt(
  effects: Effects,
  limits: RequestLimits,
  signal: AbortSignal,
  request: VenueRequest,
  name: string,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(toMilliseconds(limits.request_timeout_seconds));
  try {
    const response = await effects.fetch(request.url, {
      headers: headersOf(request, limits.contact),
      ...(request.body === undefined ? {} : { method: 'POST', body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    if (REDIRECTS.has(response.status)) {
      await response.body?.cancel();
      const to = JSON.stringify((response.headers.get('location') ?? '').slice(0, 200));
      throw new FailedTry(`answered with a redirect to ${to}`, { retry: false });
    }
    if (response.status === 304 && request.unless)
      return { request: name, body: Buffer.alloc(0), json: undefined, unchanged: true };
    if (response.status !== 200) throw await refusalOf(response, effects, request.bearer);
    const { format = 'json' } = request;
    const isCalledHtml = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
    const insteadOf = () => new FailedTry(`answered HTML instead of ${NAMES[format]}`, { retry: true });
    // Feeds are called HTML by servers that were never told what they are.
    if (isCalledHtml && format !== 'html' && format !== 'feed') {
      await response.body?.cancel();
      throw insteadOf();
    }
    const body = await readBody(response, limits.max_body_bytes);
    if (isCalledHtml && format === 'feed' && !FEED_HEAD.test(body.toString('latin1', 0, 100)))
      throw insteadOf();
    if (format === 'html' && !body.subarray(-HTML_TAIL_BYTES).includes('</html>'))
      throw new FailedTry(`answer of ${body.byteLength} bytes is cut off or no HTML`, { retry: true });
    const reads = format === 'json' && !request.isKnown?.(body);
    return {
      request: name,
      body,
      json: reads ? parseJson(body) : undefined,
      validators: validatorsOf(response),
    };
  } catch (thrown) {
    if (signal.aborted || thrown instanceof FailedTry) throw thrown;
    if (thrown instanceof BodyTooLong) throw new FailedTry(thrown.message, { retry: false, cause: thrown });
    if (timeout.aborted)
      throw new FailedTry(`no whole answer in ${limits.request_timeout_seconds} s`, { retry: true });
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    throw new FailedTry(`connection failed: ${messageOf(cause ?? thrown)}`, { retry: true, cause: thrown });
  }
}

function validatorsOf({ headers }: Response): Validators | undefined {
  const etag = headers.get('etag') ?? undefined;
  const last_modified = headers.get('last-modified') ?? undefined;
  return etag === undefined && last_modified === undefined ? undefined : { etag, last_modified };
}

/** An answer's JSON. @throws FailedTry when it is none, or cut off */
export function parseJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8');
    // Some writers begin with the mark of the byte order, which is no JSON.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new FailedTry(
      body.byteLength === 0 ? 'answer is empty' : `answer of ${body.byteLength} bytes is cut off or no JSON`,
      { retry: true },
    );
  }
}

// A request that lists a hundred ids does not belong into a message whole.
function brief(name: string): string {
  return name.length > 160 ? `${name.slice(0, 160)}…` : name;
}
