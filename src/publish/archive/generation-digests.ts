import { atOnce } from '../../model/at-once.ts';
import { type GenerationRecord, GONE } from '../../store/archive/archive.ts';
import { readShard } from '../../store/archive/archive-reads.ts';
import type { Sink } from '../sinks/sink.ts';
import { DigestTable } from './digest-table.ts';

/** The digests of all documents of a generation, by key. */
export async function readDigests(
  sink: Sink,
  record: Pick<GenerationRecord, 'shards' | 'changes'> | undefined,
): Promise<DigestTable> {
  const digests = new DigestTable();
  await eachRow(sink, record?.shards ?? [], (key, sha256) => digests.set(key, sha256));
  await eachRow(sink, record?.changes ?? [], (key, sha256) => {
    if (sha256 === GONE) digests.delete(key);
    else digests.set(key, sha256);
  });
  return digests;
}

/** What shards of changes say, by key. */
export async function readChanges(sink: Sink, shards: readonly string[]): Promise<Map<string, string>> {
  const changes = new Map<string, string>();
  await eachRow(sink, shards, (key, sha256) => changes.set(key, sha256));
  return changes;
}

/**
 * The digests of all objects that shards name, also of documents that a generation's changes have replaced: they stay in
 * the archive as long as the shards do.
 */
export async function readNamed(sink: Sink, shards: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  await eachRow(sink, shards, (_key, sha256) => {
    if (sha256 !== GONE) named.add(sha256);
  });
  return named;
}

/** Calls `tell` for each row of some shards. */
async function eachRow(
  sink: Sink,
  shards: readonly string[],
  tell: (key: string, sha256: string) => void,
): Promise<void> {
  await atOnce(sink.width, shards, async (name) => {
    for (const [key, sha256] of await readShard(sink, name)) tell(key, sha256);
  });
}
