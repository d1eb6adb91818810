import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { ForemarkError } from '../../model/errors.ts';
import { parseQuery, refuseParameters } from '../../routes/parameters.ts';
import type { ExportFormat, ExportRoute } from '../../routes/route.ts';
import { admit } from '../callers/credential.ts';
import { type Env, incomingOf, reply, valuesOf } from '../request-context.ts';
import type { Exporting } from '../serving.ts';
import { linkHeaders } from './link-headers.ts';
import { refuseWhileUnavailable } from './unavailable.ts';

const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  tsv: 'text/tab-separated-values; charset=utf-8; header=present',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Concurrent exports of an organization: each holds a snapshot of the store with its own cache. */
const MOST_EXPORTS = 4;

/** Answers with a whole list as a file, streamed from one snapshot. */
export async function respondWithExport(
  context: Context<Env>,
  serving: Exporting,
  route: ExportRoute,
  ext: ExportFormat,
): Promise<Response> {
  const { store, sites, now, report, exportsUnderWay, startExport, exportLimitMs } = serving;
  const { organization } = admit(context, serving);
  const raw = valuesOf(context);
  if (route.refuses) refuseParameters(route.refuses, raw);
  const query = parseQuery(route.query, raw);
  const name = route.path.split('/')[2];
  const headers = {
    'Content-Type': EXPORT_TYPES[ext],
    'Content-Disposition': `attachment; filename="${name}.${ext}"`,
    'Cache-Control': 'private, no-store',
    Vary: 'Authorization, X-API-Key',
    ...linkHeaders(route, raw),
  };
  store.read((reader) => refuseWhileUnavailable(reader, route, query));
  if (context.req.method === 'HEAD') return reply(context, null, 200, headers);
  const underWay = exportsUnderWay.get(organization) ?? 0;
  if (underWay >= MOST_EXPORTS)
    throw new ForemarkError(
      'too_many_requests',
      `at most ${MOST_EXPORTS} exports at a time; retry when one has ended`,
      { retryAfterSeconds: 10 },
    );
  const end = () => exportsUnderWay.set(organization, (exportsUnderWay.get(organization) ?? 1) - 1);
  const asked = { now: now(), tier: 'authenticated' as const, organization, id: '', query, sites };
  const stream = startExport({ ...asked, path: route.path, ext }, end);
  // Counted only now, because an export that did not start would never be counted off.
  exportsUnderWay.set(organization, underWay + 1);
  if (exportLimitMs !== undefined) limitTime(stream, exportLimitMs);
  // An export that cannot begin, perhaps because a rebuild began before it, is refused like any other request.
  const pieces = await begin(stream);
  const socket = incomingOf(context)?.socket;
  stream.once('error', (thrown) => {
    // A caller who leaves early is no fault.
    if (thrown.name !== 'AbortError') report(thrown, context.get('requestId'));
    socket?.destroy();
  });
  const sent = Readable.from(socket ? untilBrokenOff(pieces) : pieces, { objectMode: false });
  sent.once('close', () => stream.destroy());
  return reply(context, Readable.toWeb(sent) as ReadableStream, 200, headers);
}

/** Waits for the first piece of a stream. @returns all of its pieces @throws what it failed with before */
async function begin(stream: Readable): Promise<AsyncIterable<unknown>> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  // It may have failed since its first piece was read.
  if (stream.errored) throw stream.errored;
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  })();
}

/**
 * A stream that ends where the original fails: the error was reported, and the broken connection tells the reader that
 * the file is incomplete.
 */
async function* untilBrokenOff(pieces: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* pieces;
  } catch {}
}

/** Destroys a stream that is not read to its end in time. */
function limitTime(stream: Readable, limitMs: number): void {
  const late = setTimeout(() => {
    const message = `an export was cut off: it was not read within ${limitMs / 1000} seconds`;
    stream.destroy(new ForemarkError('service_unavailable', message));
  }, limitMs);
  stream.once('close', () => clearTimeout(late));
}
