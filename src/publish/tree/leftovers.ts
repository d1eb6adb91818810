import { atOnce } from '../../model/at-once.ts';
import { memoized } from '../../model/memoized.ts';
import { objectKey } from '../../store/archive/archive.ts';
import type { DigestTable } from '../archive/digest-table.ts';
import { md5Etag } from '../sinks/s3-answers.ts';
import type { Sink } from '../sinks/sink.ts';

/**
 * What an interrupted publish left in a sink, found from the sink's own lists. The next publish continues from there;
 * otherwise one that exceeds its deadline would never finish.
 */
export class Leftovers {
  readonly #list: NonNullable<Sink['listEtags']>;
  readonly #width: number;
  readonly #etagsIn = memoized((folder: string) => this.#listFolder(folder));

  /** @param width how many folders are listed at once */
  constructor(list: NonNullable<Sink['listEtags']>, width: number) {
    this.#list = list;
    this.#width = width;
  }

  /** Whether the archive already has these bytes under a key. */
  async holds(key: string, body: Buffer): Promise<boolean> {
    return (await this.#etagOf(key)) === md5Etag(body);
  }

  /**
   * Removes from what is to be written the documents that the tree already has. Equal ETags mean equal bytes; encrypted
   * objects never have equal ones.
   *
   * @param write digests by key
   * @param tree ETags by key
   */
  async leaveOut(write: DigestTable, tree: ReadonlyMap<string, string>): Promise<void> {
    await atOnce(this.#width, write, async ([key, sha256]) => {
      const etag = tree.get(key);
      if (etag !== undefined && etag === (await this.#etagOf(objectKey(sha256)))) write.delete(key);
    });
  }

  /** The ETag of an object, without quotes. Each folder is listed once, when it is first asked about. */
  async #etagOf(key: string): Promise<string | undefined> {
    const etags = await this.#etagsIn(key.slice(0, key.lastIndexOf('/') + 1));
    return etags.get(key);
  }

  async #listFolder(folder: string): Promise<ReadonlyMap<string, string>> {
    const etags = new Map<string, string>();
    for await (const { key, etag } of this.#list(folder)) etags.set(key, etag);
    return etags;
  }
}
