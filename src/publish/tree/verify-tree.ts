import { hash } from 'node:crypto';
import { atOnce } from '../../model/at-once.ts';
import { formatInstant } from '../../model/time.ts';
import { PUBLICATION_KEY } from '../../routes/page-files.ts';
import type { GenerationRecord, Pointer } from '../../store/archive/archive.ts';
import { findCurrentGeneration } from '../archive/current-generation.ts';
import type { Digests } from '../archive/digest-table.ts';
import { readDigests } from '../archive/generation-digests.ts';
import type { Sink } from '../sinks/sink.ts';
import { findPublication, type Publication } from './publication.ts';
import { eachTreeKey, keysOutside } from './tree-keys.ts';
import { documentOf, hasVariants, unpack, type Variant } from './variants.ts';

/** A generation as it was read; digests are missing if a shard is damaged. */
export interface ReadGeneration {
  pointer: Pointer;
  record: GenerationRecord;
  digests: Digests;
}

/**
 * Compares the live tree with its generation: each document, its precompressed forms, and what else is there. A publish may
 * move the tree on meanwhile; what differs is then compared again, with the generation current by then.
 *
 * @param problems gets what is wrong, in words
 * @returns the number of documents; undefined where there is no tree, or it is that of another generation
 */
export async function verifyTree(
  sink: Sink,
  newest: ReadGeneration,
  problems: string[],
): Promise<number | undefined> {
  let { pointer, record, digests } = newest;
  let doubtful: ReadonlyMap<string, string> | undefined;
  for (;;) {
    const tree = await findPublication(sink);
    if (!tree) {
      if (await isAnythingThere(sink))
        problems.push(
          `${PUBLICATION_KEY} is missing, so what the live tree holds is not known: a publish is under way, or the next one will finish it`,
        );
      return undefined;
    }
    const isCurrent = tree.sha256 === pointer.sha256;
    if (isCurrent) {
      const keys = doubtful ? new Set([...doubtful.keys()].map(documentOf)) : digests.keys();
      const isWhole = digests.size === record.documents;
      const listed = doubtful ? eachThere(sink, doubtful.keys()) : isWhole ? eachListed(sink, digests) : [];
      doubtful = await compare(sink, { digests, keys, listed, variants: tree.variants });
      if (doubtful.size === 0 && otherwiseSaid(tree, record).length === 0) return digests.size;
    }
    const current = await findCurrentGeneration(sink);
    if (!current || current.pointer.sha256 === pointer.sha256) {
      if (isCurrent) problems.push(...(doubtful?.values() ?? []), ...otherwiseSaid(tree, record));
      else
        problems.push(
          `the live tree is that of generation ${tree.generation}: a publish is under way, or the next one will finish it`,
        );
      return isCurrent ? digests.size : undefined;
    }
    ({ pointer, record } = current);
    digests = await readDigests(sink, record);
  }
}

/** How a live tree differs from its generation, in words, by key. */
export function findDifferences(
  sink: Sink,
  digests: Digests,
  variants: readonly Variant[],
): Promise<Map<string, string>> {
  return compare(sink, { digests, keys: digests.keys(), listed: eachListed(sink, digests), variants });
}

/** Whether there is a live tree at all; a mirror of an archive has none. */
async function isAnythingThere(sink: Sink): Promise<boolean> {
  for await (const _ of eachTreeKey(sink)) return true;
  return false;
}

/** How publication.json differs from its generation, in words. */
function otherwiseSaid(tree: Publication, record: GenerationRecord): string[] {
  const { generation, label, documents } = record;
  const should = { generation, as_of: formatInstant(record.as_of), label, documents };
  const wrong = (Object.keys(should) as (keyof typeof should)[]).filter(
    (name) => tree[name] !== should[name],
  );
  return wrong.map((name) => `${PUBLICATION_KEY} has another ${name} than its generation: ${tree[name]}`);
}

interface Compared {
  digests: Digests;
  /** The documents to compare. */
  keys: Iterable<string>;
  /** All keys there, to find what belongs to no document. */
  listed: Iterable<string> | AsyncIterable<string>;
  variants: readonly Variant[];
}

/** What differs, in words, by key. */
async function compare(
  sink: Sink,
  { digests, keys, listed, variants }: Compared,
): Promise<Map<string, string>> {
  const different = new Map<string, string>();
  const packedKeys = new Set<string>();
  await atOnce(sink.width, keys, async (key) => {
    const sha256 = digests.get(key);
    if (sha256 === undefined) return;
    const body = await sink.read(key);
    if (!body) different.set(key, `${key} is missing from the live tree`);
    else if (hash('sha256', body) !== sha256)
      different.set(key, `${key} of the live tree differs from its generation`);
    for (const variant of body && !hasVariants(key, body) ? [] : variants) {
      const packedKey = `${key}.${variant}`;
      packedKeys.add(packedKey);
      const packed = await sink.read(packedKey);
      if (!packed) different.set(packedKey, `${packedKey} is missing from the live tree`);
      else if (body && !unpack(variant, packed)?.equals(body))
        different.set(packedKey, `${packedKey} of the live tree does not hold what ${key} does`);
    }
  });
  for await (const key of listed)
    if (digests.get(key) === undefined && !packedKeys.has(key))
      different.set(key, `${key} of the live tree belongs to no document`);
  return different;
}

/** All keys in the folders of the tree, and those of documents outside that exist. */
async function* eachListed(sink: Sink, digests: Digests): AsyncGenerator<string> {
  yield* eachTreeKey(sink);
  yield* eachThere(sink, keysOutside(digests));
}

async function* eachThere(sink: Sink, keys: Iterable<string>): AsyncGenerator<string> {
  for (const key of keys) if (await sink.read(key)) yield key;
}
