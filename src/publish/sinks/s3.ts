import { setTimeout } from 'node:timers/promises';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../model/config.ts';
import { ForemarkError } from '../../model/errors.ts';
import { isMissing, md5Etag, needsAnotherTry, reasonOf, statusOf } from './s3-answers.ts';
import type { FoundObject, ObjectMetadata, Sink, WriteCondition } from './sink.ts';

type S3Settings = NonNullable<Config['publish']['s3']>;

/** Tries that the SDK makes of one request by itself, before ours begin. */
const SDK_ATTEMPTS = 8;
/** The most keys that one batch of removals may name. */
const REMOVED_AT_ONCE = 1_000;
/** Waiting between our own tries: the first, and the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface S3Options extends S3Settings {
  /** Asked at the start of each operation for its end: once aborted, nothing is tried again. */
  deadline: () => AbortSignal;
  /** Tries of one request that the SDK makes by itself. */
  sdk_attempts?: number;
}

/**
 * A bucket, or a part of one below a prefix, behind the S3 API. Credentials come by the SDK's own chain.
 * Bodies are sent as buffers: several servers store the framing of a stream's checksum inside the object.
 * Whatever may pass is tried again until the deadline; a write that may or may not have counted is settled by
 * reading back, for a lost answer looks like a refusal.
 *
 * @throws ForemarkError sink_unavailable, from each of its functions, once the deadline is over or the
 *   bucket refuses
 */
