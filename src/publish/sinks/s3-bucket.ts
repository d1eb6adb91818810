import { setTimeout } from 'node:timers/promises';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { chunksOf } from '../../model/chunks.ts';
import { ForemarkError } from '../../model/errors.ts';
import { given } from '../../model/given.ts';
import { isAbort, isMissing, NO_S3, needsAnotherTry, reasonOf } from './s3-answers.ts';
import { createClient, type S3Options, type Sdk } from './s3-client.ts';
import { FastPuts } from './s3-fast-puts.ts';
import type { FoundObject, ObjectMetadata } from './sink.ts';

/** The end of an operation, as the SDK takes it. */
export interface Until {
  abortSignal: AbortSignal;
}

/** A condition as the SDK takes it. */
export type ConditionHeaders = { IfNoneMatch: '*' } | { IfMatch: string };

/** The most keys that one batch of removals may name. */
const REMOVED_AT_ONCE = 1_000;
/** Time limit of one attempt at a fenced removal, so that others can wait until it is over. */
const REMOVAL_MS = 45_000;
/** The bucket may continue a removal after we gave up. It is considered over after this many times the limit. */
const OVER_AFTER = 4 / 3;
/** The first and the longest pause between our own attempts. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A problem is reported at most this often. */
const REPORTED_EVERY_MS = 30_000;

/** Opens a bucket. Credentials come by the SDK's own chain. */
export async function openBucket(options: S3Options): Promise<Bucket> {
  // Loaded here, so that only publishing to a bucket pays for it.
  return new Bucket(await import('@aws-sdk/client-s3'), options);
}

/**
 * Requests to a bucket, or to the part of one below a prefix. Whatever may be temporary is retried until the deadline, except
 * in {@link put}, whose caller knows what to do about a write that may or may not have happened.
 *
 * @throws ForemarkError sink_unavailable once the deadline is over or the bucket refuses
 */
export class Bucket {
  /** Its address, for people. */
  readonly place: string;
  /** The same with the endpoint, if that is not the default. */
  readonly address: string;
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #fastPuts: FastPuts;
  readonly #name: string;
  /** The prefix of every key. */
  readonly #root: string;
  readonly #deadline: () => AbortSignal;
  readonly #removalMs: number;
  readonly #tell: (text: string) => void;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** Batch removals need a checksum everywhere: MD5 where the store does not support the SDK's. */
  readonly #checksum: { ChecksumAlgorithm?: 'MD5' };

  constructor(sdk: Sdk, options: S3Options) {
    this.#sdk = sdk;
    this.#client = createClient(sdk, options);
    this.#fastPuts = new FastPuts(this.#client);
    this.#name = options.bucket;
    this.#root = options.prefix === '' ? '' : `${options.prefix}/`;
    this.#deadline = options.deadline;
    this.#removalMs = options.removal_ms ?? REMOVAL_MS;
    this.#checksum = options.checksums === 'when_required' ? { ChecksumAlgorithm: 'MD5' } : {};
    this.place = `s3://${options.bucket}/${this.#root}`;
    this.address = options.endpoint === undefined ? this.place : `${this.place} at ${options.endpoint}`;
    this.#tell = options.tell ?? (() => {});
  }

