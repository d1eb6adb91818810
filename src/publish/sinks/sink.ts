/** A place that documents are published to: one file each, listed in sinks.ts. */
export interface Sink {
  /** Where it is, for people. */
  readonly place: string;
  /** The bytes under a key, or undefined when there are none. */
  read(key: string): Promise<Buffer | undefined>;
  /** Puts bytes under a key; a reader sees the old ones or the new ones, whole. */
  write(key: string, bytes: Buffer): Promise<void>;
  /** The keys in a folder and its folders, in any order; leftovers of a write that was cut off are among them. */
  list(folder: string): Promise<string[]>;
  /** Takes a key away; one that is not there is no error. */
  remove(key: string): Promise<void>;
}
