/**
 * Publish writes every public document to a sink, from one snapshot of the store, answered as of one instant.
 * It promises that a document is replaced whole and only when its bytes differ, and that the manifest, which
 * says what the publication holds, is written last. A publish that was cut off is finished by the next one. It knows routes and sinks, and nothing of what they say.
 */
import { hash } from 'node:crypto';
import type { Progress } from '../model/effects.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { encode } from '../routes/encode.ts';
import type { Route, Sites } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { findCatalogState } from '../store/runs.ts';
import type { Reader, Store } from '../store/store.ts';
import { DOCUMENTS, documentKey } from './document-key.ts';
import { beginPublish, endPublish, type Manifest, readManifest, wasCutOff } from './manifest.ts';
import type { Sink } from './sinks/sink.ts';

export interface PublishReport {
  generation: number;
  documents: number;
  written: number;
  removed: number;
  bytes_written: number;
  place: string;
}

export interface PublishOptions {
  store: Store;
  sink: Sink;
  now: Instant;
  sites: Sites;
  /** What the data is, where it is not what the venues say: "simulated". */
  label: string;
  progress: Progress;
}

/** Publishes all documents as of `now`. */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const { store, sink, now, label, progress } = options;
  const before = await readManifest(sink);
  const cutOff = await wasCutOff(sink, before);
  const documents: Manifest['documents'] = {};
  const report = { documents: 0, written: 0, removed: 0, bytes_written: 0 };
  const generation = (before?.generation ?? 0) + 1;
  const snapshot = store.snapshot();
  try {
    for (const { key, bytes } of eachDocument(snapshot.reader, options)) {
      const sha256 = hash('sha256', bytes);
      documents[key] = { sha256, bytes: bytes.byteLength };
      report.documents++;
      if (report.documents % 500 === 0) progress('publish', report.documents);
      const same = cutOff ? (await sink.read(key))?.equals(bytes) : before?.documents[key]?.sha256 === sha256;
      if (same) continue;
      if (report.written === 0) await beginPublish(sink, generation);
      await sink.write(key, bytes);
      report.written++;
      report.bytes_written += bytes.byteLength;
    }
  } finally {
    snapshot.end();
  }
  // What a publish that was cut off has added stands in no manifest.
  const published = cutOff ? await sink.list(DOCUMENTS) : Object.keys(before?.documents ?? {});
  const gone = published.filter((key) => documents[key] === undefined);
  const changed = report.written > 0 || gone.length > 0 || cutOff;
  if (gone.length > 0 && report.written === 0) await beginPublish(sink, generation);
  for (const key of gone) await sink.remove(key);
  const standing = changed ? generation : (before?.generation ?? 0);
  await endPublish(sink, { generation: standing, as_of: formatInstant(now), label, documents });
  progress('publish', report.documents, report.documents);
  return { ...report, removed: gone.length, generation: standing, place: sink.place };
}

/** Every public document of the routes: the default answer of each public path that answers at all. */
function* eachDocument(
  reader: Reader,
  { now, sites }: PublishOptions,
): Generator<{ key: string; bytes: Buffer }> {
  for (const route of routes)
    for (const id of documentIds(route, reader)) {
      const body = route.answer({ reader, now, tier: 'public', id, query: route.query.parse({}), sites });
      if (body) yield { key: documentKey(route.path, id), bytes: Buffer.from(encode(body)) };
    }
}

function documentIds(route: Route, reader: Reader): Iterable<string> {
  if (!route.tiers.includes('public') || !route.documents) return [];
  const withheld = route.needsCatalog && findCatalogState(reader) === 'rebuilding';
  return withheld ? [] : route.documents(reader);
}
