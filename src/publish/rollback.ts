import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { findGeneration, jumpOfChild } from '../store/archive-reads.ts';
import { commitGeneration } from './archive-writes.ts';
import { publishedAt, refOf } from './publish-generation.ts';
import type { Sink } from './sinks/sink.ts';
import { findStanding, readDigests } from './standing.ts';
import { changeOf, finishTree, writeTree } from './tree.ts';
import type { Variant } from './variants.ts';

export interface RollbackReport {
  /** The number of the new generation. */
  generation: number;
  restores: number;
  written: number;
  removed: number;
  place: string;
}

/**
 * Publishes the documents of an earlier generation again, as a new one: the record of what was served when
 * stays true, and the next publish goes on from here, not from what was taken back.
 *
 * @param to number of a generation that is kept; the one before what stands now when left out
 * @throws ForemarkError not_found when there is no such generation
 * @throws ForemarkError publication_superseded when another publisher was first
 */
export async function rollback(
  to: number | undefined,
  { sink, now, variants }: { sink: Sink; now: Instant; variants: readonly Variant[] },
): Promise<RollbackReport> {
  const standing = await findStanding(sink);
  if (!standing) throw new ForemarkError('not_found', `${sink.place} holds no generation to go back from`);
  const current = standing.record.restores ?? standing.record.generation;
  const wanted = to ?? current - 1;
  const found = await findGeneration(sink, (ref) => ref.generation <= wanted);
  if (found?.ref.generation !== wanted || wanted === standing.record.generation) {
    const { oldest, generation } = standing.pointer;
    throw new ForemarkError(
      'not_found',
      to === undefined
        ? `${sink.place} holds no generation before ${current}`
        : `generation to go back to must be ${oldest} to ${generation - 1}, got ${wanted}`,
    );
  }
  const before = await readDigests(sink, standing.record);
  await finishTree(standing, before, { sink, variants, now });
  const parent = refOf(standing);
  const { restores = wanted, as_of, label, documents, shards } = found.record;
  const committed = await commitGeneration(
    sink,
    {
      format: 1,
      generation: parent.generation + 1,
      as_of,
      published_at: publishedAt({ sink, now }, standing),
      label,
      documents,
      restores,
      parent,
      jump: await jumpOfChild(sink, parent, standing.record),
      shards,
    },
    standing,
  );
  const change = changeOf(before, await readDigests(sink, found.record));
  await writeTree(committed, change, { sink, variants, now });
  return {
    generation: committed.record.generation,
    restores,
    written: change.write.size,
    removed: change.remove.length,
    place: sink.place,
  };
}
