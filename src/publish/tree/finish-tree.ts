import { hasCode } from '../../model/errors.ts';
import { PUBLICATION_KEY } from '../../routes/page-files.ts';
import { findRecord } from '../../store/archive/archive-reads.ts';
import type { CurrentGeneration } from '../archive/current-generation.ts';
import { changeOf } from '../archive/digest-change.ts';
import { type Digests, DigestTable } from '../archive/digest-table.ts';
import { readDigests } from '../archive/generation-digests.ts';
import type { Sink } from '../sinks/sink.ts';
import { findPublication, type Publication } from './publication.ts';
import { type TreeOptions, writeTree } from './tree.ts';
import { keysOutside, listTree } from './tree-keys.ts';
import { documentOf, formsOf, type Variant } from './variants.ts';

/**
 * Brings the live tree to the current generation, if an earlier publish left it behind or in other encodings than are wanted
 * now.
 *
 * @param isTrial only looks
 * @returns whether there is something to do
 */
export async function finishTree(
  current: CurrentGeneration,
  digests: Digests,
  options: TreeOptions,
  isTrial = false,
): Promise<boolean> {
  const { sink, variants, leftovers } = options;
  const tree = await findPublication(sink);
  const isEncoded = tree !== undefined && liesIn(tree, variants);
  if (isEncoded && tree.sha256 === current.pointer.sha256) return false;
  if (isTrial) return true;
  // If this is interrupted the tree has neither the old encodings nor the new ones, and must not claim either.
  if (tree && !isEncoded) await sink.remove(PUBLICATION_KEY);
  const before = isEncoded ? await findHeld(sink, tree) : new DigestTable();
  const { write } = changeOf(before, digests);
  const there = await listTree(sink);
  // The ETag of a precompressed form does not show what it was made from.
  if (variants.length === 0) await leftovers?.leaveOut(write, there);
  const belongs = (key: string) => {
    const document = documentOf(key);
    return digests.has(document) && formsOf(document, variants).includes(key);
  };
  const listed = new Set([...there.keys(), ...keysOutside(before), ...keysOutside(digests)]);
  const remove = [...listed].filter((key) => !belongs(key));
  await writeTree(current, { write, remove }, options);
  return true;
}

/** The digests of a live tree; none if the archive no longer knows them, so that everything is written. */
async function findHeld(sink: Sink, tree: Publication): Promise<DigestTable> {
  try {
    return await readDigests(sink, await findRecord(sink, tree));
  } catch (thrown) {
    if (hasCode(thrown, 'archive_damaged')) return new DigestTable();
    throw thrown;
  }
}

function liesIn(tree: Publication, variants: readonly Variant[]): boolean {
  return new Set(tree.variants).symmetricDifference(new Set(variants)).size === 0;
}
