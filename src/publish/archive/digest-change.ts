import { type Digests, DigestTable } from './digest-table.ts';

/** The difference between the documents of two generations. */
export interface DigestChange {
  write: Iterable<[key: string, sha256: string]> & { readonly size: number };
  remove: readonly string[];
}

export function changeOf(before: Digests, after: Digests): { write: DigestTable; remove: string[] } {
  const write = new DigestTable();
  for (const [key, sha256] of after) if (before.get(key) !== sha256) write.set(key, sha256);
  const remove: string[] = [];
  for (const key of before.keys()) if (!after.has(key)) remove.push(key);
  return { write, remove };
}
