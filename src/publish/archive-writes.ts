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
} from '../store/archive/archive.ts';
import { shardOf } from '../store/archive/archive-reads.ts';
import { atOnce } from './at-once.ts';
import { metadataOf } from './headers.ts';
import type { Sink } from './sinks/sink.ts';
import { type Standing, superseded } from './standing.ts';
import type { TreeChange } from './tree.ts';

/** About how many documents a shard holds: a change of one rewrites the row of each of these. */
const SHARD_DOCUMENTS = 256;

/** A shard of a generation, with its bytes unless the generation before has it. */
interface NextShard {
  sha256: string;
  body?: Buffer;
}

/**
 * The shards of a generation, in order. Their number stays that of the generation before until it is far from
 * what the documents need, so that it does not change to and fro; then only those are made that a change touches.
 */
export function makeShards(
  digests: ReadonlyMap<string, string>,
  change: TreeChange,
  before: GenerationRecord | undefined,
): NextShard[] {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, digests.size / SHARD_DOCUMENTS)));
  const standing = before?.shards ?? [];
  const fits = wanted >= standing.length / 4 && wanted <= standing.length * 2;
  const count = fits ? standing.length : wanted;
  const rows = Array.from({ length: count }, (): [string, string][] | undefined => (fits ? undefined : []));
  if (fits) for (const key of [...change.write.keys(), ...change.remove]) rows[shardOf(key, count)] ??= [];
  for (const row of digests) rows[shardOf(row[0], count)]?.push(row);
  const known = new Set(standing);
  return rows.map((each, i) => {
    if (!each) return { sha256: standing[i] as string };
    each.sort(([a], [b]) => (a < b ? -1 : 1));
    // Written by hand: an object of so many names takes several times as long to make.
    const body = Buffer.from(`{${each.map(([key, digest]) => `${JSON.stringify(key)}:"${digest}"`).join()}}`);
    const sha256 = hash('sha256', body);
    return known.has(sha256) ? { sha256 } : { sha256, body };
  });
}

/** Writes the shards that the generation before does not have. */
export async function writeShards(sink: Sink, shards: readonly NextShard[]): Promise<void> {
  await atOnce(sink.width, shards, async ({ sha256, body }) => {
    const key = shardKey(sha256);
    if (body) await sink.write(key, body, { metadata: metadataOf(key) });
  });
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
  const metadata = metadataOf(POINTER_KEY);
  const moved = await sink.write(POINTER_KEY, body, { metadata, condition, barrier: true });
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
