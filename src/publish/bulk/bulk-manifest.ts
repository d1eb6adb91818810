import { z } from 'zod';
import { type ObjectReader, objectKey } from '../../store/archive/archive.ts';
import { readContent } from '../../store/archive/archive-reads.ts';
import type { Digests } from '../archive/digest-table.ts';
import { findManifest } from '../archive/find-manifest.ts';
import type { PublishDocument } from '../comparison.ts';

const BULK_MANIFEST = 'bulk/manifest.json';

const bulkFile = z.object({
  key: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** 1 for a file's first bytes, one more each time they changed. */
  revision: z.int(),
  /** Identifies what the file was made from; while that is the same, the file is kept. */
  source: z.string(),
});
const bulkManifest = z.object({ through: z.string(), files: z.array(bulkFile) });
export type BulkFile = z.output<typeof bulkFile>;
type BulkManifest = z.output<typeof bulkManifest>;

/** The bulk files as they were published last, by key. */
export async function findBulkFiles(archive: ObjectReader): Promise<Map<string, BulkFile>> {
  const manifest = await findManifest(archive, BULK_MANIFEST, bulkManifest);
  return new Map(manifest?.files.map((file) => [file.key, file]));
}

/** The key of a day's catalog, without its ending. */
export const catalogName = (day: string) => `bulk/catalog/${day}`;

/** The day of a catalog; undefined of another file. */
export function catalogDay(key: string): string | undefined {
  return /^bulk\/catalog\/(.*)\.\w+$/.exec(key)?.[1];
}

/** The revision of a file: one more than the last if its bytes changed. */
export function revisionAfter(last: BulkFile | undefined, sha256: string): number {
  return (last?.revision ?? 0) + (last?.sha256 === sha256 ? 0 : 1);
}

export function manifestDocument(manifest: BulkManifest): PublishDocument {
  return { key: BULK_MANIFEST, body: Buffer.from(JSON.stringify(manifest)) };
}

/**
 * The bulk files that a rollback keeps besides those it restores: the catalogs of later days, which cannot be made
 * again, and a manifest that names both.
 *
 * @param current, restored digests by key, of the current generation and of the one to restore
 */
export async function bulkAfterRollback(
  archive: ObjectReader,
  current: Digests,
  restored: Digests,
): Promise<PublishDocument[]> {
  const standing = await readManifest(archive, current.get(BULK_MANIFEST));
  if (!standing) return [];
  const wanted = (await readManifest(archive, restored.get(BULK_MANIFEST))) ?? { ...standing, files: [] };
  const last = new Map(standing.files.map((file) => [file.key, file]));
  const later = standing.files.filter(({ key }) => catalogDay(key) !== undefined && !restored.has(key));
  const files = wanted.files.map((file) => {
    const before = last.get(file.key);
    return before ? { ...file, revision: revisionAfter(before, file.sha256) } : file;
  });
  return [
    ...later.map(({ key, sha256 }) => ({ key, sha256 })),
    manifestDocument({ ...wanted, files: [...files, ...later] }),
  ];
}

async function readManifest(
  archive: ObjectReader,
  sha256: string | undefined,
): Promise<BulkManifest | undefined> {
  if (sha256 === undefined) return undefined;
  const body = await readContent(archive, objectKey(sha256), sha256);
  return bulkManifest.parse(JSON.parse(body.toString()));
}
