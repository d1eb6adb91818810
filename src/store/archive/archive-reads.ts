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
 * @throws ForemarkError archive_damaged when they are others
 */
async function findContent(archive: ObjectReader, key: string, sha256: string): Promise<Buffer | undefined> {
  const body = await archive.read(key);
  if (!body || hash('sha256', body) === sha256) return body;
  throw new ForemarkError('archive_damaged', `${key} has other bytes than its digest says`);
}

/**
 * The bytes under a content address.
 *
 * @throws ForemarkError archive_damaged when they are missing, or others
 */
export async function readContent(archive: ObjectReader, key: string, sha256: string): Promise<Buffer> {
  const body = await findContent(archive, key, sha256);
  if (!body) throw new ForemarkError('archive_damaged', `${key} is missing`);
  return body;
}

/**
 * The record of a generation; undefined when it is kept no more.
 *
 * @throws ForemarkError archive_damaged when it is not what its digest says
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
 * The record of a generation that is kept.
 *
 * @throws ForemarkError archive_damaged when it is missing, or not what its digest says
 */
export async function readRecord(archive: ObjectReader, ref: GenerationRef): Promise<GenerationRecord> {
  const key = generationKey(ref);
  return parseRecord(key, await readContent(archive, key, ref.sha256));
}

/**
 * The newest generation that meets a condition which holds for all older ones too: a number or an instant not
 * above some bound. Takes a number of reads that grows with the logarithm of the distance.
 *
 * @returns undefined when none does, or the one that does is kept no more
 */
export async function findGeneration(
  archive: ObjectReader,
  isOldEnough: (ref: GenerationRef) => boolean,
): Promise<{ ref: GenerationRef; record: GenerationRecord } | undefined> {
  const pointer = await readPointer(archive);
  let ref: GenerationRef | undefined = pointer;
  // What is older may still be there in part, where taking it away was cut off.
  while (pointer && ref && ref.generation >= pointer.oldest) {
    const record = await findRecord(archive, ref);
    if (!record || isOldEnough(ref)) return record && { ref, record };
    const { jump, parent }: GenerationRecord = record;
    ref = jump && !isOldEnough(jump) ? jump : parent;
  }
  return undefined;
}

/**
 * The ancestor that the child of a generation names as its jump: the parent itself, or the parent's jump's jump
 * where both steps are as long. So any ancestor is a logarithmic number of steps away (Myers, 1983).
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

/** Which of a number of shards a document is in. */
export function shardOf(key: string, shards: number): number {
  return crc32(key) % shards;
}

/**
 * A shard of an archive.
 *
 * @throws ForemarkError archive_damaged when it is missing, or not what its digest says
 */
export async function readShard(archive: ObjectReader, sha256: string): Promise<Shard> {
  const key = shardKey(sha256);
  return parseShard(key, await readContent(archive, key, sha256));
}

/** A document as it was at an instant, with the generation that it is from. */
export interface ArchivedDocument {
  body: Buffer;
  generation: number;
  as_of: Instant;
}

/**
 * A document as it was served at an instant: that of the newest generation published until then.
 *
 * @returns undefined when there was none, or it is kept no more
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
    // A prune may have begun meanwhile: the pointer then says so, before anything is taken away.
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

/** What the shards of a list say of a document; undefined when they say nothing. */
async function findDigest(
  archive: ObjectReader,
  key: string,
  shards: readonly string[],
): Promise<string | undefined> {
  const sha256 = shards[shardOf(key, shards.length)];
  if (sha256 === undefined) return undefined;
  return (await readShard(archive, sha256)).get(key);
}
