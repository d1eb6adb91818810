import { hash } from 'node:crypto';
import { atOnce } from '../model/at-once.ts';
import { ForemarkError } from '../model/errors.ts';
import { given } from '../model/given.ts';
import {
  type GenerationRecord,
  type GenerationRef,
  generationKey,
  objectKey,
  type Pointer,
  shardKey,
  shardsNamed,
} from '../store/archive/archive.ts';
import { readPointer } from '../store/archive/archive-reads.ts';
import { ArchiveKeys } from './archive/archive-keys.ts';
import { readDigests, readNamed } from './archive/generation-digests.ts';
import { eachArchiveKey, eachGeneration } from './archive/generations.ts';
import type { Sink } from './sinks/sink.ts';
import { type ReadGeneration, verifyTree } from './tree/verify-tree.ts';

export interface VerifyReport {
  generations: number;
  objects: number;
  bytes: number;
  /**
   * The keys in the archive that no generation names: of a publish that was cut off or is under way. Absent where not all
   * that is named is known: a record or shard is not to be had, or a publish came between.
   */
  unnamed?: string[];
  /** Documents of the live tree that were compared; absent where there is no tree. */
  tree_documents?: number;
  /** The differences found, in words. */
  problems: string[];
  place: string;
}

/**
 * Reads everything that the archive's generations name and compares it with its digest; then what it holds besides, and
 * the live tree with the generation that it should hold. What is published or pruned meanwhile is no problem.
 */
export async function verifyArchive(sink: Sink): Promise<VerifyReport> {
  const report: VerifyReport = { generations: 0, objects: 0, bytes: 0, problems: [], place: sink.place };
  const { problems } = report;
  const pointer = await readPointer(sink);
  if (!pointer) return { ...report, problems: ['there is no pointer: nothing was published here'] };
  const seen = new ArchiveKeys();
  /** @param named the newest generation that names the key */
  const check = async (key: string, sha256: string, named: GenerationRef) => {
    if (seen.has(key)) return true;
    seen.add(key);
    const body = await sink.read(key);
    report.objects++;
    report.bytes += body?.byteLength ?? 0;
    if (body && hash('sha256', body) === sha256) return true;
    if (await isKept(sink, named))
      problems.push(`${key} ${body ? 'has other bytes than its digest says' : 'is missing'}`);
    return false;
  };
  let newest: ReadGeneration | undefined;
  let isKnown = true;
  const checkGeneration = async (ref: GenerationRef, record: GenerationRecord) => {
    report.generations++;
    await check(generationKey(ref), ref.sha256, ref);
    const fresh = shardsNamed(record).filter((sha256) => !seen.has(shardKey(sha256)));
    const sound = new Set<string>();
    await atOnce(sink.width, fresh, async (sha256) => {
      if (await check(shardKey(sha256), sha256, ref)) sound.add(sha256);
      else isKnown = false;
    });
    const objects = await readNamed(sink, [...sound]);
    await atOnce(sink.width, objects, (sha256) => check(objectKey(sha256), sha256, ref));
    if (newest) return;
    const soundOf = (shards: readonly string[]) => shards.filter((sha256) => sound.has(sha256));
    const read = { shards: soundOf(record.shards), changes: soundOf(record.changes) };
    newest = { pointer, record, digests: await readDigests(sink, read) };
  };
  let reached: GenerationRef = pointer;
  try {
    for await (const { ref, record } of eachGeneration(sink, pointer)) {
      await checkGeneration(ref, record);
      reached = record.parent ?? ref;
    }
  } catch (thrown) {
    // Without its record no generation before it is known.
    isKnown = false;
    if (!(thrown instanceof ForemarkError) || thrown.code !== 'archive_damaged') throw thrown;
    if (await isKept(sink, reached)) problems.push(thrown.message);
  }
  const unnamed = isKnown ? await findUnnamed(sink, pointer, seen) : undefined;
  const tree_documents = newest && (await verifyTree(sink, newest, problems));
  return { ...report, ...given({ unnamed, tree_documents }) };
}

async function findUnnamed(sink: Sink, pointer: Pointer, named: ArchiveKeys): Promise<string[] | undefined> {
  const unnamed: string[] = [];
  for await (const key of eachArchiveKey(sink)) if (!named.has(key)) unnamed.push(key);
  return (await readPointer(sink))?.sha256 === pointer.sha256 ? unnamed : undefined;
}

/** Whether no prune that began meanwhile takes a generation away. */
async function isKept(sink: Sink, { generation }: GenerationRef): Promise<boolean> {
  return generation >= ((await readPointer(sink))?.oldest ?? 0);
}
