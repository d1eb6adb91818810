import { z } from 'zod';
import { atOnce } from '../model/at-once.ts';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  GONE,
  POINTER_KEY,
  type Pointer,
  parsePointer,
} from '../store/archive/archive.ts';
import { readRecord, readShard } from '../store/archive/archive-reads.ts';
import { DigestTable } from './digest-table.ts';
import type { Sink } from './sinks/sink.ts';
import { VARIANTS } from './variants.ts';

/** Says what the live tree holds, whole; written when the last of its documents is in place. */
export const PUBLICATION_KEY = 'publication.json';

const publication = z.object({
  generation: z.int(),
  sha256: z.string(),
  as_of: z.string(),
  label: z.string(),
  documents: z.int(),
  /** The encodings that documents lie ready in. */
  variants: z.array(z.enum(VARIANTS)).default([]),
});
/** What the live tree holds. */
export type Publication = z.output<typeof publication>;

/** The generation that the pointer names, with the ETag under which it was read. */
export interface Standing {
  pointer: Pointer;
  etag: string;
  record: GenerationRecord;
}

/**
 * The newest generation of the archive; undefined before the first.
 *
 * @throws ForemarkError archive_damaged when the record that the pointer names is missing or another
 */
export async function findStanding(sink: Sink): Promise<Standing | undefined> {
  const found = await sink.find(POINTER_KEY);
  if (!found) return undefined;
  const pointer = parsePointer(found.body);
  return { pointer, etag: found.etag, record: await readRecord(sink, pointer) };
}

/** The generation that the live tree holds whole; undefined when that is not known. */
export async function findTree(sink: Sink): Promise<Publication | undefined> {
  const body = await sink.read(PUBLICATION_KEY);
  if (!body) return undefined;
  try {
    return publication.parse(JSON.parse(body.toString()));
  } catch {
    // Without a word of what is there, the tree is brought to its generation document by document.
    return undefined;
  }
}

/** The digests of all documents of a generation, by key. */
export async function readDigests(
  sink: Sink,
  record: Pick<GenerationRecord, 'shards' | 'changes'> | undefined,
): Promise<DigestTable> {
  const digests = new DigestTable();
  await eachRow(sink, record?.shards ?? [], (key, sha256) => digests.set(key, sha256));
  await eachRow(sink, record?.changes ?? [], (key, sha256) => {
    if (sha256 === GONE) digests.delete(key);
    else digests.set(key, sha256);
  });
  return digests;
}

/** What shards of changes say, by key. */
export async function readChanges(sink: Sink, shards: readonly string[]): Promise<Map<string, string>> {
  const changes = new Map<string, string>();
  await eachRow(sink, shards, (key, sha256) => changes.set(key, sha256));
  return changes;
}

/** Tells of each document what shards say of it. */
async function eachRow(
  sink: Sink,
  shards: readonly string[],
  tell: (key: string, sha256: string) => void,
): Promise<void> {
  await atOnce(sink.width, shards, async (name) => {
    for (const [key, sha256] of await readShard(sink, name)) tell(key, sha256);
  });
}

/**
 * The digests of all objects that shards name. They lie in the archive as long as the shards do: also those of
 * documents that a generation's changes have put others in place of.
 */
export async function readNamed(sink: Sink, shards: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  await atOnce(sink.width, shards, async (sha256) => {
    for (const digest of (await readShard(sink, sha256)).values()) if (digest !== GONE) named.add(digest);
  });
  return named;
}

/**
 * Nothing may be written in the name of a generation that is not the newest any more.
 *
 * @throws ForemarkError publication_superseded when the pointer moved since it was read
 */
export async function checkPointer(sink: Sink, etag: string): Promise<void> {
  if ((await sink.find(POINTER_KEY))?.etag !== etag) throw superseded(sink);
}

/**
 * Does what reads an archive from its pointer on. What is missing once the pointer has moved, a prune took away.
 *
 * @throws ForemarkError publication_superseded then; run again to go on from where the pointer stands
 */
export async function whileItStands<Result>(
  sink: Sink,
  etag: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ForemarkError && thrown.code === 'archive_damaged') await checkPointer(sink, etag);
    throw thrown;
  }
}

/**
 * Nothing is published before what stands: an archive answers as of an instant by that of its generations.
 *
 * @throws ForemarkError publication_superseded when the clock is behind the generation
 */
export function refuseAhead(sink: Sink, { pointer }: { pointer: GenerationRef }, now: Instant): void {
  const { generation, published_at } = pointer;
  if (now >= published_at) return;
  throw new ForemarkError(
    'publication_superseded',
    `${sink.place}: generation ${generation} was published at ${formatInstant(published_at)}, after this run's clock, ` +
      `${formatInstant(now)}; if that clock was ahead, go back to a generation from before it by its number: ` +
      'publish --rollback <generation>',
  );
}

/** Another publisher was first. */
export function superseded(sink: Sink): ForemarkError {
  return new ForemarkError(
    'publication_superseded',
    `${sink.place}: another publisher moved the pointer meanwhile; run again to go on from there`,
  );
}
