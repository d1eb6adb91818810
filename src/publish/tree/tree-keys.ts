import { DOCUMENTS } from '../../routes/id-encoding.ts';
import type { Digests } from '../archive/digest-table.ts';
import type { Sink } from '../sinks/sink.ts';
import { VARIANTS } from './variants.ts';

/** Folders in which nothing but documents lies. A few lie outside, among files that may be somebody else's. */
const TREES = [`${DOCUMENTS}/`, 'bulk/', 'cards/', 'explorer/'];

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
export async function listTree(sink: Sink): Promise<Map<string, string>> {
  const there = new Map<string, string>();
  if (sink.listEtags)
    for (const prefix of TREES)
      for await (const { key, etag } of sink.listEtags(prefix)) there.set(key, etag);
  else for await (const key of eachTreeKey(sink)) there.set(key, '');
  return there;
}
