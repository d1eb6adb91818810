import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ForemarkError } from '../../model/errors.ts';
import type { Instant } from '../../model/units.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  GONE,
  generationKey,
  type ObjectReader,
  objectKey,
  POINTER_KEY,
  type Pointer,
  parsePointer,
  parseRecord,
  parseShard,
  type Shard,
  shardKey,
} from './archive.ts';

/** The pointer of an archive; undefined before the first publish. */
export async function readPointer(archive: ObjectReader): Promise<Pointer | undefined> {
  const body = await archive.read(POINTER_KEY);
  return body && parsePointer(body);
}

/**
 * The bytes under a content address; undefined when there are none.
 *
 * @throws ForemarkError archive_damaged when they do not match the digest
 */
async function findContent(archive: ObjectReader, key: string, sha256: string): Promise<Buffer | undefined> {
  const body = await archive.read(key);
  if (!body || hash('sha256', body) === sha256) return body;
  throw new ForemarkError('archive_damaged', `${key} does not match its digest`);
}

/**
 * The bytes under a content address.
 *
 * @throws ForemarkError archive_damaged when they are missing, or do not match the digest
 */
export async function readContent(archive: ObjectReader, key: string, sha256: string): Promise<Buffer> {
  const body = await findContent(archive, key, sha256);
  if (!body) throw new ForemarkError('archive_damaged', `${key} is missing`);
  return body;
}

/**
 * The record of a generation; undefined when it is no longer kept.
 *
 * @throws ForemarkError archive_damaged when it does not match its digest, or is not a record
 */
export async function findRecord(
  archive: ObjectReader,
  ref: Pick<GenerationRef, 'generation' | 'sha256'>,
): Promise<GenerationRecord | undefined> {
  const key = generationKey(ref);
  const body = await findContent(archive, key, ref.sha256);
  return body && parseRecord(key, body);
}

/**
 * The record of a generation that must be there.
 *
 * @throws ForemarkError archive_damaged when it is missing, does not match its digest, or is not a record
 */
export async function readRecord(archive: ObjectReader, ref: GenerationRef): Promise<GenerationRecord> {
  const key = generationKey(ref);
  return parseRecord(key, await readContent(archive, key, ref.sha256));
}

/**
 * The newest generation that meets a condition, such as an upper bound of its number or instant. The number of reads is
 * logarithmic in the distance.
 *
 * @param isOldEnough if true for a generation, must be true for all older ones
 * @returns undefined when none meets it, or the one that does is no longer kept
 */
export async function findGeneration(
  archive: ObjectReader,
  isOldEnough: (ref: GenerationRef) => boolean,
): Promise<{ ref: GenerationRef; record: GenerationRecord } | undefined> {
  const pointer = await readPointer(archive);
  let ref: GenerationRef | undefined = pointer;
  // Older generations may still be there in part, if a prune was interrupted.
  while (pointer && ref && ref.generation >= pointer.oldest) {
    const record = await findRecord(archive, ref);
    if (!record || isOldEnough(ref)) return record && { ref, record };
    const { jump, parent }: GenerationRecord = record;
    ref = jump && !isOldEnough(jump) ? jump : parent;
  }
  return undefined;
}

/**
 * The skip pointer for the child of a generation: the jump of the parent's jump if both steps have the same length,
 * otherwise the parent. With these any ancestor is a logarithmic number of steps away (Myers, 1983).
 */
export async function jumpOfChild(
  archive: ObjectReader,
  parent: GenerationRef,
  record: GenerationRecord,
): Promise<GenerationRef> {
  const { jump } = record;
  const far = jump && (await findRecord(archive, jump))?.jump;
  if (!jump || !far) return parent;
  return parent.generation - jump.generation === jump.generation - far.generation ? far : parent;
}

/** The position of the shard that a document is in. */
export function shardOf(key: string, shards: number): number {
  return crc32(key) % shards;
}

/**
 * A shard of an archive.
 *
 * @throws ForemarkError archive_damaged when it is missing, does not match its digest, or is not a shard
 */
export async function readShard(archive: ObjectReader, sha256: string): Promise<Shard> {
  const key = shardKey(sha256);
  return parseShard(key, await readContent(archive, key, sha256));
}

/** A document of a past generation. */
export interface ArchivedDocument {
  body: Buffer;
  generation: number;
  as_of: Instant;
}

/**
 * A document as it was served at an instant: from the newest generation published by then.
 *
 * @returns undefined when there was none, or it is no longer kept
 * @throws ForemarkError archive_damaged
 */
export async function findDocumentAt(
  archive: ObjectReader,
  key: string,
  at: Instant,
): Promise<ArchivedDocument | undefined> {
  const found = await findGeneration(archive, (ref) => ref.published_at <= at);
  if (!found) return undefined;
  try {
    return await findDocument(archive, key, found.record);
  } catch (thrown) {
    // A prune may have begun meanwhile; it updates the pointer before it deletes anything.
    const pointer = await readPointer(archive);
    if (pointer && found.ref.generation < pointer.oldest) return undefined;
    throw thrown;
  }
}

async function findDocument(
  archive: ObjectReader,
  key: string,
  { generation, as_of, shards, changes }: GenerationRecord,
): Promise<ArchivedDocument | undefined> {
  const sha256 = (await findDigest(archive, key, changes)) ?? (await findDigest(archive, key, shards));
  if (sha256 === undefined || sha256 === GONE) return undefined;
  return { body: await readContent(archive, objectKey(sha256), sha256), generation, as_of };
}

/** The digest of a document in a list of shards; undefined when it is not in them. */
async function findDigest(
  archive: ObjectReader,
  key: string,
  shards: readonly string[],
): Promise<string | undefined> {
  const sha256 = shards[shardOf(key, shards.length)];
  if (sha256 === undefined) return undefined;
  return (await readShard(archive, sha256)).get(key);
}
