import { atOnce } from '../model/at-once.ts';
import { ForemarkError } from '../model/errors.ts';
import { given } from '../model/given.ts';
import type { Instant } from '../model/units.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  objectKey,
  type Pointer,
} from '../store/archive/archive.ts';
import { findGeneration, readContent, readPointer } from '../store/archive/archive-reads.ts';
import { endPrune, movePointer } from './archive/archive-writes.ts';
import {
  type CurrentGeneration,
  findCurrentGeneration,
  refuseAhead,
  superseded,
} from './archive/current-generation.ts';
import { changeOf } from './archive/digest-change.ts';
import type { Digests } from './archive/digest-table.ts';
import { readDigests } from './archive/generation-digests.ts';
import { bulkAfterRollback } from './bulk/bulk-manifest.ts';
import type { PublishDocument } from './comparison.ts';
import { publishGeneration } from './publish-generation.ts';
import type { Refusal } from './refuse-other-store.ts';
import type { Sink } from './sinks/sink.ts';
import { finishTree } from './tree/finish-tree.ts';
import type { Variant } from './tree/variants.ts';

export interface RollbackReport {
  /** The number of the current generation: a new one, or an earlier one if the pointer was moved back to it. */
  generation: number;
  restores: number;
  written: number;
  removed: number;
  place: string;
}

export interface RollbackOptions {
  sink: Sink;
  now: Instant;
  variants: readonly Variant[];
  /** Documents that only one organization may read now, by key: no generation with one of them is restored. */
  closed?: ReadonlyMap<string, string>;
  /** Called with the current generation before anything is written. */
  refuse?: Refusal;
}

/**
 * Publishes the documents of an earlier generation again, as a new one, so that the record of what was served when stays
 * true. The next publish continues from there. The catalogs of later days are kept. If the current generation is later
 * than the clock, because a run's clock was ahead, the pointer itself is moved back, as if the later ones had never been.
 *
 * @param to number of a kept generation; by default the one before the current one
 * @throws ForemarkError not_found when there is no such generation
 * @throws ForemarkError not_found when it contains what is now closed to the public; nothing is changed
 * @throws ForemarkError archive_damaged when it is incomplete; nothing is changed
 * @throws ForemarkError publication_superseded when another publisher was first
 */
export async function rollback(
  to: number | undefined,
  { sink, now, variants, closed = new Map(), refuse }: RollbackOptions,
): Promise<RollbackReport> {
  const current = await findCurrentGeneration(sink);
  if (!current) throw new ForemarkError('not_found', `${sink.place} holds no generation to go back from`);
  refuse?.(current);
  if (to === undefined) refuseAhead(sink, current, now);
  const shown = current.record.restores ?? current.record.generation;
  const wanted = to ?? shown - 1;
  const found = await findGeneration(sink, (ref) => ref.generation <= wanted);
  if (found?.ref.generation !== wanted || wanted === current.record.generation) {
    const { oldest, generation } = current.pointer;
    throw new ForemarkError(
      'not_found',
      to === undefined || oldest === generation
        ? `${sink.place} holds no generation before ${to === undefined ? shown : generation}`
        : `generation to go back to must be ${oldest} to ${generation - 1}, got ${wanted}`,
    );
  }
  if (current.pointer.published_at > now) return takeBack(current, found, { sink, now, variants, closed });
  const { restores = wanted, as_of, label, first_run_at } = found.record;
  const { generation, written, removed, place } = await publishGeneration(
    [eachRestored(current, found.record, { sink, closed })],
    { sink, now, as_of, label, variants, restores, ...given({ first_run_at }), progress: () => {} },
  );
  return { generation, restores, written, removed, place };
}

/** @throws ForemarkError not_found when a generation would show what is now closed to the public */
function refuseClosed(
  { generation }: GenerationRecord,
  digests: Digests,
  closed: ReadonlyMap<string, string>,
): void {
  for (const [key, organization] of closed)
    if (digests.has(key))
      throw new ForemarkError(
        'not_found',
        `generation ${generation} is closed: it holds ${key}, which only ${organization} may read now`,
      );
}

/** Moves the pointer back to a generation, and the tree with it, after checking everything that differs. */
async function takeBack(
  found: CurrentGeneration,
  { ref, record }: { ref: GenerationRef; record: GenerationRecord },
  { closed, ...options }: Required<Omit<RollbackOptions, 'refuse'>>,
): Promise<RollbackReport> {
  const { sink, now } = options;
  refuseAhead(sink, { pointer: ref }, now);
  const digests = await readDigests(sink, record);
  refuseClosed(record, digests, closed);
  const { write, remove } = changeOf(await readDigests(sink, found.record), digests);
  await checkWhole(sink, write);
  const current = await endPrune(sink, found);
  const { oldest, sha256: instead_of } = current.pointer;
  const pointer: Pointer = { format: 1, ...ref, oldest, instead_of };
  const etag = await movePointer(sink, pointer, current.etag);
  await finishTree({ pointer, etag, record }, digests, options);
  const { generation } = ref;
  return {
    generation,
    restores: generation,
    written: write.size,
    removed: remove.length,
    place: sink.place,
  };
}

/** @throws ForemarkError archive_damaged when the body of a document is missing, or other than its digest says */
async function checkWhole(sink: Sink, documents: Digests): Promise<void> {
  await atOnce(sink.width, documents, ([, sha256]) => readContent(sink, objectKey(sha256), sha256));
}

/** The documents of an earlier generation, after checking all that differ. */
async function* eachRestored(
  current: CurrentGeneration,
  wanted: GenerationRecord,
  { sink, closed }: Required<Pick<RollbackOptions, 'sink' | 'closed'>>,
): AsyncGenerator<PublishDocument> {
  // The wanted generation was chosen by the pointer, which may have moved since.
  if ((await readPointer(sink))?.sha256 !== current.pointer.sha256) throw superseded(sink);
  const published = await readDigests(sink, current.record);
  const restored = await readDigests(sink, wanted);
  refuseClosed(wanted, restored, closed);
  const bulk = await bulkAfterRollback(sink, published, restored);
  for (const { key } of bulk) restored.delete(key);
  await checkWhole(sink, changeOf(published, restored).write);
  for (const [key, sha256] of restored) yield { key, sha256 };
  yield* bulk;
}
