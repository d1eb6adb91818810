import { hash } from 'node:crypto';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  generationKey,
  POINTER_KEY,
  type Pointer,
  parseRecord,
  shardKey,
} from '../store/archive.ts';
import { shardOf } from '../store/archive-reads.ts';
import { atOnce } from './at-once.ts';
import { metadataOf } from './headers.ts';
import type { Sink } from './sinks/sink.ts';
import { type Standing, superseded } from './standing.ts';

/** About how many documents a shard holds: a change of one rewrites the row of each of these. */
const SHARD_DOCUMENTS = 256;

/** A shard as it will lie in the archive. */
interface ShardBody {
  sha256: string;
  body: Buffer;
}

/**
 * The shards of a generation, in order. Their number stays that of the generation before until it is far from
 * what the documents need, so that it does not change to and fro.
 */
export function makeShards(digests: ReadonlyMap<string, string>, before: number | undefined): ShardBody[] {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, digests.size / SHARD_DOCUMENTS)));
  const fits = before !== undefined && wanted >= before / 4 && wanted <= before * 2;
  const count = fits ? before : wanted;
  const rows: [string, string][][] = Array.from({ length: count }, () => []);
  for (const row of digests) rows[shardOf(row[0], count)]?.push(row);
  return rows.map((each) => {
    each.sort(([a], [b]) => (a < b ? -1 : 1));
    const body = Buffer.from(JSON.stringify(Object.fromEntries(each)));
    return { sha256: hash('sha256', body), body };
  });
}

/** Writes the shards that the generation before does not have. @returns how many */
export async function writeShards(
  sink: Sink,
  shards: readonly ShardBody[],
  before: GenerationRecord | undefined,
): Promise<number> {
  const missing = newShards(shards, before);
  await atOnce(sink.width, missing, ({ sha256, body }) =>
    sink.write(shardKey(sha256), body, { metadata: metadataOf(shardKey(sha256)) }),
  );
  return missing.length;
}

/** The shards that the generation before does not have. */
export function newShards(
  shards: readonly ShardBody[],
  before: GenerationRecord | undefined,
): readonly ShardBody[] {
  const known = new Set(before?.shards);
  return shards.filter((each) => !known.has(each.sha256));
}

/**
 * Writes a generation's record and moves the pointer to it. All that the record names must lie in the archive.
 *
 * @param before the generation that the pointer names, as it was read
 * @throws ForemarkError publication_superseded when the pointer names another by now
 * @throws ForemarkError sink_unavailable when the sink does not give back what was written to it
 */
export async function commitGeneration(
  sink: Sink,
  record: GenerationRecord,
  before: Standing | undefined,
): Promise<Standing> {
  const body = Buffer.from(JSON.stringify(writtenRecord(record)));
  const sha256 = hash('sha256', body);
  const ref: GenerationRef = { generation: record.generation, sha256, published_at: record.published_at };
  const key = generationKey(ref);
  await sink.write(key, body, { metadata: metadataOf(key) });
  if (!(await sink.read(key))?.equals(body)) throw forgetful(sink, key);
  const pointer: Pointer = { format: 1, ...ref, oldest: before?.pointer.oldest ?? record.generation };
  const etag = await movePointer(sink, pointer, before?.etag);
  return { pointer, etag, record: parseRecord(key, body) };
}

/**
 * Moves the pointer, if it still stands where it was read.
 *
 * @param etag the pointer's before; undefined when there was none
 * @returns the new ETag
 * @throws ForemarkError publication_superseded
 */
export async function movePointer(sink: Sink, pointer: Pointer, etag: string | undefined): Promise<string> {
  const body = Buffer.from(
    JSON.stringify({
      ...pointer,
      published_at: formatInstant(pointer.published_at),
      key: generationKey(pointer),
    }),
  );
  const condition = etag === undefined ? ({ absent: true } as const) : { etag };
  const moved = await sink.write(POINTER_KEY, body, { metadata: metadataOf(POINTER_KEY), condition });
  if (moved === undefined) throw superseded(sink);
  const standing = await sink.find(POINTER_KEY);
  if (!standing) throw forgetful(sink, POINTER_KEY);
  if (!standing.body.equals(body)) throw superseded(sink);
  return standing.etag;
}

/** A record in the shape of its file: instants as text. */
function writtenRecord({ parent, jump, ...record }: GenerationRecord): object {
  const written = (ref: GenerationRef) => ({ ...ref, published_at: formatInstant(ref.published_at) });
  return {
    ...record,
    as_of: formatInstant(record.as_of),
    published_at: formatInstant(record.published_at),
    ...(parent ? { parent: written(parent) } : {}),
    ...(jump ? { jump: written(jump) } : {}),
  };
}

function forgetful(sink: Sink, key: string): ForemarkError {
  return new ForemarkError('sink_unavailable', `${sink.place} does not give back ${key} as it was written`);
}
