import { hash } from 'node:crypto';
import { atOnce } from '../../model/at-once.ts';
import { type GenerationRecord, GONE, shardsNamed } from '../../store/archive/archive.ts';
import { shardOf } from '../../store/archive/archive-reads.ts';
import type { Sink } from '../sinks/sink.ts';
import type { DigestChange } from './digest-change.ts';
import type { DigestTable } from './digest-table.ts';
import { readChanges } from './generation-digests.ts';

/** About how many documents a shard holds. A change of one document rewrites its whole shard. */
const SHARD_DOCUMENTS = 1_024;
/**
 * If more than one document in so many changed, hardly any shard would stay the same, so all are rewritten. Up to that
 * point the recent changes are written again with each publish, which costs about as much.
 */
export const DOCUMENTS_A_CHANGE = 8;

/** A shard that the generation before does not have. */
export interface NewShard {
  sha256: string;
  body: Buffer;
}

/** Digests of a generation's shards, as its record names them. */
export type NextShards = Pick<GenerationRecord, 'shards' | 'changes'>;

/**
 * The shards of a generation: those of its predecessor plus shards with everything changed since those were written, or
 * all rewritten once the changes are too many. The number of shards is kept until it is far from what the documents need,
 * so that it does not flip back and forth.
 *
 * @param digests of the generation's documents, by key
 * @param change from its predecessor
 * @param write gets each new shard as it is made; together they are as large as the catalog
 */
export async function nextShards(
  sink: Sink,
  digests: DigestTable,
  change: DigestChange,
  before: GenerationRecord | undefined,
  write: (shard: NewShard) => Promise<void>,
): Promise<NextShards> {
  const standing = before?.shards ?? [];
  const known = new Set(before && shardsNamed(before));
  const make = (rows: Rows, count: number) =>
    makeShards(rows, count, sink.width, async (shard) => {
      if (!known.has(shard.sha256)) await write(shard);
    });
  const wanted = shardsFor(digests.size);
  const isFar = wanted < standing.length / 4 || wanted > standing.length * 2;
  const areFew = (documents: number) => documents * DOCUMENTS_A_CHANGE <= digests.size;
  // Checked before reading the earlier changes: if everything changed, they should not be in memory as well.
  if (!isFar && areFew(change.write.size + change.remove.length)) {
    const changes = await readChanges(sink, before?.changes ?? []);
    for (const [key, sha256] of change.write) changes.set(key, sha256);
    for (const key of change.remove) changes.set(key, GONE);
    const count = changes.size === 0 ? 0 : shardsFor(changes.size);
    if (areFew(changes.size)) return { shards: standing, changes: await make(rowsOf(changes), count) };
  }
  return { shards: await make(digests, isFar ? wanted : standing.length), changes: [] };
}

/** How many shards so many documents are spread over: a power of two. */
export function shardsFor(documents: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, documents / SHARD_DOCUMENTS)));
}

/** What shards say, row by row. */
interface Rows {
  readonly entries: number;
  /** undefined where there is none any more. */
  keyAt(entry: number): string | undefined;
  sha256At(entry: number): string;
}

function rowsOf(digests: ReadonlyMap<string, string>): Rows {
  const rows = [...digests];
  const at = (entry: number) => rows[entry] as [key: string, sha256: string];
  return { entries: rows.length, keyAt: (entry) => at(entry)[0], sha256At: (entry) => at(entry)[1] };
}

/** Shards of documents, in order. @param width how many are written at once */
async function makeShards(
  rows: Rows,
  count: number,
  width: number,
  write: (shard: NewShard) => Promise<void>,
): Promise<string[]> {
  const entries = Array.from({ length: count }, (): number[] => []);
  for (let entry = 0; entry < rows.entries; entry++) {
    const key = rows.keyAt(entry);
    if (key !== undefined) entries[shardOf(key, count)]?.push(entry);
  }
  const shards: string[] = [];
  await atOnce(width, entries.entries(), async ([i, ofShard]) => {
    const body = bodyOf(ofShard.map((entry) => [rows.keyAt(entry) as string, rows.sha256At(entry)]));
    const sha256 = hash('sha256', body);
    shards[i] = sha256;
    await write({ sha256, body });
  });
  return shards;
}

function bodyOf(rows: [key: string, sha256: string][]): Buffer {
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  // Written by hand: building an object with this many keys takes several times as long.
  return Buffer.from(`{${rows.map(([key, sha256]) => `${JSON.stringify(key)}:"${sha256}"`).join()}}`);
}