  /** The deadline of an operation that begins now. */
  until(): Until {
    return { abortSignal: this.#deadline() };
  }

  /** The object under a key, or undefined when there is none. */
  find(key: string): Promise<FoundObject | undefined> {
    return this.again(async (until) => {
      try {
        const answer = await this.#client.send(new this.#sdk.GetObjectCommand(this.#at(key)), until);
        if (answer.ETag === undefined) throw this.#withoutEtag(key, answer.ContentType);
        return await readAnswer(answer);
      } catch (thrown) {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      }
    });
  }

  /** One request to put bytes under a key. @returns the ETag that the bucket gives them @throws what the SDK throws */
  async put(
    key: string,
    Body: Buffer,
    metadata: ObjectMetadata,
    until: Until,
    condition?: ConditionHeaders,
  ): Promise<string> {
    const kept = condition ? undefined : await this.#fastPuts.put(this.#root + key, Body, metadata, until);
    if (kept !== undefined) return kept;
    const command = new this.#sdk.PutObjectCommand({
      ...this.#at(key),
      Body,
      ContentLength: Body.byteLength,
      ...given({
        ContentType: metadata.content_type,
        CacheControl: metadata.cache_control,
        ContentEncoding: metadata.content_encoding,
        Metadata: metadata.generation === undefined ? undefined : { generation: metadata.generation },
      }),
      ...condition,
    });
    const answer = await this.#client.send(command, until);
    if (answer.ETag === undefined) throw this.#withoutEtag(key);
    return answer.ETag;
  }

  /** The keys that begin with a prefix, with their ETags without quotes. */
  async *list(prefix: string): AsyncGenerator<{ key: string; etag: string }> {
    let token: string | undefined;
    do {
      const page = await this.again((until) =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            Bucket: this.#name,
            Prefix: this.#root + prefix,
            ...given({ ContinuationToken: token }),
          }),
          until,
        ),
      );
      for (const { Key, ETag = '' } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key.slice(this.#root.length), etag: ETag.replaceAll('"', '') };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /**
   * Removes keys.
   *
   * @param check is called before each attempt; what it throws ends the removal. See {@link removalsOver}
   */
  async remove(keys: readonly string[], check?: () => Promise<void>): Promise<void> {
    for (const batch of chunksOf(keys, REMOVED_AT_ONCE)) {
      const Objects = batch.map((key) => ({ Key: this.#root + key }));
      await this.again(async (until) => {
        await check?.();
        const Delete = { Objects, Quiet: true };
        const command = new this.#sdk.DeleteObjectsCommand({ Bucket: this.#name, Delete, ...this.#checksum });
        const { Errors = [] } = await (check
          ? this.#sendBriefly((brief) => this.#client.send(command, brief), until)
          : this.#client.send(command, until));
        if (Errors[0]) throw new Error(`${Errors[0].Key} could not be removed: ${Errors[0].Code}`);
      });
    }
  }

  /** Waits until all checked removals that anybody requested so far are over. */
  removalsOver(): Promise<void> {
    return this.#wait(this.#removalMs * OVER_AFTER, this.until());
  }

  async #sendBriefly<T>(send: (brief: Until) => Promise<T>, { abortSignal }: Until): Promise<T> {
    const limit = AbortSignal.timeout(this.#removalMs);
    try {
      return await send({ abortSignal: AbortSignal.any([abortSignal, limit]) });
    } catch (thrown) {
      if (abortSignal.aborted || !limit.aborted) throw thrown;
      throw new Error(`a batch of removals took longer than ${this.#removalMs / 1000} s`);
    }
  }

  /** Repeats an operation until it succeeds, cannot succeed, or its time is over. */
  async again<T>(work: (until: Until) => Promise<T>): Promise<T> {
    const until = this.until();
    let last: unknown;
    for (let tries = 1; ; tries++) {
      try {
        return await work(until);
      } catch (thrown) {
        if (thrown instanceof ForemarkError) throw thrown;
        // An attempt aborted by the deadline does not show what was wrong before.
        if (until.abortSignal.aborted) throw this.unavailable(last ?? thrown, until);
        if (!needsAnotherTry(thrown)) throw this.unavailable(thrown, until);
        last = thrown;
        await this.pause(tries, until, thrown);
      }
    }
  }

  /** Waits before another attempt. @param thrown why the last one failed, if it did */
  async pause(tries: number, until: Until, thrown?: unknown): Promise<void> {
    if (thrown !== undefined && performance.now() - this.#reportedAt >= REPORTED_EVERY_MS) {
      this.#reportedAt = performance.now();
      this.#tell(`${this.address}: ${reasonOf(thrown)}; retrying until publish.deadline_seconds have passed`);
    }
    await this.#wait(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS), until, thrown);
  }

  async #wait(ms: number, until: Until, thrown?: unknown): Promise<void> {
    try {
      await setTimeout(ms, undefined, { signal: until.abortSignal });
    } catch {
      throw this.unavailable(thrown, until);
    }
  }

  /** The error of an operation that was given up. @param cause why its last attempt failed, if it did */
  unavailable(cause: unknown, { abortSignal }: Until): ForemarkError {
    // The deadline aborts an attempt that is under way, which shows nothing.
    const last = cause === undefined || isAbort(cause) ? '' : reasonOf(cause);
    const over = 'the time limit has passed (publish.deadline_seconds)';
    const why = abortSignal.aborted ? [over, ...(last ? [`last: ${last}`] : [])].join('; ') : last;
    return new ForemarkError('sink_unavailable', `${this.address}: ${why}`, { cause });
  }

  /** S3 gives every object an ETag; a web server's page at the same address may have none, and nothing is stored by it. */
  #withoutEtag(key: string, type?: string): ForemarkError {
    const message = `${this.address}: ${key} was answered without an ETag${type ? ` (${type})` : ''}`;
    return new ForemarkError('sink_unavailable', `${message}, which ${NO_S3}`);
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#name, Key: this.#root + key };
  }
}

async function readAnswer(answer: GetObjectCommandOutput): Promise<FoundObject> {
  const body = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
  if (answer.ContentLength !== undefined && answer.ContentLength !== body.byteLength)
    throw new Error(`the answer ended after ${body.byteLength} of ${answer.ContentLength} bytes`);
  const metadata = given({
    content_type: answer.ContentType,
    cache_control: answer.CacheControl,
    content_encoding: answer.ContentEncoding,
    generation: answer.Metadata?.generation,
  });
  return { body, etag: answer.ETag ?? '', metadata };
}
