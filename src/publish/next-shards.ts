import { hash } from 'node:crypto';
import { type GenerationRecord, GONE, shardsNamed } from '../store/archive/archive.ts';
import { shardOf } from '../store/archive/archive-reads.ts';
import type { Sink } from './sinks/sink.ts';
import { readRows } from './standing.ts';
import type { TreeChange } from './tree.ts';

/** About how many documents a shard holds: a change of one rewrites the row of each of these. */
const SHARD_DOCUMENTS = 1_024;
/**
 * With more changes than one document in so many, the shards that these touch are made anew. To write the changes of
 * some runs once more each time then costs about what that costs.
 */
export const DOCUMENTS_A_CHANGE = 8;

/** A shard of a generation, with its bytes unless the generation before has it. */
export interface NextShard {
  sha256: string;
  body?: Buffer;
}

/** The shards of a generation, as its record names them. */
export interface NextShards {
  shards: readonly NextShard[];
  changes: readonly NextShard[];
}

/**
 * The shards of a generation: those of the one before, with all that changed since they were made before them; or
 * made anew, where that is too much by now. Their number then stays until it is far from what the documents need, so
 * that it does not change to and fro.
 *
 * @param digests of the generation's documents, by key
 * @param change what leads to it from the one before
 */
export async function nextShards(
  sink: Sink,
  digests: ReadonlyMap<string, string>,
  change: TreeChange,
  before: GenerationRecord | undefined,
): Promise<NextShards> {
  const standing = before?.shards ?? [];
  const known = new Set(before && shardsNamed(before));
  const wanted = shardsFor(digests.size);
  if (wanted < standing.length / 4 || wanted > standing.length * 2)
    return { shards: makeShards(digests, Array(wanted).fill(undefined), known), changes: [] };
  const changes = await readRows(sink, before?.changes ?? []);
  for (const [key, sha256] of change.write) changes.set(key, sha256);
  for (const key of change.remove) changes.set(key, GONE);
  if (changes.size * DOCUMENTS_A_CHANGE <= digests.size) {
    const count = changes.size === 0 ? 0 : shardsFor(changes.size);
    const shards = standing.map((sha256) => ({ sha256 }));
    return { shards, changes: makeShards(changes, Array(count).fill(undefined), known) };
  }
  const touched = new Set([...changes.keys()].map((key) => shardOf(key, standing.length)));
  const kept = standing.map((sha256, i) => (touched.has(i) ? undefined : sha256));
  return { shards: makeShards(digests, kept, known), changes: [] };
}

/** How many shards so many documents are spread over: a power of two. */
export function shardsFor(documents: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, documents / SHARD_DOCUMENTS)));
}

/**
 * Shards of documents, in order.
 *
 * @param standing digests of those that stay as they are; undefined for those that are to be made
 * @param known digests of those that need not be written
 */
function makeShards(
  digests: ReadonlyMap<string, string>,
  standing: readonly (string | undefined)[],
  known: ReadonlySet<string>,
): NextShard[] {
  const keys = standing.map((sha256): string[] | undefined => (sha256 === undefined ? [] : undefined));
  for (const key of digests.keys()) keys[shardOf(key, keys.length)]?.push(key);
  return keys.map((each, i) => {
    if (!each) return { sha256: standing[i] as string };
    each.sort((a, b) => (a < b ? -1 : 1));
    // Written by hand: an object of so many names takes several times as long to make.
    const body = Buffer.from(`{${each.map((key) => `${JSON.stringify(key)}:"${digests.get(key)}"`).join()}}`);
    const sha256 = hash('sha256', body);
    return known.has(sha256) ? { sha256 } : { sha256, body };
  });
}
