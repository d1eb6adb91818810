import { hash } from 'node:crypto';
import { readDigests } from '../../src/publish/archive/generation-digests.ts';
import { type GenerationOptions, publishGeneration } from '../../src/publish/publish-generation.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { objectKey } from '../../src/store/archive/archive.ts';
import { findGeneration } from '../../src/store/archive/archive-reads.ts';
import { type MemorySink, memorySink } from './memory-sink.ts';

/** Texts of documents by key. */
export type Texts = Record<string, string>;

export const DAY = Date.UTC(2026, 10, 2);
export const HOUR = 3_600_000;

/** Documents `d0` to `d<count - 1>` with some text. */
export function texts(count: number, say: (i: number) => string): Texts {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`api/v1/public/d${i}.json`, `{"d":"${say(i)}"}`]),
  );
}

/** Publishes texts as of an instant. */
export function publishTexts(sink: Sink, wanted: Texts, more: Partial<GenerationOptions> = {}) {
  const documents = Object.entries(wanted).map(([key, text]) => ({ key, body: Buffer.from(text) }));
  return publishGeneration([documents], { sink, now: DAY, label: '', progress: () => {}, ...more });
}

/** An archive in which document 0 holds the number of the generation and the others stay; one generation an hour. */
export async function archiveOf(generations: number): Promise<MemorySink> {
  const sink = memorySink(4);
  for (let n = 1; n <= generations; n++)
    await publishTexts(
      sink,
      texts(600, (i) => (i === 0 ? `generation ${n}` : 'same')),
      { now: DAY + n * HOUR },
    );
  return sink;
}

/** The live tree. */
export function treeOf({ objects }: MemorySink): Texts {
  const entries = [...objects].filter(([key]) => key.startsWith('api/'));
  return Object.fromEntries(entries.map(([key, body]) => [key, body.toString()]));
}

/** What a reader who follows the pointer gets: a whole generation, or an error where something is missing. */
export async function followPointer(objects: Map<string, Buffer>): Promise<Texts | undefined> {
  const reader = memorySink(1, objects);
  const found = await findGeneration(reader, () => true);
  if (!found) {
    if (objects.has('archive/pointer.json')) throw new Error('the pointer names no record');
    return undefined;
  }
  const all: Texts = {};
  for (const [key, sha256] of await readDigests(reader, found.record)) {
    const body = objects.get(objectKey(sha256));
    if (!body) throw new Error(`${key} is missing from the archive`);
    if (hash('sha256', body) !== sha256) throw new Error(`${key} has other bytes than its digest`);
    all[key] = body.toString();
  }
  return all;
}
