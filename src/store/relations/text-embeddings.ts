import { TEXT_GROUPS } from '../../model/relations.ts';
import type { Reader, Writer } from '../store.ts';

/** Digests, as hex, of the texts that a model has given vectors to. */
export function listEmbedded(reader: Reader, model: string): Set<string> {
  const rows = reader.all<{ digest: string }>(
    'SELECT lower(hex(digest)) AS digest FROM text_embeddings WHERE model = ?',
    model,
  );
  return new Set(rows.map((each) => each.digest));
}

/** Keeps the vector of a text, by the digest of the text. */
export function insertEmbedding(writer: Writer, model: string, digest: Buffer, vector: Int8Array): void {
  writer.run(
    'INSERT OR REPLACE INTO text_embeddings (model, digest, vector) VALUES (?, ?, ?)',
    model,
    digest,
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  );
}

/** Takes vectors away whose texts are gone, and all of other models. */
export function removeEmbeddings(writer: Writer, model: string, gone: Iterable<string>): void {
  writer.run('DELETE FROM text_embeddings WHERE model <> ?', model);
  for (const digest of gone)
    writer.run(
      'DELETE FROM text_embeddings WHERE model = ? AND digest = ?',
      model,
      Buffer.from(digest, 'hex'),
    );
}

/** Lets texts be compared once more that have got their vector since they were. */
export function compareEmbedded(writer: Writer, model: string): void {
  writer.run(
    `UPDATE relation_texts SET compared = 0, embedded = 1
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
