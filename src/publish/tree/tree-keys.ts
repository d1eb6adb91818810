import { DOCUMENTS } from '../../routes/id-encoding.ts';
import type { Digests } from '../archive/digest-table.ts';
import type { Sink } from '../sinks/sink.ts';
import { formsOf, VARIANTS } from './variants.ts';

/** Folders that contain nothing but documents. A few documents are outside, among files that may not be ours. */
const TREES = [`${DOCUMENTS}/`, 'bulk/', 'cards/', 'explorer/'];

/** Folders with the few files that are written outside of those that are listed. */
export const FOLDERS_OUTSIDE = ['', 'archive/', 'api/v1/'];

/** All keys in the folders of a live tree, including precompressed forms and what does not belong there. */
export async function* eachTreeKey(sink: Sink): AsyncGenerator<string> {
  for (const prefix of TREES) yield* sink.list(prefix);
}

/** The keys outside of those folders, which are not listed, of documents and their precompressed forms. */
export function keysOutside(documents: Digests): string[] {
  const keys: string[] = [];
  for (const key of documents.keys())
    if (!TREES.some((tree) => key.startsWith(tree))) keys.push(...formsOf(key, VARIANTS));
  return keys;
}

/** The keys of a live tree with their ETags, which are empty if the sink does not list them. */
export async function listTree(sink: Sink): Promise<Map<string, string>> {
  const there = new Map<string, string>();
  if (sink.listEtags)
    for (const prefix of TREES)
      for await (const { key, etag } of sink.listEtags(prefix)) there.set(key, etag);
  else for await (const key of eachTreeKey(sink)) there.set(key, '');
  return there;
}
