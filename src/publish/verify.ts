import { hash } from 'node:crypto';
import { atOnce } from '../model/at-once.ts';
import { hasCode } from '../model/errors.ts';
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
import type { DigestTable } from './archive/digest-table.ts';
import { readDigests, readNamed } from './archive/generation-digests.ts';
import { eachArchiveKey, eachGeneration } from './archive/generations.ts';
import type { Sink } from './sinks/sink.ts';
import { type ReadGeneration, verifyTree } from './tree/verify-tree.ts';

export interface VerifyReport {
  generations: number;
  objects: number;
  bytes: number;
  /**
   * The keys in the archive that no generation names, left by an interrupted publish or written by one under way. Absent if
   * a record or shard could not be read, or a publish came in between.
   */
  unnamed?: string[];
  /** Documents of the live tree that were compared; absent where there is no tree. */
  tree_documents?: number;
  /** The differences found, in words. */
  problems: string[];
  place: string;
}

/**
 * Reads everything that the archive's generations name and compares it with its digest, looks for what else is there, and
 * compares the live tree with its generation. Publishes and prunes may go on meanwhile.
 */
export async function verifyArchive(sink: Sink): Promise<VerifyReport> {
  const pointer = await readPointer(sink);
  const reading = new ArchiveReading(sink);
  if (!pointer) reading.problems.push('there is no pointer: nothing was published here');
  else await reading.readGenerations(pointer);
  const { counts, problems, newest, isComplete, keys } = reading;
  const unnamed = pointer && isComplete ? await findUnnamed(sink, pointer, keys) : undefined;
  const tree_documents = newest && (await verifyTree(sink, newest, problems));
  return { ...counts, problems, place: sink.place, ...given({ unnamed, tree_documents }) };
}

/** Reads an archive, each key once, and compares the bytes with their digests. */
class ArchiveReading {
  readonly counts = { generations: 0, objects: 0, bytes: 0 };
  readonly problems: string[] = [];
  /** The keys that were read. */
  readonly keys = new ArchiveKeys();
  /** The newest generation, as far as its shards are undamaged. */
  newest: ReadGeneration | undefined;
  /** Whether all records and shards were undamaged, so that every key named by a generation is known. */
  isComplete = true;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Reads all generations, the newest first. */
  async readGenerations(pointer: Pointer): Promise<void> {
    let reached: GenerationRef = pointer;
    try {
      for await (const { ref, record } of eachGeneration(this.#sink, pointer)) {
        const sound = await this.#readGeneration(ref, record);
        this.newest ??= { pointer, record, digests: await this.#digestsOf(record, sound) };
        reached = record.parent ?? ref;
      }
    } catch (thrown) {
      // Without a record the generations before it are unknown.
      this.isComplete = false;
      if (!hasCode(thrown, 'archive_damaged')) throw thrown;
      if (await isKept(this.#sink, reached)) this.problems.push(thrown.message);
    }
  }

  /** Reads what a generation names and no newer one does. @returns its undamaged shards */
  async #readGeneration(ref: GenerationRef, record: GenerationRecord): Promise<ReadonlySet<string>> {
    const { width } = this.#sink;
    this.counts.generations++;
    await this.#check(generationKey(ref), ref.sha256, ref);
    const fresh = shardsNamed(record).filter((sha256) => !this.keys.has(shardKey(sha256)));
    const sound = new Set<string>();
    await atOnce(width, fresh, async (sha256) => {
      if (await this.#check(shardKey(sha256), sha256, ref)) sound.add(sha256);
      else this.isComplete = false;
    });
    const objects = await readNamed(this.#sink, [...sound]);
    await atOnce(width, objects, (sha256) => this.#check(objectKey(sha256), sha256, ref));
    return sound;
  }

  /** @param named the newest generation that names the key */
  async #check(key: string, sha256: string, named: GenerationRef): Promise<boolean> {
    if (this.keys.has(key)) return true;
    this.keys.add(key);
    const body = await this.#sink.read(key);
    this.counts.objects++;
    this.counts.bytes += body?.byteLength ?? 0;
    if (body && hash('sha256', body) === sha256) return true;
    if (await isKept(this.#sink, named))
      this.problems.push(`${key} ${body ? 'does not match its digest' : 'is missing'}`);
    return false;
  }

  #digestsOf({ shards, changes }: GenerationRecord, sound: ReadonlySet<string>): Promise<DigestTable> {
    const isSound = (sha256: string) => sound.has(sha256);
    return readDigests(this.#sink, { shards: shards.filter(isSound), changes: changes.filter(isSound) });
  }
}

async function findUnnamed(sink: Sink, pointer: Pointer, named: ArchiveKeys): Promise<string[] | undefined> {
  const unnamed: string[] = [];
  for await (const key of eachArchiveKey(sink)) if (!named.has(key)) unnamed.push(key);
  return (await readPointer(sink))?.sha256 === pointer.sha256 ? unnamed : undefined;
}

/** Whether a generation is still kept, and not removed by a prune that began meanwhile. */
async function isKept(sink: Sink, { generation }: GenerationRef): Promise<boolean> {
  return generation >= ((await readPointer(sink))?.oldest ?? 0);
}