export async function openS3Sink(options: S3Options): Promise<Sink> {
  // Loaded here, so that only who publishes to a bucket pays for it.
  const sdk = await import('@aws-sdk/client-s3');
  const { bucket, deadline } = options;
  const root = options.prefix === '' ? '' : `${options.prefix.replace(/\/+$/, '')}/`;
  const place = `s3://${bucket}/${root}`;
  const client = createClient(sdk, options);
  const at = (key: string) => ({ Bucket: bucket, Key: root + key });
  /** Some servers hold an ETag in quotes to be another one. */
  let bareEtags = false;

  const again = <T>(work: (until: Until) => Promise<T>) => untilDeadline(work, deadline(), place);
  const send = (key: string, Body: Buffer, metadata: ObjectMetadata, until: Until, condition: object = {}) =>
    client.send(
      new sdk.PutObjectCommand({
        ...at(key),
        Body,
        ContentLength: Body.byteLength,
        ...(metadata.content_type === undefined ? {} : { ContentType: metadata.content_type }),
        ...(metadata.cache_control === undefined ? {} : { CacheControl: metadata.cache_control }),
        ...(metadata.content_encoding === undefined ? {} : { ContentEncoding: metadata.content_encoding }),
        ...(metadata.generation === undefined ? {} : { Metadata: { generation: metadata.generation } }),
        ...condition,
      }),
      until,
    );

  const find = (key: string): Promise<FoundObject | undefined> =>
    again(async (until) => {
      try {
        return await readAnswer(await client.send(new sdk.GetObjectCommand(at(key)), until));
      } catch (thrown) {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      }
    });

  /** What was sent must be what is kept: most servers call an object by the MD5 of its bytes. */
  const checkKept = async (key: string, body: Buffer, etag: string): Promise<string> => {
    const expected = md5Etag(body);
    if (etag.replaceAll('"', '') === expected || !/^"?[0-9a-f]{32}"?$/.test(etag)) return etag;
    // Under encryption with a key service the ETag is no MD5, so a difference alone proves nothing.
    const kept = await find(key);
    if (kept?.body.equals(body)) return kept.etag;
    throw new Error(`${key} was kept with other bytes than were sent`);
  };

  const writeIf = async (key: string, body: Buffer, metadata: ObjectMetadata, condition: WriteCondition) => {
    const until: Until = { abortSignal: deadline() };
    let bare = bareEtags;
    for (let tries = 1; ; tries++) {
      try {
        const { ETag = '' } = await send(key, body, metadata, until, conditionHeaders(condition, bare));
        bareEtags = bare;
        return ETag;
      } catch (thrown) {
        const refused = statusOf(thrown) === 412 || isMissing(thrown);
        if (!refused && !needsAnotherTry(thrown)) throw unavailable(place, thrown);
        const standing = await find(key);
        if (standing?.body.equals(body)) return standing.etag;
        const holds = 'absent' in condition ? !standing : standing?.etag === condition.etag;
        if (!holds) return undefined;
        // It said no to a condition that holds: it may want the ETag without its quotes.
        if (refused) bare = !bare;
        await pause(tries, until, place);
      }
    }
  };

  return {
    place,
    width: options.width,
    prices: { write: options.usd_per_1000_writes / 1000, read: options.usd_per_1000_reads / 1000 },
    find,
    read: async (key) => (await find(key))?.body,
    write: (key, body, { metadata = {}, condition } = {}) =>
      condition
        ? writeIf(key, body, metadata, condition)
        : again(async (until) => checkKept(key, body, (await send(key, body, metadata, until)).ETag ?? '')),
    async *list(prefix) {
      let token: string | undefined;
      do {
        const page = await again((until) =>
          client.send(
            new sdk.ListObjectsV2Command({
              Bucket: bucket,
              Prefix: root + prefix,
              ...(token === undefined ? {} : { ContinuationToken: token }),
            }),
            until,
          ),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(root.length);
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
    async remove(...keys) {
      for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
        const Objects = keys.slice(from, from + REMOVED_AT_ONCE).map((key) => ({ Key: root + key }));
        await again(async (until) => {
          const command = new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
          const { Errors = [] } = await client.send(command, until);
          if (Errors[0]) throw new Error(`${Errors[0].Key} could not be removed: ${Errors[0].Code}`);
        });
      }
    },
  };
}

function createClient(sdk: typeof import('@aws-sdk/client-s3'), options: S3Options): S3Client {
  const checksums = options.checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  return new sdk.S3Client({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    forcePathStyle: options.path_style,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: options.sdk_attempts ?? SDK_ATTEMPTS,
    requestHandler: {
      requestTimeout: options.request_timeout_seconds * 1000,
      connectionTimeout: options.request_timeout_seconds * 1000,
      httpAgent: { keepAlive: true, maxSockets: options.width },
      httpsAgent: { keepAlive: true, maxSockets: options.width },
    },
  });
}

function conditionHeaders(condition: WriteCondition, bare: boolean) {
  if ('absent' in condition) return { IfNoneMatch: '*' };
  return { IfMatch: bare ? condition.etag.replaceAll('"', '') : condition.etag };
}

async function readAnswer(answer: GetObjectCommandOutput): Promise<FoundObject> {
  const body = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
  if (answer.ContentLength !== undefined && answer.ContentLength !== body.byteLength)
    throw new Error(`the answer ended after ${body.byteLength} of ${answer.ContentLength} bytes`);
  const metadata: ObjectMetadata = {};
  if (answer.ContentType !== undefined) metadata.content_type = answer.ContentType;
  if (answer.CacheControl !== undefined) metadata.cache_control = answer.CacheControl;
  if (answer.ContentEncoding !== undefined) metadata.content_encoding = answer.ContentEncoding;
  const generation = answer.Metadata?.generation;
  if (generation !== undefined) metadata.generation = generation;
  return { body, etag: answer.ETag ?? '', metadata };
}

/** The end of an operation, as the SDK takes it. */
interface Until {
  abortSignal: AbortSignal;
}

async function untilDeadline<T>(
  work: (until: Until) => Promise<T>,
  abortSignal: AbortSignal,
  place: string,
): Promise<T> {
  const until = { abortSignal };
  for (let tries = 1; ; tries++) {
    try {
      return await work(until);
    } catch (thrown) {
      if (thrown instanceof ForemarkError) throw thrown;
      if (!needsAnotherTry(thrown)) throw unavailable(place, thrown);
      await pause(tries, until, place, thrown);
    }
  }
}

async function pause(tries: number, until: Until, place: string, thrown?: unknown): Promise<void> {
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  try {
    await setTimeout(ms, undefined, { signal: until.abortSignal });
  } catch {
    const why = thrown === undefined ? '' : `; last: ${reasonOf(thrown)}`;
    throw new ForemarkError('sink_unavailable', `${place}: the time for it is over${why}`);
  }
}

function unavailable(place: string, thrown: unknown): ForemarkError {
  return new ForemarkError('sink_unavailable', `${place}: ${reasonOf(thrown)}`, { cause: thrown });
}
