import { ForemarkError } from '../../model/errors.ts';
import { isMissing, md5Etag, needsAnotherTry, statusOf } from './s3-answers.ts';
import type { Bucket, ConditionHeaders } from './s3-bucket.ts';
import type { ObjectMetadata, WriteCondition } from './sink.ts';

/** Writes to a bucket: each is known to have counted, or not to. */
export class BucketWrites {
  readonly #bucket: Bucket;
  /** Some servers take an ETag in quotes for another one than without. */
  #bareEtags = false;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Puts bytes under a key. @returns their ETag */
  write(key: string, body: Buffer, metadata: ObjectMetadata): Promise<string> {
    return this.#bucket.again(async (until) =>
      this.#checkKept(key, body, await this.#bucket.put(key, body, metadata, until)),
    );
  }

  /** Puts bytes under a key if a condition holds. @returns their ETag; undefined when it does not hold */
  async writeIf(
    key: string,
    body: Buffer,
    metadata: ObjectMetadata,
    condition: WriteCondition,
  ): Promise<string | undefined> {
    const etag = await this.#putIf(key, body, metadata, condition);
    if (etag !== undefined && 'absent' in condition) await this.#checkRefused(key, body, metadata);
    return etag;
  }

  /** A write that may or may not have counted is settled by reading back, for a lost answer looks like a refusal. */
  async #putIf(
    key: string,
    body: Buffer,
    metadata: ObjectMetadata,
    condition: WriteCondition,
  ): Promise<string | undefined> {
    const bucket = this.#bucket;
    const until = bucket.until();
    let bare = this.#bareEtags;
    for (let tries = 1; ; tries++) {
      try {
        const etag = await bucket.put(key, body, metadata, until, headersOf(condition, bare));
        this.#bareEtags = bare;
        return etag;
      } catch (thrown) {
        const refused = statusOf(thrown) === 412 || isMissing(thrown);
        if (!refused && !needsAnotherTry(thrown)) throw bucket.unavailable(thrown, until);
        const standing = await bucket.find(key);
        if (standing?.body.equals(body)) return standing.etag;
        const holds = 'absent' in condition ? !standing : standing?.etag === condition.etag;
        if (!holds) return undefined;
        // It said no to a condition that holds: it may want the ETag without its quotes.
        if (refused) bare = !bare;
        await bucket.pause(tries, until, refused ? undefined : thrown);
      }
    }
  }

  /**
   * A store that takes no notice of conditions lets publishers overwrite each other: what was created must not be created
   * again. Asked once an archive, with the same bytes.
   *
   * @throws ForemarkError sink_unavailable when it was; it is taken away, so that the next publish asks too
   */
  async #checkRefused(key: string, body: Buffer, metadata: ObjectMetadata): Promise<void> {
    const bucket = this.#bucket;
    try {
      await bucket.put(key, body, metadata, bucket.until(), headersOf({ absent: true }, false));
    } catch {
      return;
    }
    await bucket.remove([key]);
    throw new ForemarkError(
      'sink_unavailable',
      `${bucket.place}: the store creates ${key} though it stands: without conditional writes publishers would overwrite each other`,
    );
  }

  /** What was sent must be what is kept: most servers call an object by the MD5 of its bytes. */
  async #checkKept(key: string, body: Buffer, etag: string): Promise<string> {
    const expected = md5Etag(body);
    if (etag.replaceAll('"', '') === expected || !/^"?[0-9a-f]{32}"?$/.test(etag)) return etag;
    // Under encryption with a key service the ETag is no MD5, so a difference alone proves nothing.
    const kept = await this.#bucket.find(key);
    if (kept?.body.equals(body)) return kept.etag;
    throw new Error(`${key} was kept with other bytes than were sent`);
  }
}

function headersOf(condition: WriteCondition, bare: boolean): ConditionHeaders {
  if ('absent' in condition) return { IfNoneMatch: '*' };
  return { IfMatch: bare ? condition.etag.replaceAll('"', '') : condition.etag };
}
