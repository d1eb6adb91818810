import { atOnce } from '../model/at-once.ts';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { DOCUMENTS } from '../routes/id-encoding.ts';
import { objectKey } from '../store/archive/archive.ts';
import { findRecord, readContent } from '../store/archive/archive-reads.ts';
import { type Digests, DigestTable } from './digest-table.ts';
import { metadataOf } from './headers.ts';
import type { LeftBehind } from './left-behind.ts';
import type { Sink } from './sinks/sink.ts';
import {
  checkPointer,
  findStanding,
  findTree,
  PUBLICATION_KEY,
  type Publication,
  readDigests,
  type Standing,
} from './standing.ts';
import { documentOf, VARIANTS, type Variant, variantsOf } from './variants.ts';

/** Folders in which nothing but documents lies. A few lie outside, among files that may be somebody else's. */
const TREES = [`${DOCUMENTS}/`, 'bulk/', 'cards/', 'explorer/'];
/** After so many documents it is looked whether the pointer still stands. */
const FENCED_EVERY = 256;

/** The changes that bring a live tree to a generation. */
export interface TreeChange {
  /** Digests of the documents to write, by key. */
  write: Iterable<[key: string, sha256: string]> & { readonly size: number };
  remove: readonly string[];
}

export interface TreeOptions {
  sink: Sink;
  variants: readonly Variant[];
  now: Instant;
  /** Bytes that are at hand, by digest; the others are read from the archive. */
  held?: ReadonlyMap<string, Buffer>;
  /**
   * Digests of the objects that were written just now. A document may be one file with such an object; with an older
   * one it would seem older than the document before it, and a host that goes by dates would not send it.
   */
  fresh?: ReadonlySet<string>;
  /** What a publish that was cut off has written already; without it all is written that may not be in place. */
  left?: LeftBehind;
}

/** The changes between the documents of two generations. */
export function changeOf(before: Digests, after: Digests): { write: DigestTable; remove: string[] } {
  const write = new DigestTable();
  for (const [key, sha256] of after) if (before.get(key) !== sha256) write.set(key, sha256);
  const remove: string[] = [];
  for (const key of before.keys()) if (!after.has(key)) remove.push(key);
  return { write, remove };
}

/**
 * Brings the live tree to a generation, document by document, and then says that it is whole. A publisher
 * whose pointer another has moved stops, and sets right what it wrote too late.
 *
 * @throws ForemarkError publication_superseded
 */
export async function writeTree(standing: Standing, change: TreeChange, options: TreeOptions): Promise<void> {
  const { sink, now } = options;
  try {
    await writeDocuments(standing, change, options);
    await checkPointer(sink, standing.etag);
  } catch (thrown) {
    const late = thrown instanceof ForemarkError && thrown.code === 'publication_superseded';
    if (late) await setRight([...Array.from(change.write, ([key]) => key), ...change.remove], options);
    throw thrown;
  }
  const { pointer, record } = standing;
  const { as_of, label, documents } = record;
  const said = {
    generation: pointer.generation,
    sha256: pointer.sha256,
    as_of: formatInstant(as_of),
    checked_at: formatInstant(now),
    label,
    documents,
    ...(options.variants.length > 0 ? { variants: options.variants } : {}),
  };
  const body = Buffer.from(`${JSON.stringify(said)}\n`);
  await sink.write(PUBLICATION_KEY, body, { metadata: metadataOf(PUBLICATION_KEY), barrier: true });
}

async function writeDocuments(
  { pointer, etag }: Standing,
  { write, remove }: TreeChange,
  { sink, variants, held, fresh }: TreeOptions,
): Promise<void> {
  const generation = String(pointer.generation);
  let done = 0;
  await atOnce(sink.width, write, async ([key, sha256]) => {
    if (done++ % FENCED_EVERY === 0) await checkPointer(sink, etag);
    const linked = fresh?.has(sha256) && (await sink.link?.(objectKey(sha256), key));
    if (linked && variants.length === 0) return;
    const body = held?.get(sha256) ?? (await readContent(sink, objectKey(sha256), sha256));
    if (!linked) await sink.write(key, body, { metadata: { ...metadataOf(key), generation } });
    for (const variant of variantsOf(key, body, variants))
      if (variant.body)
        await sink.write(variant.key, variant.body, { metadata: { ...metadataOf(variant.key), generation } });
      else await sink.remove(variant.key);
  });
  if (remove.length === 0) return;
  await checkPointer(sink, etag);
  await sink.remove(...remove.flatMap((key) => [key, ...variants.map((variant) => `${key}.${variant}`)]));
}

