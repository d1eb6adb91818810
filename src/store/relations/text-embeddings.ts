import { TEXT_GROUPS } from '../../model/relations.ts';
import type { Reader, Writer } from '../store.ts';

/** Whether the vector of a text by a model is stored, by the digest of the text. */
export function hasEmbedding(reader: Reader, model: string, digest: Buffer): boolean {
  const sql = 'SELECT 1 FROM text_embeddings WHERE model = ? AND digest = +?';
  return reader.get(sql, model, digest) !== undefined;
}

/** Stores the vector of a text, by the digest of the text. */
export function insertEmbedding(writer: Writer, model: string, digest: Buffer, vector: Int8Array): void {
  writer.run(
    'INSERT OR REPLACE INTO text_embeddings (model, digest, vector) VALUES (?, ?, ?)',
    model,
    digest,
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  );
}

/**
 * Deletes the vectors of all other texts, and all vectors of other models.
 *
 * @param digests of the texts to keep, in hexadecimal
 */
export function keepEmbeddings(writer: Writer, model: string, digests: ReadonlySet<string>): void {
  writer.run('DELETE FROM text_embeddings WHERE model <> ?', model);
  for (const digest of writer.column<Buffer>('SELECT digest FROM text_embeddings WHERE model = ?', model))
    if (!digests.has(digest.toString('hex')))
      writer.run('DELETE FROM text_embeddings WHERE model = ? AND digest = ?', model, digest);
}

/** Marks texts to be compared again that got their vector since they were last compared. */
export function compareEmbedded(writer: Writer, model: string): void {
  writer.run(
    `UPDATE relation_texts SET compared = min(compared, 0), embedded = 1
     WHERE embedded = 0 AND text_group <> ${TEXT_GROUPS.settled}
       AND digest IN (SELECT digest FROM text_embeddings WHERE model = ?)`,
    model,
  );
}

/** The vectors of all texts, by the key of the text. */
export function loadEmbeddings(reader: Reader, model: string): Map<number, Int8Array> {
  const vectors = new Map<number, Int8Array>();
  const rows = reader.iterate<{ text_key: number; vector: Buffer }>(
    `SELECT text_key, vector FROM relation_texts JOIN text_embeddings USING (digest) WHERE model = ?`,
    model,
  );
  for (const { text_key, vector } of rows) vectors.set(text_key, Int8Array.from(vector));
  return vectors;
}
