import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { ForemarkError } from '../model/errors.ts';
import { mediaTypeOf } from '../routes/media-types.ts';
import { outletBody } from '../routes/outlet.ts';
import { OUTLET_KEY, type OutletExtras } from '../routes/page-files.ts';
import type { ObjectReader } from '../store/archive/archive.ts';
import { digestOf } from './answers/entity-tag.ts';
import { type Sendable, send } from './answers/send.ts';
import type { Env, Handler } from './request-context.ts';
import type { Serving } from './serving.ts';

/**
 * What of a publication the server hands on besides answering routes: the explorer, cards and bulk files. No key of theirs
 * has longer or more parts; one that no file system or bucket takes would look like a fault of theirs.
 */
const HANDED_ON =
  /^(index\.html|publication\.json|(explorer|cards|bulk)(\/[A-Za-z0-9_~-][A-Za-z0-9_~.-]{0,199}){1,4})$/;

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
  { bodies }: Pick<Serving, 'bodies'>,
): void {
  const files = new PublishedFiles(archive);
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

/** So long a file is handed on without a look at whether it still stands, which takes a fifth of an answer's time. */
const UNLOOKED_MS = 100;

/** So long where a look costs as much as to read it, as in a bucket. */
const UNLOOKED_IN_BUCKET_MS = 5_000;

interface KeptFile {
  file: PublishedFile;
  stamp: string | undefined;
  /** When it was seen to stand, by the time that the process has run: the clock may be fixed, files are not. */
  seen: number;
}

/** Published files as they are handed on; those asked for lately are kept for as long as their bytes stay the same. */
class PublishedFiles {
  readonly #archive: ObjectReader;
  readonly #unlookedMs: number;
  readonly #kept = new LRUCache<string, KeptFile>({
    maxSize: MOST_KEPT,
    maxEntrySize: LARGEST_KEPT,
    sizeCalculation: ({ file }) => file.body.byteLength + 1,
  });

  constructor(archive: ObjectReader) {
    this.#archive = archive;
    this.#unlookedMs = archive.stamp ? UNLOOKED_MS : UNLOOKED_IN_BUCKET_MS;
  }

  /** A file that is kept and still stands. */
  findKept(key: string): PublishedFile | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const now = performance.now();
    if (now - kept.seen < this.#unlookedMs) return kept.file;
    if (kept.stamp === undefined || kept.stamp !== this.#archive.stamp?.(key)) return undefined;
    kept.seen = now;
    return kept.file;
  }

  /** @throws ForemarkError not_found */
  async read(key: string): Promise<PublishedFile> {
    const isOurs = HANDED_ON.test(key);
    // Before its bytes: what is published meanwhile differs from it.
    const seen = performance.now();
    const stamp = isOurs ? this.#archive.stamp?.(key) : undefined;
    const bytes = isOurs ? await this.#archive.read(key) : undefined;
    if (!bytes) throw new ForemarkError('not_found', 'there is nothing at this path');
    const body = new Uint8Array(key === OUTLET_KEY ? ofServer(bytes) : bytes);
    const file = { body, digest: digestOf(body), type: mediaTypeOf(key) };
    this.#kept.set(key, { file, stamp, seen });
    return file;
  }
}

/** What the explorer is told of its outlet, where that is this server. */
function ofServer(published: Buffer): Buffer {
  const extras: OutletExtras = JSON.parse(published.toString());
  return Buffer.from(JSON.stringify(outletBody('server', extras)));
}
