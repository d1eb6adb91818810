import { type Digests, DigestTable } from './digest-table.ts';

/** What leads from the documents of one generation to those of another. */
export interface DigestChange {
  /** Digests of the documents to write, by key. */
  write: Iterable<[key: string, sha256: string]> & { readonly size: number };
  remove: readonly string[];
}

/** What leads from some documents to others. */
export function changeOf(before: Digests, after: Digests): { write: DigestTable; remove: string[] } {
  const write = new DigestTable();
  for (const [key, sha256] of after) if (before.get(key) !== sha256) write.set(key, sha256);
  const remove: string[] = [];
  for (const key of before.keys()) if (!after.has(key)) remove.push(key);
  return { write, remove };
}
