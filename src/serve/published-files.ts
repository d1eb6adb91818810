import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { ForemarkError } from '../model/errors.ts';
import { mediaTypeOf } from '../routes/media-types.ts';
import { OUTLET_KEY, type OutletExtras, outletBody } from '../routes/outlet.ts';
import type { ObjectReader } from '../store/archive.ts';
import { type Env, type Handler, reply } from './request-context.ts';

/** What of a publication the server hands on besides answering routes: the explorer, cards and bulk files. */
const HANDED_ON =
  /^(index\.html|publication\.json|(explorer|cards|bulk)(\/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)+)$/;

/** Asked for each time, and answered without a body where nothing changed. */
const FRESH = { 'Cache-Control': 'public, no-cache', 'X-Content-Type-Options': 'nosniff' };

/** The explorer runs its own script and asks its own origin; it is framed by nobody. */
const EXPLORER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Answers the explorer at the root, and the cards and bulk files that it shows, as they were published; it is
 * told that the server answers here, which searches.
 *
 * @param mount answers a path
 * @param archive what was published
 */
export function addPublishedFiles(
  mount: (path: string, handler: Handler) => void,
  archive: ObjectReader,
): void {
  mount('/', (context) => handOn(context, archive, 'index.html'));
  mount(`/${OUTLET_KEY}`, async (context) => {
    const published = await read(archive, OUTLET_KEY);
    const { label, cards, bulk } = JSON.parse(published.toString()) as OutletExtras;
    const body = JSON.stringify(outletBody('server', { label, cards, bulk }));
    return reply(context, body, 200, { 'Content-Type': 'application/json', ...FRESH });
  });
  for (const path of ['/index.html', '/publication.json', '/explorer/*', '/cards/*', '/bulk/*'])
    mount(path, (context) => handOn(context, archive, context.req.path.slice(1)));
}

async function handOn(context: Context<Env>, archive: ObjectReader, key: string): Promise<Response> {
  const body = await read(archive, key);
  const etag = `"${hash('sha256', body).slice(0, 32)}"`;
  const headers = {
    'Content-Type': mediaTypeOf(key),
    ...FRESH,
    ...(key === 'index.html' ? { 'Content-Security-Policy': EXPLORER_POLICY } : {}),
    ETag: etag,
  };
  if (context.req.header('if-none-match') === etag) return reply(context, null, 304, headers);
  return reply(context, new Uint8Array(body), 200, headers);
}

async function read(archive: ObjectReader, key: string): Promise<Buffer> {
  const body = HANDED_ON.test(key) ? await archive.read(key) : undefined;
  if (!body) throw new ForemarkError('not_found', 'there is nothing at this path');
  return body;
}
