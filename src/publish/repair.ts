import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { findCurrentGeneration } from './archive/current-generation.ts';
import { readDigests } from './archive/generation-digests.ts';
import type { Sink } from './sinks/sink.ts';
import { finishTree } from './tree/finish-tree.ts';
import { writeTree } from './tree/tree.ts';
import { documentOf, formsOf, type Variant } from './tree/variants.ts';
import { findDifferences } from './tree/verify-tree.ts';

export interface RepairReport {
  generation: number;
  /** Whether the tree was not at its generation and was brought to it first; this is not counted. */
  finished_before: boolean;
  /** Documents that were read. */
  documents: number;
  written: number;
  removed: number;
  place: string;
}

/**
 * Reads the whole live tree and restores from the archive whatever differs from its generation: documents damaged, removed
 * or added there, or written late by a publisher that was overtaken and then killed.
 *
 * @throws ForemarkError not_found when nothing was published
 * @throws ForemarkError archive_damaged when the archive does not hold some of what is to be restored; the rest is then
 *   restored
 * @throws ForemarkError publication_superseded when another publisher moved the pointer meanwhile
 */
export async function repairTree(options: {
  sink: Sink;
  now: Instant;
  variants: readonly Variant[];
}): Promise<RepairReport> {
  const { sink, variants } = options;
  const current = await findCurrentGeneration(sink);
  if (!current) throw new ForemarkError('not_found', `${sink.place} holds no archive`);
  const digests = await readDigests(sink, current.record);
  const finished_before = await finishTree(current, digests, options);
  const write = new Map<string, string>();
  const remove: string[] = [];
  for (const key of (await findDifferences(sink, digests, variants)).keys()) {
    const document = documentOf(key);
    const sha256 = digests.get(document);
    if (sha256 !== undefined && formsOf(document, variants).includes(key)) write.set(document, sha256);
    else remove.push(key);
  }
  const lost: string[] = [];
  await writeTree(current, { write, remove }, { ...options, lost });
  const [first] = lost;
  if (first !== undefined)
    throw new ForemarkError(
      'archive_damaged',
      `${lost.length} of what was to be restored could not be, such as ${first}`,
      { detail: 'all else is restored; a mirror may hold them, and publish --verify names them all' },
    );
  const { generation } = current.pointer;
  return {
    generation,
    finished_before,
    documents: digests.size,
    written: write.size,
    removed: remove.length,
    place: sink.place,
  };
}
