import { ForemarkError, failureCode } from '../model/errors.ts';
import { DAY_MS, HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { PUBLICATION_KEY } from '../routes/page-files.ts';
import { generationKey, objectKey, type Pointer, shardKey, shardsNamed } from '../store/archive/archive.ts';
import { ArchiveKeys } from './archive/archive-keys.ts';
import { movePointer } from './archive/archive-writes.ts';
import { checkPointer, findCurrentGeneration, whileItStands } from './archive/current-generation.ts';
import { readNamed } from './archive/generation-digests.ts';
import { eachArchiveKey, eachGeneration } from './archive/generations.ts';
import { metadataOf } from './headers.ts';
import type { Sink } from './sinks/sink.ts';

/** Readers may still be following a generation this long after it was replaced. */
const READ_AFTER_MS = HOUR_MS;
const REMOVED_AT_ONCE = 1_000;

export interface PruneOptions {
  sink: Sink;
  now: Instant;
  /** Generations to keep at least. */
  keepGenerations: number;
  /** Generations that were current within so many days before the newest are kept as well. */
  keepDays: number;
  dryRun: boolean;
}

export interface PruneReport {
  generations_kept: number;
  generations_removed: number;
  objects_removed: number;
  place: string;
}

/**
 * Removes old generations and what only they name. Moving the pointer fences off a publisher at work, and a prune that meets
 * a newer publisher stops.
 *
 * @throws ForemarkError publication_superseded
 * @throws ForemarkError archive_damaged when it cannot tell for certain what must stay; nothing is removed
 */
export async function prune(options: PruneOptions): Promise<PruneReport> {
  const { sink, dryRun } = options;
  const current = await findCurrentGeneration(sink);
  if (!current) throw new ForemarkError('not_found', `${sink.place} holds no archive`);
  const chosen = await whileItStands(sink, current.etag, () => choose(current.pointer, options));
  const { kept, oldest, removed } = chosen;
  const { pruning, prunes = 0, ...plain } = current.pointer;
  const pointer: Pointer = { ...plain, oldest, prunes: prunes + 1 };
  let { etag } = current;
  let said: Buffer | undefined;
  // From here on a publish that began earlier cannot commit, so nothing that it relies on can be lost.
  if (!dryRun) ({ etag, said } = await fence(sink, { ...pointer, pruning: true }, etag));
  // An interrupted prune may still have removals under way. Nobody will wait for them after this one, so wait now.
  if (!dryRun && pruning) await sink.removalsOver?.();
  let objects_removed = 0;
  for await (const waste of eachWaste(sink, kept)) {
    objects_removed += waste.length;
    if (!dryRun) await removeFenced(sink, etag, waste);
  }
  if (!dryRun) await movePointer(sink, pointer, etag);
  if (said) await sink.write(PUBLICATION_KEY, said, { metadata: metadataOf(PUBLICATION_KEY) });
  return {
    generations_kept: pointer.generation - oldest + 1,
    generations_removed: removed,
    objects_removed,
    place: sink.place,
  };
}

/** The keys to remove, in batches: all of them may not fit into memory. */
async function* eachWaste(sink: Sink, kept: ArchiveKeys): AsyncGenerator<string[]> {
  let waste: string[] = [];
  for await (const key of eachArchiveKey(sink)) {
    if (!kept.has(key)) waste.push(key);
    if (waste.length < REMOVED_AT_ONCE) continue;
    yield waste;
    waste = [];
  }
  if (waste.length > 0) yield waste;
}

/** Removes keys, unless a newer publisher may be writing them again by now. */
async function removeFenced(sink: Sink, etag: string, keys: readonly string[]): Promise<void> {
  const check = () => checkPointer(sink, etag);
  if (sink.removeWhile) return sink.removeWhile(check, keys);
  await check();
  await sink.remove(...keys);
}

/**
 * Moves the pointer to say that a prune has begun. On a full disk, publication.json is removed to make room for it; should
 * the prune then be interrupted, the next publish checks the tree document by document.
 *
 * @returns the pointer's ETag, and the removed publication.json, to be written again at the end
 */
async function fence(sink: Sink, pointer: Pointer, etag: string): Promise<{ etag: string; said?: Buffer }> {
  try {
    return { etag: await movePointer(sink, pointer, etag) };
  } catch (thrown) {
    const said = isDiskFull(thrown) ? await sink.read(PUBLICATION_KEY) : undefined;
    if (!said) throw thrown;
    await sink.remove(PUBLICATION_KEY);
    return { etag: await movePointer(sink, pointer, etag), said };
  }
}

function isDiskFull(thrown: unknown): boolean {
  return thrown instanceof Error && failureCode(thrown.cause) === 'ENOSPC';
}

/** Chooses the keys that stay, and the oldest generation among them. */
async function choose(pointer: Pointer, { sink, now, keepGenerations, keepDays }: PruneOptions) {
  // Counted from the newest generation: days without a publication, or a clock that is ahead, age no generation. The one
  // before the newest was current until then, so it always stays.
  const newest = Math.min(now, pointer.published_at);
  const since = Math.min(now - READ_AFTER_MS, newest - keepDays * DAY_MS);
  const kept = new ArchiveKeys();
  let oldest = pointer.generation;
  let removed = 0;
  /** When the generation was replaced: it was current until then. */
  let replacedAt = Number.POSITIVE_INFINITY;
  for await (const { ref, record } of eachGeneration(sink, pointer)) {
    const stays = pointer.generation - ref.generation < keepGenerations || replacedAt >= since;
    replacedAt = ref.published_at;
    if (!stays) {
      removed = ref.generation - pointer.oldest + 1;
      break;
    }
    oldest = ref.generation;
    kept.add(generationKey(ref));
    const fresh = shardsNamed(record).filter((sha256) => !kept.has(shardKey(sha256)));
    for (const sha256 of fresh) kept.add(shardKey(sha256));
    for (const sha256 of await readNamed(sink, fresh)) kept.add(objectKey(sha256));
  }
  return { kept, oldest, removed };
}
