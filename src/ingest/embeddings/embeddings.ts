import { z } from 'zod';
import { embeddingModel } from '../../model/embedding.ts';
import type { RelatedText } from '../../model/related-text.ts';
import { DAY_MS } from '../../model/time.ts';
import { findNote, removeNote, setNote } from '../../store/notes.ts';
import { eachRelationRecord, textDigest } from '../../store/relations/relation-records.ts';
import { hasEmbedding, insertEmbedding, keepEmbeddings } from '../../store/relations/text-embeddings.ts';
import type { Reader, Writer } from '../../store/store.ts';
import type { Collector } from '../collector.ts';
import { fetchEmbeddings } from './fetch-embeddings.ts';

const FEED = 'embeddings';
/** Note of what has been looked through. */
const FOLLOWED = 'followed';
/** All texts are looked through again after so long, for vectors whose texts are gone. */
const ALL_AGAIN_MS = 7 * DAY_MS;

const followed = z.object({ model: z.string(), at: z.number() });

/** The model that has given every text a vector, but those noted as changed since, and when all were looked through. */
type Followed = z.output<typeof followed>;

/**
 * Takes the note away before anything of a run is written: if the run is cut off, or has no endpoint to ask, relations
 * may be told of texts that nobody asked about, and all are looked through once more.
 */
export function takeFollowed(writer: Writer): Followed | undefined {
  const note = findNote(writer, FEED, FOLLOWED, followed);
  removeNote(writer, FEED, FOLLOWED);
  return note;
}

/**
 * The optional embeddings of the texts that are compared. Asked once the catalog, filings and articles of the run are
 * in; what has a vector is not asked about again, and what gets none is compared by its words. Between two looks
 * through all texts only those that changed are looked at.
 */
export function embeddings(before: Followed | undefined): Collector {
  return {
    requestsPerSecond: ({ relations }) => relations.embeddings?.requests_per_second ?? 1,
    async collect({ config, store, now, feed }) {
      const settings = config.relations.embeddings;
      if (!settings) return;
      const model = embeddingModel(settings);
      const goesOn = before?.model === model && now - before.at < ALL_AGAIN_MS ? before : undefined;
      await feed(FEED, async (feed) => {
        const which = goesOn ? 'changed' : 'all';
        const { missing, digests } = store.read((reader) => compareWithKnown(reader, model, which));
        if (!goesOn) store.write((writer) => keepEmbeddings(writer, model, digests));
        for (let done = 0; done < missing.length; done += settings.batch) {
          const batch = missing.slice(done, done + settings.batch);
          const words = batch.map(({ text }) => inWords(text));
          const vectors = await fetchEmbeddings(settings, feed, words);
          store.write((writer) => {
            for (const [i, { digest }] of batch.entries())
              insertEmbedding(writer, model, digest, inBytes(vectors[i] as number[]));
          });
          feed.report.rows_read += batch.length;
          feed.report.rows_changed += batch.length;
          feed.progress(done + batch.length, missing.length);
        }
        const note = goesOn ?? { model, at: now };
        store.write((writer) => setNote(writer, FEED, FOLLOWED, note));
      });
    },
  };
}

interface Missing {
  digest: Buffer;
  text: RelatedText;
}

/** The texts without a vector, each once, and the digests of all that were looked at, in hexadecimal digits. */
function compareWithKnown(
  reader: Reader,
  model: string,
  which: 'all' | 'changed',
): { missing: Missing[]; digests: Set<string> } {
  const digests = new Set<string>();
  const missing: Missing[] = [];
  for (const { text } of eachRelationRecord(reader, which)) {
    const digest = textDigest(text);
    const name = digest.toString('hex');
    if (digests.has(name)) continue;
    digests.add(name);
    if (!hasEmbedding(reader, model, digest)) missing.push({ digest, text });
  }
  return { missing, digests };
}

/** Characters that are sent of a text; the endpoint refuses what is longer than its model reads. */
const LONGEST = 2000;

function inWords({ text, outcome, context }: RelatedText): string {
  const all = [text, outcome, context].filter((each) => each !== undefined && each !== '').join('\n');
  return all.slice(0, LONGEST).toWellFormed();
}

/** A vector in steps of its largest number: cosines are the same to the third decimal. */
function inBytes(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round(127 * (value / largest)));
}
