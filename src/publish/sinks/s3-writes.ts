import { ForemarkError } from '../../model/errors.ts';
import { isMissing, md5Etag, needsAnotherTry, statusOf } from './s3-answers.ts';
import type { Bucket, ConditionHeaders } from './s3-bucket.ts';
import type { ObjectMetadata, WriteCondition } from './sink.ts';

/** Writes to a bucket, each of which is known to have happened or not. */
export class BucketWrites {
  readonly #bucket: Bucket;
  /** Some servers only recognize an ETag without its quotes. */
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

  /** Reads back after a write that may or may not have happened: a lost answer looks like a refusal. */
  async #putIf(
    key: string,
    body: Buffer,
    metadata: ObjectMetadata,
    condition: WriteCondition,
  ): Promise<string | undefined> {
    const bucket = this.#bucket;
    const until = bucket.until();
    let bare = this.#bareEtags;
    let awaited = condition;
    for (let tries = 1; ; tries++) {
      try {
        const etag = await bucket.put(key, body, metadata, until, headersOf(awaited, bare));
        this.#bareEtags = bare;
        // If the bytes were damaged, what stands is our own write, to be replaced by another try.
        awaited = { etag };
        return await this.#checkKept(key, body, etag);
      } catch (thrown) {
        if (thrown instanceof ForemarkError) throw thrown;
        const refused = statusOf(thrown) === 412 || ('etag' in awaited && isMissing(thrown));
        if (!refused && !needsAnotherTry(thrown)) throw bucket.unavailable(thrown, until);
        const standing = await bucket.find(key);
        if (standing?.body.equals(body)) return standing.etag;
        const holds = 'absent' in awaited ? !standing : standing?.etag === awaited.etag;
        if (!holds) return undefined;
        // A condition that holds was refused: the server may want the ETag without its quotes.
        if (refused) bare = !bare;
        await bucket.pause(tries, until, refused ? undefined : thrown);
      }
    }
  }

  /**
   * A store that ignores conditions would let publishers overwrite each other. To find out, creates the same object again,
   * once in an archive's life. Only 412 is a refusal; any other failure shows nothing.
   *
   * @throws ForemarkError sink_unavailable when that succeeds; the object is removed, so that the next publish checks too
   */
  async #checkRefused(key: string, body: Buffer, metadata: ObjectMetadata): Promise<void> {
    const bucket = this.#bucket;
    const isRefused = await bucket.again(async (until) => {
      try {
        await bucket.put(key, body, metadata, until, headersOf({ absent: true }, false));
        return false;
      } catch (thrown) {
        if (statusOf(thrown) === 412) return true;
        throw thrown;
      }
    });
    if (isRefused) return;
    await bucket.remove([key]);
    throw new ForemarkError(
      'sink_unavailable',
      `${bucket.address}: the store replaced ${key}, though it was to be written only if missing; without conditional writes publishers would overwrite each other`,
    );
  }

  /** Checks that what was stored is what was sent: the ETag of most servers is the MD5 of the bytes. */
  async #checkKept(key: string, body: Buffer, etag: string): Promise<string> {
    const expected = md5Etag(body);
    if (etag.replaceAll('"', '') === expected || !/^"?[0-9a-f]{32}"?$/.test(etag)) return etag;
    // With KMS encryption the ETag is no MD5, so a difference alone proves nothing.
    const kept = await this.#bucket.find(key);
    if (kept?.body.equals(body)) return kept.etag;
    throw new Error(`${key} was stored with other bytes than were sent`);
  }
}

function headersOf(condition: WriteCondition, bare: boolean): ConditionHeaders {
  if ('absent' in condition) return { IfNoneMatch: '*' };
  return { IfMatch: bare ? condition.etag.replaceAll('"', '') : condition.etag };
}
