import { atOnce } from '../../model/at-once.ts';
import { hasCode, messageOf } from '../../model/errors.ts';
import type { Instant } from '../../model/units.ts';
import { objectKey } from '../../store/archive/archive.ts';
import { readContent } from '../../store/archive/archive-reads.ts';
import {
  type CurrentGeneration,
  checkPointer,
  findCurrentGeneration,
} from '../archive/current-generation.ts';
import type { DigestChange } from '../archive/digest-change.ts';
import { readDigests } from '../archive/generation-digests.ts';
import { metadataOf } from '../headers.ts';
import type { Sink } from '../sinks/sink.ts';
import type { Leftovers } from './leftovers.ts';
import { writePublication } from './publication.ts';
import { formsOf, type Variant, variantsOf } from './variants.ts';

/** The pointer is checked after this many documents. */
const FENCED_EVERY = 256;

export interface TreeOptions {
  sink: Sink;
  variants: readonly Variant[];
  now: Instant;
  /** Bytes in memory, by digest; the rest is read from the archive. */
  held?: ReadonlyMap<string, Buffer>;
  /**
   * Digests of the objects just written. A document may be a hard link to such an object, but not to an older one: it would
   * seem older than its predecessor, and a host that goes by dates would not send it.
   */
  fresh?: ReadonlySet<string>;
  /** What an interrupted publish has already written; without it everything that may be missing is written. */
  leftovers?: Leftovers;
  /** Is told what the archive no longer holds intact, and the rest is written; without it the first ends all. */
  lost?: string[];
}

/**
 * Brings the live tree to a generation, document by document, then records that it is complete. A publisher whose pointer
 * was moved by another one stops, and corrects what it wrote too late.
 *
 * @throws ForemarkError publication_superseded
 */
export async function writeTree(
  current: CurrentGeneration,
  change: DigestChange,
  options: TreeOptions,
): Promise<void> {
  const { sink } = options;
  try {
    await writeDocuments(current, change, options);
    await checkPointer(sink, current.etag);
  } catch (thrown) {
    if (hasCode(thrown, 'publication_superseded'))
      await setRight([...Array.from(change.write, ([key]) => key), ...change.remove], options);
    throw thrown;
  }
  await writePublication(current, options);
}

async function writeDocuments(
  { pointer, etag }: CurrentGeneration,
  { write, remove }: DigestChange,
  { sink, variants, held, fresh, lost }: TreeOptions,
): Promise<void> {
  const generation = String(pointer.generation);
  let done = 0;
  await atOnce(sink.width, write, async ([key, sha256]) => {
    if (done++ % FENCED_EVERY === 0) await checkPointer(sink, etag);
    const linked = fresh?.has(sha256) && (await sink.link?.(objectKey(sha256), key));
    if (linked && variants.length === 0) return;
    const body = held?.get(sha256) ?? (await readObject(sink, sha256, lost && { key, lost }));
    if (!body) return;
    if (!linked) await sink.write(key, body, { metadata: { ...metadataOf(key), generation } });
    for (const variant of variantsOf(key, body, variants))
      if (variant.body)
        await sink.write(variant.key, variant.body, { metadata: { ...metadataOf(variant.key), generation } });
      else await sink.remove(variant.key);
  });
  if (remove.length === 0) return;
  await checkPointer(sink, etag);
  await sink.remove(...remove.flatMap((key) => formsOf(key, variants)));
}

/** Reads a body. @param document where to tell that it is damaged; it is then undefined */
async function readObject(
  sink: Sink,
  sha256: string,
  document?: { key: string; lost: string[] },
): Promise<Buffer | undefined> {
  try {
    return await readContent(sink, objectKey(sha256), sha256);
  } catch (thrown) {
    if (!document || !hasCode(thrown, 'archive_damaged')) throw thrown;
    document.lost.push(`${document.key} (${messageOf(thrown)})`);
    return undefined;
  }
}

/** Writes documents again as the newest generation has them, until the pointer does not move meanwhile. */
async function setRight(keys: readonly string[], options: TreeOptions): Promise<void> {
  for (;;) {
    const current = await findCurrentGeneration(options.sink);
    if (!current) return;
    const digests = await readDigests(options.sink, current.record);
    const write = new Map<string, string>();
    for (const key of keys) {
      const sha256 = digests.get(key);
      if (sha256 !== undefined) write.set(key, sha256);
    }
    try {
      await writeDocuments(current, { write, remove: keys.filter((key) => !write.has(key)) }, options);
      return await checkPointer(options.sink, current.etag);
    } catch (thrown) {
      if (!hasCode(thrown, 'publication_superseded')) throw thrown;
    }
  }
}
