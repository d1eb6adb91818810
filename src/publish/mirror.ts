import { ForemarkError } from '../model/errors.ts';
import {
  GENERATIONS,
  generationKey,
  OBJECTS,
  objectKey,
  POINTER_KEY,
  parsePointer,
  SHARDS,
  shardKey,
} from '../store/archive.ts';
import { atOnce } from './at-once.ts';
import { eachGeneration } from './generations.ts';
import { metadataOf } from './headers.ts';
import type { Sink } from './sinks/sink.ts';
import { readDigests } from './standing.ts';

export interface MirrorReport {
  generation: number;
  objects_copied: number;
  bytes_copied: number;
  place: string;
}

/**
 * Copies an archive's kept generations to another sink: only what is missing there, and the pointer last, so
 * that a mirror that was cut off is whole as it was before.
 *
 * @throws ForemarkError not_found when there is nothing to copy
 * @throws ForemarkError sink_unavailable when the source was pruned meanwhile; run again
 */
export async function mirrorArchive(from: Sink, to: Sink): Promise<MirrorReport> {
  const pointerBody = await from.read(POINTER_KEY);
  if (!pointerBody) throw new ForemarkError('not_found', `${from.place} holds no archive`);
  const pointer = parsePointer(pointerBody);
  const there = new Set<string>();
  for (const prefix of [OBJECTS, SHARDS, GENERATIONS])
    for await (const key of to.list(prefix)) there.add(key);
  const report = { objects_copied: 0, bytes_copied: 0 };
  const copy = async (key: string) => {
    if (there.has(key)) return;
    there.add(key);
    const body = await from.read(key);
    if (!body) throw new ForemarkError('sink_unavailable', `${key} of ${from.place} is gone; run again`);
    await to.write(key, body, { metadata: metadataOf(key) });
    report.objects_copied++;
    report.bytes_copied += body.byteLength;
  };
  const walked = new Set<string>();
  for await (const { ref, record } of eachGeneration(from, pointer)) {
    await copy(generationKey(ref));
    const shards = (record?.shards ?? []).filter((sha256) => !walked.has(sha256));
    for (const sha256 of shards) walked.add(sha256);
    await atOnce(from.width, shards, (sha256) => copy(shardKey(sha256)));
    const digests = record ? await readDigests(to, { ...record, shards }) : new Map<string, string>();
    await atOnce(from.width, digests.values(), (sha256) => copy(objectKey(sha256)));
  }
  await to.write(POINTER_KEY, pointerBody, { metadata: metadataOf(POINTER_KEY) });
  return { generation: pointer.generation, ...report, place: to.place };
}
