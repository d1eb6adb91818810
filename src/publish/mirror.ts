import { hash } from 'node:crypto';
import { atOnce } from '../model/at-once.ts';
import { ForemarkError } from '../model/errors.ts';
import { PUBLICATION_KEY } from '../routes/page-files.ts';
import {
  generationKey,
  OBJECTS,
  objectKey,
  POINTER_KEY,
  parsePointer,
  shardKey,
  shardsNamed,
} from '../store/archive/archive.ts';
import { readContent } from '../store/archive/archive-reads.ts';
import { ArchiveKeys } from './archive/archive-keys.ts';
import { whileItStands } from './archive/current-generation.ts';
import { readNamed } from './archive/generation-digests.ts';
import { eachGeneration } from './archive/generations.ts';
import { metadataOf } from './headers.ts';
import type { Sink } from './sinks/sink.ts';
import { FOLDERS_OUTSIDE } from './tree/tree-keys.ts';

export interface MirrorReport {
  generation: number;
  objects_copied: number;
  bytes_copied: number;
  place: string;
}

/**
 * Copies the kept generations of an archive to another sink: only what is missing there, and the pointer last, so that an
 * interrupted copy is still whole as it was before. Everything copied is checked against its digest. Records and shards
 * already there are checked too, and copied again if damaged.
 *
 * @param repair also checks all bodies already there, for which it reads the whole copy
 * @throws ForemarkError not_found when there is nothing to copy
 * @throws ForemarkError invalid_configuration when the other sink is itself published to
 * @throws ForemarkError archive_damaged when the source is incomplete
 * @throws ForemarkError publication_superseded when the source was pruned meanwhile; run again
 */
export async function mirrorArchive(from: Sink, to: Sink, { repair = false } = {}): Promise<MirrorReport> {
  const pointer = await from.find(POINTER_KEY);
  if (!pointer) throw new ForemarkError('not_found', `${from.place} holds no archive`);
  // Its pointer would be replaced; and in the publication itself nothing would be copied, without a word.
  if (await to.read(PUBLICATION_KEY))
    throw new ForemarkError(
      'invalid_configuration',
      `${to.place} is published to, so it can hold no copy; choose another folder`,
    );
  return whileItStands(from, pointer.etag, () => copyGenerations(from, to, pointer.body, repair));
}

async function copyGenerations(
  from: Sink,
  to: Sink,
  pointerBody: Buffer,
  repair: boolean,
): Promise<MirrorReport> {
  const pointer = parsePointer(pointerBody);
  await to.removeLeftovers?.(...FOLDERS_OUTSIDE);
  const there = new ArchiveKeys();
  if (!repair) for await (const key of to.list(OBJECTS)) there.add(key);
  const report = { objects_copied: 0, bytes_copied: 0 };
  const copy = async (key: string, sha256: string) => {
    if (there.has(key)) return;
    there.add(key);
    const before = await to.read(key);
    if (before && hash('sha256', before) === sha256) return;
    const body = await readContent(from, key, sha256);
    await to.write(key, body, { metadata: metadataOf(key) });
    report.objects_copied++;
    report.bytes_copied += body.byteLength;
  };
  for await (const { ref, record } of eachGeneration(from, pointer)) {
    await copy(generationKey(ref), ref.sha256);
    const shards = shardsNamed(record).filter((sha256) => !there.has(shardKey(sha256)));
    await atOnce(from.width, shards, (sha256) => copy(shardKey(sha256), sha256));
    const objects = await readNamed(to, shards);
    await atOnce(from.width, objects, (sha256) => copy(objectKey(sha256), sha256));
  }
  await to.write(POINTER_KEY, pointerBody, { metadata: metadataOf(POINTER_KEY), barrier: true });
  return { generation: pointer.generation, ...report, place: to.place };
}
