import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { mediaTypeOf } from '../routes/media-types.ts';
import { OUTLET_KEY, type OutletExtras, outletBody } from '../routes/outlet.ts';
import type { ObjectReader } from '../store/archive/archive.ts';
import { digestOf } from './entity-tag.ts';
import type { Env, Handler } from './request-context.ts';
import { type Sendable, send } from './send.ts';
import type { Serving } from './serving.ts';

/** What of a publication the server hands on besides answering routes: the explorer, cards and bulk files. */
const HANDED_ON =
  /^(index\.html|publication\.json|(explorer|cards|bulk)(\/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)+)$/;

/** Asked for each time, and answered without a body where nothing changed. */
const FRESH = { 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' };

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
  { bodies, now }: Pick<Serving, 'bodies' | 'now'>,
): void {
  const files = new PublishedFiles(archive, now);
  const handOn = (context: Context<Env>, key: string): Response | Promise<Response> => {
    const known = files.findKept(key);
    const hand = (file: Sendable) => send(context, bodies, file, headersOf(key));
    return known ? hand(known) : files.read(key).then(hand);
  };
  mount('/', (context) => handOn(context, 'index.html'));
  for (const path of ['/index.html', '/publication.json', '/explorer/*', '/cards/*', '/bulk/*'])
    mount(path, (context) => handOn(context, context.req.path.slice(1)));
}

function headersOf(key: string): Readonly<Record<string, string>> {
  return key === 'index.html' ? { ...FRESH, 'Content-Security-Policy': EXPLORER_POLICY } : FRESH;
}

/** Bytes of files that are kept, all together and of one. */
const MOST_KEPT = 32 * 1024 * 1024;
const LARGEST_KEPT = 1024 * 1024;

interface PublishedFile extends Sendable {
  body: Uint8Array<ArrayBuffer>;
}

/** A file of a bucket is kept so long: to ask whether it still stands costs as much as to read it. */
const KEPT_MS = 5_000;

/**
 * Published files as they are handed on; those asked for lately are kept for as long as their bytes stay the same, of a
 * bucket for a few seconds.
 */
class PublishedFiles {
  readonly #archive: ObjectReader;
  readonly #stamp: (key: string) => string | undefined;
  readonly #kept = new LRUCache<string, PublishedFile & { stamp: string }>({
    maxSize: MOST_KEPT,
    maxEntrySize: LARGEST_KEPT,
    sizeCalculation: ({ body }) => body.byteLength + 1,
  });

  constructor(archive: ObjectReader, now: () => Instant) {
    this.#archive = archive;
    this.#stamp = (key) => (archive.stamp ? archive.stamp(key) : String(Math.floor(now() / KEPT_MS)));
  }

  /** A file that is kept and still stands. */
  findKept(key: string): PublishedFile | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#stamp(key) === kept.stamp ? kept : undefined;
  }

  /** @throws ForemarkError not_found */
  async read(key: string): Promise<PublishedFile> {
    const isOurs = HANDED_ON.test(key);
    // Before its bytes: what is published meanwhile differs from it.
    const stamp = isOurs ? this.#stamp(key) : undefined;
    const bytes = isOurs ? await this.#archive.read(key) : undefined;
    if (!bytes) throw new ForemarkError('not_found', 'there is nothing at this path');
    const body = new Uint8Array(key === OUTLET_KEY ? ofServer(bytes) : bytes);
    const file = { body, digest: digestOf(body), type: mediaTypeOf(key) };
    if (stamp !== undefined) this.#kept.set(key, { ...file, stamp });
    return file;
  }
}

/** What the explorer is told of its outlet, where that is this server. */
function ofServer(published: Buffer): Buffer {
  const { label, cards, bulk } = JSON.parse(published.toString()) as OutletExtras;
  return Buffer.from(JSON.stringify(outletBody('server', { label, cards, bulk })));
}
