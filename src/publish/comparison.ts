import { ForemarkError } from '../model/errors.ts';
import { objectKey } from '../store/archive/archive.ts';
import { digestOf } from './archive/digest.ts';
import type { DigestChange } from './archive/digest-change.ts';
import type { DigestTable } from './archive/digest-table.ts';
import { hasVariants } from './tree/variants.ts';

/** Bytes of changed documents kept in memory until the tree is written; the rest is read back from the archive. */
const HELD_BYTES = 256 * 1024 * 1024;

/**
 * A document to be published: its bytes, or the digest of bytes that the archive already has, or a mark that it is
 * unchanged since the last generation. `expected` marks bytes that should have turned out unchanged.
 */
export type PublishDocument =
  | { key: string; body: Buffer | string; expected?: 'unchanged' }
  | { key: string; sha256: string }
  | { key: string; unchanged: true };

/** Documents, produced one by one so that they need not all be in memory. */
export type DocumentSource = Iterable<PublishDocument> | AsyncIterable<PublishDocument>;

interface NewObject {
  key: string;
  body: Buffer;
}

/** Compares the documents of a new generation, as they are produced, with those of its predecessor. */
export class Comparison {
  /** Digests by key: those of the predecessor, updated as documents come in. */
  readonly digests: DigestTable;
  /** Bytes of changed documents, by digest, as far as they are kept in memory. */
  readonly held = new Map<string, Buffer>();
  /** Digests of the bytes that are new to the archive. */
  readonly fresh = new Set<string>();
  /** Keys of documents that changed although they were expected not to. */
  readonly unexpected: string[] = [];
  documents = 0;
  bytesWritten = 0;
  /** How many changed documents are worth a precompressed form. */
  worthPacking = 0;
  /** By entry of the predecessor: 1 once its document came in. */
  readonly #came: Uint8Array;
  /** Entries of the documents that changed. */
  readonly #changed: number[] = [];
  readonly #progress: (documents: number) => void;
  #room: number;

  /**
   * @param digests of the predecessor, by key; updated to those of the new generation
   * @param progress is called with the number of documents so far
   * @param holds whether to keep bytes in memory for the tree; unnecessary where the tree links to the archive
   */
  constructor(digests: DigestTable, progress: (documents: number) => void, holds: boolean) {
    this.digests = digests;
    this.#room = holds ? HELD_BYTES : 0;
    this.#came = new Uint8Array(digests.entries);
    this.#progress = progress;
  }

  /** The objects that are new to the archive. Each key must come once. */
  async *eachNewObject(sources: readonly DocumentSource[]): AsyncGenerator<NewObject> {
    for (const source of sources) {
      // Most documents are unchanged, and awaiting each takes longer than comparing it.
      if (Symbol.iterator in source)
        for (const document of source) {
          const object = this.#take(document);
          if (object) yield object;
        }
      else
        for await (const document of source) {
          const object = this.#take(document);
          if (object) yield object;
        }
    }
  }

  /** The changes from the predecessor, once all documents came in. */
  end(): DigestChange {
    const remove: string[] = [];
    for (const [entry, came] of this.#came.entries()) {
      const key = came ? undefined : this.digests.keyAt(entry);
      if (key !== undefined) remove.push(key);
    }
    for (const key of remove) this.digests.delete(key);
    const [digests, changed] = [this.digests, this.#changed];
    const write = { size: changed.length, [Symbol.iterator]: () => digests.pick(changed) };
    return { write, remove };
  }

  #take(document: PublishDocument): NewObject | undefined {
    const { key } = document;
    if (++this.documents % 500 === 0) this.#progress(this.documents);
    const entry = this.digests.entryOf(key);
    // A typed array ignores writes beyond its end: the entries of new documents.
    if (entry !== undefined) this.#came[entry] = 1;
    if ('unchanged' in document) return this.#refuseUnknown(key, entry);
    const sha256 = 'body' in document ? digestOf(document.body) : document.sha256;
    if (entry !== undefined && this.digests.sha256At(entry) === sha256) return undefined;
    if ('expected' in document) this.unexpected.push(key);
    this.#changed.push(this.digests.set(key, sha256));
    return 'body' in document ? this.#keep(key, sha256, Buffer.from(document.body)) : undefined;
  }

  #refuseUnknown(key: string, entry: number | undefined): undefined {
    if (entry === undefined)
      throw new ForemarkError(
        'internal_error',
        `${key} is said to be unchanged, but the generation before does not have it`,
      );
  }

  #keep(key: string, sha256: string, body: Buffer): NewObject | undefined {
    this.bytesWritten += body.byteLength;
    if (hasVariants(key, body)) this.worthPacking++;
    if (body.byteLength <= this.#room) {
      this.#room -= body.byteLength;
      this.held.set(sha256, body);
    }
    if (this.fresh.has(sha256)) return undefined;
    this.fresh.add(sha256);
    return { key: objectKey(sha256), body };
  }
}
