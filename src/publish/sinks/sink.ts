/** What is said about an object beside its bytes. A sink that cannot keep it (a folder) passes over it. */
export interface ObjectMetadata {
  content_type?: string;
  cache_control?: string;
  content_encoding?: string;
  /** Number of the generation that a document of the live tree was written for. */
  generation?: string;
}

/** Under which condition a write counts: nothing stands there yet, or what stands there has this ETag. */
export type WriteCondition = { absent: true } | { etag: string };

/** An object as it stands. The ETag is whatever the sink calls it by; it changes with the bytes. */
export interface FoundObject {
  body: Buffer;
  etag: string;
  metadata: ObjectMetadata;
}

/**
 * A place that documents are published to: one file each, listed in sinks.ts. A reader sees the old bytes of
 * a key or the new ones, whole. What is wrong with the place itself is thrown as sink_unavailable.
 */
export interface Sink {
  /** Where it is, for people. */
  readonly place: string;
  /** How many requests are worth having under way at once. */
  readonly width: number;
  /** What a request costs in US dollars at list prices; 0 where nobody charges. */
  readonly prices: { readonly write: number; readonly read: number };
  /** The bytes under a key, or undefined when there are none. */
  read(key: string): Promise<Buffer | undefined>;
  /** What differs when other bytes stand under a key, where that is to be had without reading them. */
  stamp?(key: string): string | undefined;
  /** The object under a key with its ETag and metadata, or undefined when there is none. */
  find(key: string): Promise<FoundObject | undefined>;
  /**
   * Puts bytes under a key. A barrier comes after all that was asked of this sink before, also where the power fails,
   * and lasts when the write returns; a bucket keeps all that it has confirmed.
   *
   * @returns the new ETag, or undefined when the condition did not hold and nothing was written
   */
  write(
    key: string,
    body: Buffer,
    options?: { metadata?: ObjectMetadata; condition?: WriteCondition; barrier?: boolean },
  ): Promise<string | undefined>;
  /**
   * Puts the bytes that lie under a key under another as well, where the place can do so without their being sent.
   *
   * @returns false when nothing was done, and the bytes have to be written
   */
  link?(from: string, to: string): Promise<boolean>;
  /** The keys that begin with a prefix, in the order of their bytes; among them leftovers of a killed write. */
  list(prefix: string): AsyncIterable<string>;
  /**
   * The keys that begin with a prefix, with their ETags without quotes. Absent where what was written may not last:
   * there a key that is listed proves nothing.
   */
  listEtags?(prefix: string): AsyncIterable<{ key: string; etag: string }>;
  /** Takes keys away; one that is not there is no error. */
  remove(...keys: string[]): Promise<void>;
  /**
   * Takes keys away where that may be done later than it is asked for, or tried again. Absent where they are gone at once.
   *
   * @param check is asked before each try, and throws when they are to stay
   */
  removeWhile?(check: () => Promise<void>, keys: readonly string[]): Promise<void>;
  /**
   * Resolves when every removal is over that was asked of {@link removeWhile} so far, by anybody; absent where that
   * is absent.
   */
  removalsOver?(): Promise<void>;
}