/** Writes documents once more, as the newest generation has them, until the pointer stands still meanwhile. */
async function setRight(keys: readonly string[], options: TreeOptions): Promise<void> {
  for (;;) {
    const standing = await findStanding(options.sink);
    if (!standing) return;
    const digests = await readDigests(options.sink, standing.record);
    const write = new Map<string, string>();
    for (const key of keys) {
      const sha256 = digests.get(key);
      if (sha256 !== undefined) write.set(key, sha256);
    }
    try {
      await writeDocuments(standing, { write, remove: keys.filter((key) => !write.has(key)) }, options);
      return await checkPointer(options.sink, standing.etag);
    } catch (thrown) {
      if (!(thrown instanceof ForemarkError) || thrown.code !== 'publication_superseded') throw thrown;
    }
  }
}

/**
 * Brings a live tree to the generation that stands, where a publish before left it behind or it lies in other
 * encodings than are wanted by now.
 *
 * @param isTrial whether it is only looked at
 * @returns whether there is something to do
 */
export async function finishTree(
  standing: Standing,
  digests: Digests,
  options: TreeOptions,
  isTrial = false,
): Promise<boolean> {
  const { sink, variants, left } = options;
  const tree = await findTree(sink);
  const isEncoded = tree !== undefined && liesIn(tree, variants);
  if (isEncoded && tree.sha256 === standing.pointer.sha256) return false;
  if (isTrial) return true;
  // Cut off on the way to other encodings, the tree lies in neither: nothing may say that it does.
  if (tree && !isEncoded) await sink.remove(PUBLICATION_KEY);
  const before = isEncoded ? await findHeld(sink, tree) : new DigestTable();
  const { write } = changeOf(before, digests);
  const there = await listTree(sink);
  // What lies ready in other encodings tells by no ETag what it was made from.
  if (variants.length === 0) await left?.leaveOut(write, there);
  const belongs = (key: string, document: string) =>
    digests.has(document) && (key === document || variants.some((each) => key === `${document}.${each}`));
  const listed = new Set([...there.keys(), ...keysOutside(before), ...keysOutside(digests)]);
  const remove = [...listed].filter((key) => !belongs(key, documentOf(key)));
  await writeTree(standing, { write, remove }, options);
  return true;
}

/** What a live tree holds; nothing where the archive does not tell any more, so that all is written. */
async function findHeld(sink: Sink, tree: Publication): Promise<DigestTable> {
  try {
    return await readDigests(sink, await findRecord(sink, tree));
  } catch (thrown) {
    if (thrown instanceof ForemarkError && thrown.code === 'archive_damaged') return new DigestTable();
    throw thrown;
  }
}

function liesIn(tree: Publication, variants: readonly Variant[]): boolean {
  const there = new Set<string>(tree.variants);
  return there.size === new Set(variants).size && variants.every((each) => there.has(each));
}

/** The keys in the folders of a live tree, with those of precompressed forms and of what does not belong there. */
export async function* eachTreeKey(sink: Sink): AsyncGenerator<string> {
  for (const prefix of TREES) yield* sink.list(prefix);
}

/** Where documents that lie outside of those folders, and precompressed forms of them, may be: these are not listed. */
export function keysOutside(documents: Digests): string[] {
  const keys: string[] = [];
  for (const key of documents.keys())
    if (!TREES.some((tree) => key.startsWith(tree)))
      keys.push(key, ...VARIANTS.map((variant) => `${key}.${variant}`));
  return keys;
}

/** The keys of a live tree with their ETags; empty where the sink's lists tell none. */
async function listTree(sink: Sink): Promise<Map<string, string>> {
  const there = new Map<string, string>();
  if (sink.listEtags)
    for (const prefix of TREES)
      for await (const { key, etag } of sink.listEtags(prefix)) there.set(key, etag);
  else for await (const key of eachTreeKey(sink)) there.set(key, '');
  return there;
}
