import { z } from 'zod';
import { chunksOf } from '../../model/chunks.ts';
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
/** Note of the last scan of all texts. */
const FOLLOWED = 'followed';
/** All texts are scanned again after this long, to delete vectors whose texts are gone. */
const ALL_AGAIN_MS = 7 * DAY_MS;

const followed = z.object({ model: z.string(), at: z.number() });

/** The model that every text has a vector of, except texts noted as changed since, and when all were scanned. */
type Followed = z.output<typeof followed>;

/**
 * Removes the note before a run writes anything: if the run is interrupted or has no endpoint, relations may use up the
 * marks of changed texts that got no vector, and only a scan of all texts finds these.
 */
export function takeFollowed(writer: Writer): Followed | undefined {
  const note = findNote(writer, FEED, FOLLOWED, followed);
  removeNote(writer, FEED, FOLLOWED);
  return note;
}

/**
 * Fetches the optional embeddings of the texts that relations compare, once the catalog, filings and articles of the
 * run are stored. Texts that have a vector are not sent again; texts without one are compared by their words, as are the
 * names of an organization's rates, which are never sent. Between two scans of all texts only changed ones are looked at.
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
        for (const batch of chunksOf(missing, settings.batch)) {
          const words = batch.map(({ text }) => inWords(text));
          const vectors = await fetchEmbeddings(settings, feed, words);
          store.write((writer) => {
            for (const [i, { digest }] of batch.entries())
              insertEmbedding(writer, model, digest, inBytes(vectors[i] as number[]));
          });
          feed.report.rows_read += batch.length;
          feed.report.rows_changed += batch.length;
          feed.progress(feed.report.rows_read, missing.length);
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

/** The texts without a vector, each once, and the digests of all texts looked at, in hexadecimal. */
function compareWithKnown(
  reader: Reader,
  model: string,
  which: 'all' | 'changed',
): { missing: Missing[]; digests: Set<string> } {
  const digests = new Set<string>();
  const missing: Missing[] = [];
  for (const { text, isPrivate } of eachRelationRecord(reader, which)) {
    // Not for the eyes of whoever runs the endpoint.
    if (isPrivate) continue;
    const digest = textDigest(text);
    const name = digest.toString('hex');
    if (digests.has(name)) continue;
    digests.add(name);
    if (!hasEmbedding(reader, model, digest)) missing.push({ digest, text });
  }
  return { missing, digests };
}

/** Characters sent of a text; endpoints refuse texts longer than their model reads. */
const LONGEST = 2000;

function inWords({ text, outcome, context }: RelatedText): string {
  const all = [text, outcome, context].filter((each) => each !== undefined && each !== '').join('\n');
  return all.slice(0, LONGEST).toWellFormed();
}

/** A vector quantized to 8 bits, scaled by its largest component; cosines stay the same to the third decimal. */
function inBytes(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round(127 * (value / largest)));
}
