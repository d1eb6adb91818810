/**
 * Publish writes every public document to a sink, from one snapshot of the store, answered as of one instant.
 * It promises that who follows the archive's pointer sees one generation whole, that a document of the live
 * tree is replaced whole and only when its bytes differ, and that a publish that was cut off is finished by the
 * next. It knows routes and sinks, and nothing of what they say.
 */
import type { Instant } from '../model/units.ts';
import { encodeId } from '../routes/document-key.ts';
import { encode } from '../routes/encode.ts';
import { keyOfDocument } from '../routes/id-encoding.ts';
import type { Route, Sites } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { findCatalogState } from '../store/runs.ts';
import type { Reader, Store } from '../store/store.ts';
import { eachBulkFile } from './bulk/bulk-files.ts';
import { findBulkFiles } from './bulk/bulk-manifest.ts';
import { eachCard, findCards } from './cards/cards.ts';
import type { PublishDocument } from './comparison.ts';
import { eachDailyMarks, findDailyMarks } from './explorer/daily-marks.ts';
import { eachSiteFile } from './explorer/site-files.ts';
import { eachStandingFile } from './explorer/standing-files.ts';
import { type GenerationOptions, type PublishReport, publishGeneration } from './publish-generation.ts';

export type { PublishReport };

export interface PublishOptions extends GenerationOptions {
  store: Store;
  sites: Sites;
  /** Whether bulk files are published beside the documents. */
  bulk?: boolean;
  /** Whether chart cards are. */
  cards?: boolean;
  /** The folder of the built explorer; without it none is published. */
  explorer?: string;
}

/** Publishes all documents as of `now`. */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const snapshot = options.store.snapshot();
  try {
    const { reader } = snapshot;
    const report = await publishGeneration(
      [eachDocument(reader, options), eachExtra(reader, options)],
      options,
    );
    await options.shards?.dropOthers();
    return report;
  } finally {
    snapshot.end();
  }
}

/** What is published beside the documents of the routes. */
async function* eachExtra(reader: Reader, options: PublishOptions): AsyncGenerator<PublishDocument> {
  const { now, sink, label, bulk = false, cards = false, explorer } = options;
  if (bulk) yield* eachBulkFile(reader, now, await findBulkFiles(sink));
  if (cards) yield* eachCard(reader, options, await findCards(sink));
  if (explorer === undefined) return;
  yield* eachSiteFile(explorer, { label, bulk, cards });
  yield* eachStandingFile(reader, now);
  yield* eachDailyMarks(reader, now, await findDailyMarks(sink));
}

/**
 * Every public document of the routes: the default answer of each public path that answers at all. What is told of one
 * id is told together, since it is read from the same rows.
 */
export function* eachDocument(
  reader: Reader,
  { now, sites }: { now: Instant; sites: Sites },
): Generator<{ key: string; body: string }> {
  const published = routes.filter((route) => isPublished(route, reader));
  for (const [documents, alike] of Map.groupBy(published, (route) => route.documents)) {
    const asked = alike.map((route) => ({ route, query: route.query.parse({}) }));
    for (const id of documents?.(reader) ?? []) {
      const encodedId = encodeId(id);
      for (const { route, query } of asked) {
        const body = route.answer({ reader, now, tier: 'public', id, query, sites });
        if (body) yield { key: keyOfDocument(route.path, encodedId), body: encode(body) };
      }
    }
  }
}

/** A list that is being built anew is withdrawn until it is whole. */
function isPublished({ tiers, documents, needsCatalog }: Route, reader: Reader): boolean {
  const withheld = needsCatalog && findCatalogState(reader) === 'rebuilding';
  return tiers.includes('public') && documents !== undefined && !withheld;
}
