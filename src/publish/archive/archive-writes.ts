import { hash } from 'node:crypto';
import { ForemarkError } from '../../model/errors.ts';
import { formatInstant } from '../../model/time.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  generationKey,
  POINTER_KEY,
  type Pointer,
  parseRecord,
  shardKey,
} from '../../store/archive/archive.ts';
import { metadataOf } from '../headers.ts';
import type { Sink } from '../sinks/sink.ts';
import { type CurrentGeneration, checkPointer, superseded } from './current-generation.ts';
import type { NewShard } from './next-shards.ts';

/** Writes a shard of a generation's digests under the digest of its own bytes. */
export async function writeShard(sink: Sink, { sha256, body }: NewShard): Promise<void> {
  const key = shardKey(sha256);
  await sink.write(key, body, { metadata: metadataOf(key) });
}

/**
 * Writes a generation's record and moves the pointer to it. Everything that the record names must be in the archive.
 *
 * @param before the generation that the pointer names, as it was read
 * @throws ForemarkError publication_superseded when the pointer names another by now
 * @throws ForemarkError sink_unavailable when the sink does not give back what was written to it
 */
export async function commitGeneration(
  sink: Sink,
  record: GenerationRecord,
  before: CurrentGeneration | undefined,
): Promise<CurrentGeneration> {
  const body = Buffer.from(JSON.stringify(writtenRecord(record)));
  const sha256 = hash('sha256', body);
  const ref: GenerationRef = { generation: record.generation, sha256, published_at: record.published_at };
  const key = generationKey(ref);
  await sink.write(key, body, { metadata: metadataOf(key) });
  if (!(await sink.read(key))?.equals(body)) {
    // A concurrent prune may have removed it, since it did not know it.
    if (before) await checkPointer(sink, before.etag);
    throw forgetful(sink, key);
  }
  const pointer: Pointer = { format: 1, ...ref, oldest: before?.pointer.oldest ?? record.generation };
  const etag = await movePointer(sink, pointer, before?.etag);
  return { pointer, etag, record: parseRecord(key, body) };
}

/**
 * Moves the pointer, unless it has moved since it was read.
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
  const current = await sink.find(POINTER_KEY);
  if (!current) throw forgetful(sink, POINTER_KEY);
  if (!current.body.equals(body)) throw superseded(sink);
  return current.etag;
}

/**
 * Ends a prune that was interrupted or still runs on another machine. Moving the pointer fences it off from further removals;
 * this returns when those it already requested are over. Until then the pointer says that a prune is under way.
 *
 * @returns the current generation with the moved pointer
 * @throws ForemarkError publication_superseded
 */
export async function endPrune(sink: Sink, current: CurrentGeneration): Promise<CurrentGeneration> {
  if (!current.pointer.pruning) return current;
  const { pruning, ...plain } = current.pointer;
  const pointer: Pointer = { ...plain, prunes: (plain.prunes ?? 0) + 1 };
  let { etag } = current;
  if (sink.removalsOver) {
    etag = await movePointer(sink, { ...pointer, pruning }, etag);
    await sink.removalsOver();
  }
  return { ...current, pointer, etag: await movePointer(sink, pointer, etag) };
}

/** A record in the shape of its file: instants as text. */
function writtenRecord({ parent, jump, first_run_at, ...record }: GenerationRecord): object {
  const written = (ref: GenerationRef) => ({ ...ref, published_at: formatInstant(ref.published_at) });
  return {
    ...record,
    as_of: formatInstant(record.as_of),
    published_at: formatInstant(record.published_at),
    ...(first_run_at === undefined ? {} : { first_run_at: formatInstant(first_run_at) }),
    ...(parent ? { parent: written(parent) } : {}),
    ...(jump ? { jump: written(jump) } : {}),
  };
}

function forgetful(sink: Sink, key: string): ForemarkError {
  return new ForemarkError('sink_unavailable', `${sink.place}: ${key} was not read back as it was written`);
}
