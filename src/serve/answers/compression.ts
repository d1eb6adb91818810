import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import { LRUCache } from 'lru-cache';

/** A shorter body gains nothing from being compressed. */
const SHORTEST = 1024;

/** Compressing a longer one costs more processor time than the transfer saves. */
const LONGEST = 16 * 1024 * 1024;

/** Size of the cache of compressed bodies, in bytes. */
const MOST_KEPT = 64 * 1024 * 1024;

/** The encodings that bodies are sent in. */
export type Encoding = 'br' | 'gzip';

const COMPRESS: Record<Encoding, (body: string | Uint8Array) => Promise<Buffer<ArrayBuffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body),
};

/** Whether the length of a body makes compression worthwhile. */
export function isWorthCompressing({ length }: { length: number }): boolean {
  return length >= SHORTEST && length <= LONGEST;
}

type Read = () => string | Uint8Array | Promise<Uint8Array>;

/** Compresses bodies off the main thread and caches them by digest. */
export class CompressedBodies {
  readonly #kept = new LRUCache<string, Buffer<ArrayBuffer>>({
    maxSize: MOST_KEPT,
    sizeCalculation: (body) => body.byteLength,
  });
  readonly #underWay = new Map<string, Promise<Buffer<ArrayBuffer>>>();

  /**
   * A body in an encoding, at once if it is in the cache.
   *
   * @param digest of the uncompressed body
   * @param read gives the uncompressed body, which is only needed if it is not in the cache
   */
  find(encoding: Encoding, digest: string, read: Read): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> {
    const name = `${encoding} ${digest}`;
    return this.#kept.get(name) ?? this.#underWay.get(name) ?? this.#compress(name, encoding, read);
  }

  #compress(name: string, encoding: Encoding, read: Read): Promise<Buffer<ArrayBuffer>> {
    const body = read();
    const made = (body instanceof Promise ? body.then(COMPRESS[encoding]) : COMPRESS[encoding](body))
      .then((shorter) => {
        this.#kept.set(name, shorter);
        return shorter;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, made);
    return made;
  }
}

/**
 * The encoding with the highest weight of an Accept-Encoding header, brotli before gzip among equals; undefined if none is
 * accepted, or a body as it is has a higher weight.
 */
export function preferredEncoding(header = ''): Encoding | undefined {
  const weights = new Map(parseAccept(header.toLowerCase()).map(({ type, q }) => [type, q]));
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  const best = Math.max(br, gz);
  if (best === 0 || best < (weights.get('identity') ?? 0)) return undefined;
  return br === best ? 'br' : 'gzip';
}
