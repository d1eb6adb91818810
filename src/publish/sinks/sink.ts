import type { ObjectReader } from '../../store/archive/archive.ts';

/** Metadata of an object. A sink that cannot keep it (a folder) ignores it. */
export interface ObjectMetadata {
  content_type?: string;
  cache_control?: string;
  content_encoding?: string;
  /** Number of the generation that a document of the live tree was written for. */
  generation?: string;
}

/** The condition of a write: nothing is there yet, or what is there has this ETag. */
export type WriteCondition = { absent: true } | { etag: string };

/** An object. Its ETag changes with its bytes, and is otherwise up to the sink. */
export interface FoundObject {
  body: Buffer;
  etag: string;
  metadata: ObjectMetadata;
}

/**
 * A place to publish to. Each kind is one file, listed in sinks.ts. Readers see the old bytes of a key or the new ones, never
 * a mixture. Problems with the place itself are thrown as sink_unavailable.
 */
export interface Sink extends ObjectReader {
  /** Its address, for people. */
  readonly place: string;
  /** How many concurrent requests are worthwhile. */
  readonly width: number;
  /** What a request costs in US dollars at list prices; 0 if it is free. */
  readonly prices: { readonly write: number; readonly read: number };
  /** The object under a key with its ETag and metadata, or undefined when there is none. */
  find(key: string): Promise<FoundObject | undefined>;
  /**
   * Puts bytes under a key. A write with a barrier is durable when it returns and never survives a power cut without all
   * writes before it; a bucket keeps everything that it has confirmed anyway.
   *
   * @returns the new ETag, or undefined when the condition did not hold and nothing was written
   */
  write(
    key: string,
    body: Buffer,
    options?: { metadata?: ObjectMetadata; condition?: WriteCondition; barrier?: boolean },
  ): Promise<string | undefined>;
  /**
   * Puts the bytes under one key under another one too, without sending them.
   *
   * @returns false when nothing was done, and the bytes have to be written
   */
  link?(from: string, to: string): Promise<boolean>;
  /** The keys with a prefix, in the order of their bytes; may include leftovers of a killed write. */
  list(prefix: string): AsyncIterable<string>;
  /**
   * The keys with a prefix, and their ETags without quotes. Absent where writes may be lost in a power cut: there a listed
   * key proves nothing.
   */
  listEtags?(prefix: string): AsyncIterable<{ key: string; etag: string }>;
  /** Removes what killed writes left directly in folders; absent where they leave nothing. */
  removeLeftovers?(...folders: string[]): Promise<void>;
  /** Removes keys; a missing one is no error. */
  remove(...keys: string[]): Promise<void>;
  /**
   * Removes keys where a removal may be delayed or retried; absent where it is immediate.
   *
   * @param check is called before each attempt, and throws when the keys are to stay
   */
  removeWhile?(check: () => Promise<void>, keys: readonly string[]): Promise<void>;
  /**
   * Resolves when every {@link removeWhile} that anybody has requested so far is over; absent where that is absent.
   */
  removalsOver?(): Promise<void>;
}
