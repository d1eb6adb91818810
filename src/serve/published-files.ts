import { buffer } from 'node:stream/consumers';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { mediaTypeOf } from '../routes/media-types.ts';
import { outletBody } from '../routes/outlet.ts';
import { OUTLET_KEY, type OutletExtras } from '../routes/page-files.ts';
import type { ObjectReader, OpenObject, Stamp } from '../store/archive/archive.ts';
import { RANGES_OFFERED } from './answers/byte-range.ts';
import type { CompressedBodies } from './answers/compression.ts';
import { digestOf, digestOfStream } from './answers/entity-tag.ts';
import { type Sendable, send } from './answers/send.ts';
import { type Env, type Mount, reply } from './request-context.ts';

/**
 * The published files that the server passes on: the explorer, cards and bulk files. The pattern limits the number and
 * length of their parts, because a key that no file system or bucket accepts would look like a failure of theirs.
 */
const PASSED_ON =
  /^(index\.html|publication\.json|(explorer|cards|bulk)(\/[A-Za-z0-9_~-][A-Za-z0-9_~.-]{0,199}){1,4})$/;

/** Revalidated on each use; unchanged files are answered with 304. */
const FRESH = { 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' };

/** The explorer runs its own script, asks its own origin, and may not be framed. */
const EXPLORER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the published explorer at the root, with the cards and bulk files that it shows. Its outlet.json is replaced,
 * so that it knows that a server answers, which can also search.
 *
 * @param archive what was published
 */
export function addPublishedFiles(mount: Mount, archive: ObjectReader, bodies: CompressedBodies): void {
  const files = new PublishedFiles(archive);
  const handOn = (context: Context<Env>, key: string): Response | Promise<Response> => {
    const known = files.findCached(key);
    const hand = (file: Sendable) => send(context, bodies, file, headersOf(key));
    return known ? hand(known) : files.find(key).then(hand);
  };
  mount('/', (context) => handOn(context, 'index.html'));
  // Where people look for it: the page is at the root, its files are in that folder.
  for (const path of ['/explorer', '/explorer/'])
    mount(path, (context) => reply(context, null, 308, { ...FRESH, Location: '/' }));
  for (const path of ['/index.html', '/publication.json', '/explorer/*', '/cards/*', '/bulk/*'])
    mount(path, (context) => handOn(context, context.req.path.slice(1)));
}

function headersOf(key: string): Readonly<Record<string, string>> {
  if (key.startsWith('bulk/')) return { ...FRESH, ...RANGES_OFFERED };
  return key === 'index.html' ? { ...FRESH, 'Content-Security-Policy': EXPLORER_POLICY } : FRESH;
}

/** Sizes of the cache and of the largest file in it, in bytes. */
const MOST_KEPT = 32 * 1024 * 1024;
const LARGEST_KEPT = 1024 * 1024;
/** The same for a bucket, whose files are read whole for each answer that the cache cannot give. */
const LARGEST_KEPT_OF_BUCKET = 8 * 1024 * 1024;
/** Large files whose digest is remembered. */
const MOST_DIGESTS = 1_000;

/** A cached file is served this long before a check whether it changed, which takes a fifth of an answer's time. */
const RECHECK_MS = 100;

/** The same for a bucket, where a check costs as much as reading the file. */
const RECHECK_IN_BUCKET_MS = 5_000;

interface KeptFile {
  file: Sendable;
  stamp: Stamp | undefined;
  /** When it was last checked, in process time, since the clock may be fixed. */
  seen: number;
}

/** Reads published files, and caches them for as long as they stay the same. */
class PublishedFiles {
  readonly #archive: ObjectReader;
  readonly #recheckMs: number;
  readonly #kept: LRUCache<string, KeptFile>;

  /** Digests of large files, by key and stamp. */
  readonly #digests = new LRUCache<string, string>({ max: MOST_DIGESTS });

  constructor(archive: ObjectReader) {
    this.#archive = archive;
    this.#recheckMs = archive.stamp ? RECHECK_MS : RECHECK_IN_BUCKET_MS;
    this.#kept = new LRUCache({
      maxSize: MOST_KEPT,
      maxEntrySize: archive.open ? LARGEST_KEPT : LARGEST_KEPT_OF_BUCKET,
      sizeCalculation: ({ file }) => file.body.length + 1,
    });
  }

  /** A cached file that has not changed. */
  findCached(key: string): Sendable | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const now = performance.now();
    if (now - kept.seen < this.#recheckMs) return kept.file;
    if (kept.stamp === undefined || kept.stamp.version !== this.#archive.stamp?.(key)?.version)
      return undefined;
    kept.seen = now;
    return kept.file;
  }

  /**
   * A file: whole, or opened if it is too large to be cached.
   *
   * @throws ForemarkError not_found
   */
  async find(key: string): Promise<Sendable> {
    const file = PASSED_ON.test(key) ? await this.#read(key) : undefined;
    if (!file) throw new ForemarkError('not_found', 'there is nothing at this path');
    return file;
  }

  async #read(key: string): Promise<Sendable | undefined> {
    // Before reading, so that what is published meanwhile is noticed at the next check.
    const seen = performance.now();
    if (!this.#archive.open) {
      const bytes = await this.#archive.read(key);
      return bytes && this.#keep(key, bytes, { stamp: undefined, seen });
    }
    const opened = await this.#archive.open(key);
    if (!opened) return undefined;
    const close = () => void opened.close();
    try {
      if (opened.size > LARGEST_KEPT) return await this.#describe(key, opened, close);
      const bytes = await buffer(opened.read());
      close();
      return this.#keep(key, bytes, { stamp: opened.stamp, seen });
    } catch (thrown) {
      close();
      throw thrown;
    }
  }

  #keep(key: string, bytes: Buffer, { stamp, seen }: Omit<KeptFile, 'file'>): Sendable {
    const body = key === OUTLET_KEY ? outletOfServer(bytes) : new Uint8Array(bytes);
    // A newer server may say something else in its outlet.json, so this has no date.
    const last_modified = stamp && key !== OUTLET_KEY ? httpDate(stamp.modified_at) : undefined;
    const file = { body, digest: digestOf(body), last_modified, type: mediaTypeOf(key) };
    this.#kept.set(key, { file, stamp, seen });
    return file;
  }

  /** A large file, which stays open until it is sent. It is only read to be hashed if this version is not known yet. */
  async #describe(key: string, { size, stamp, read }: OpenObject, close: () => void): Promise<Sendable> {
    const version = `${key} ${stamp.version}`;
    const digest = this.#digests.get(version) ?? (await digestOfStream(read()));
    this.#digests.set(version, digest);
    const last_modified = httpDate(stamp.modified_at);
    return { body: { length: size, read, close }, digest, last_modified, type: mediaTypeOf(key) };
  }
}

function httpDate(at: Instant): string {
  return new Date(at).toUTCString();
}

/** The outlet.json for an explorer that this server answers. */
function outletOfServer(published: Buffer): Uint8Array<ArrayBuffer> {
  const extras: OutletExtras = JSON.parse(published.toString());
  return new Uint8Array(Buffer.from(JSON.stringify(outletBody('server', extras))));
}
