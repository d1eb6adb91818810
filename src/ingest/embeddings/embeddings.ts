import { embeddingModel } from '../../model/embedding.ts';
import type { RelatedText } from '../../model/related-text.ts';
import { eachRelationRecord, textDigest } from '../../store/relations/relation-records.ts';
import { insertEmbedding, listEmbedded, removeEmbeddings } from '../../store/relations/text-embeddings.ts';
import type { Reader } from '../../store/store.ts';
import type { Collector } from '../collector.ts';
import { openAiEmbedder } from './openai-embedder.ts';

/**
 * The optional embeddings of the texts that are compared. Asked once the catalog, filings and articles of the run are
 * in; what has a vector is not asked about again, and what gets none is compared by its words.
 */
export const embeddings: Collector = {
  requestsPerSecond: ({ relations }) => relations.embeddings?.requests_per_second ?? 1,
  async collect({ config, store, feed }) {
    const settings = config.relations.embeddings;
    if (!settings) return;
    const embedder = openAiEmbedder(settings);
    const model = embeddingModel(settings);
    await feed('embeddings', async (feed) => {
      const { missing, gone } = store.read((reader) => compareWithKnown(reader, model));
      store.write((writer) => removeEmbeddings(writer, model, gone));
      for (let done = 0; done < missing.length; done += embedder.batch) {
        const batch = missing.slice(done, done + embedder.batch);
        const vectors = await embedder.embed(
          batch.map(({ text }) => inWords(text)),
          feed,
        );
        store.write((writer) => {
          for (const [i, { digest }] of batch.entries())
            insertEmbedding(writer, model, digest, inBytes(vectors[i] as Float32Array));
        });
        feed.report.rows_read += batch.length;
        feed.report.rows_changed += batch.length;
        feed.progress(done + batch.length, missing.length);
      }
    });
  },
};

interface Missing {
  digest: Buffer;
  text: RelatedText;
}

/** The texts without a vector, each once, and the vectors without a text, by digest. */
function compareWithKnown(reader: Reader, model: string): { missing: Missing[]; gone: Set<string> } {
  const gone = listEmbedded(reader, model);
  const seen = new Set<string>();
  const missing: Missing[] = [];
  for (const { text } of eachRelationRecord(reader)) {
    const digest = textDigest(text);
    const name = digest.toString('hex');
    if (seen.has(name)) continue;
    seen.add(name);
    if (!gone.delete(name)) missing.push({ digest, text });
  }
  return { missing, gone };
}

/** Characters that are sent of a text; the endpoint refuses what is longer than its model reads. */
const LONGEST = 2000;

function inWords({ text, outcome, context }: RelatedText): string {
  const all = [text, outcome, context].filter((each) => each !== undefined && each !== '').join('\n');
  return all.slice(0, LONGEST).toWellFormed();
}

/** A vector in steps of its largest number: cosines are the same to the third decimal. */
function inBytes(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((127 * value) / largest));
}
