/**
 * Publish writes every public document to a sink, from one snapshot of the store, answered as of one instant. It promises
 * that a reader who follows the archive's pointer sees one whole generation, that a document of the live tree is replaced
 * whole and only when its bytes differ, and that the next publish finishes an interrupted one. It knows routes and sinks,
 * but nothing of their content. `archive/` keeps the generations, `tree/` is what hosts serve, `sinks/` is where both
 * are stored.
 */
import { given } from '../model/given.ts';
import type { OutletExtras } from '../routes/page-files.ts';
import type { Sites } from '../routes/route.ts';
import { findFirstRun } from '../store/runs.ts';
import type { Reader, Store } from '../store/store.ts';
import { findCurrentGeneration } from './archive/current-generation.ts';
import { eachBulkFile } from './bulk/bulk-files.ts';
import { eachCard } from './cards/cards.ts';
import { openRenderer, type Renderer } from './cards/png.ts';
import type { PublishDocument } from './comparison.ts';
import { eachDocument } from './documents.ts';
import { eachDailyMarks } from './explorer/daily-marks.ts';
import { eachSiteFile, readSite } from './explorer/site-files.ts';
import { eachStatusFile } from './explorer/status-files.ts';
import { type GenerationOptions, publishGeneration } from './publish-generation.ts';
import type { PublishReport } from './publish-report.ts';
import { refusalOfOtherStores } from './refuse-other-store.ts';
import { StandingAnswers } from './standing-answers.ts';

export type { PublishReport };

export interface PublishOptions extends Omit<GenerationOptions, 'answers' | 'first_run_at' | 'refuse'> {
  store: Store;
  sites: Sites;
  /** Identifies the program that answers; without it every document is answered again, and no publish noted in the store. */
  program?: string;
  /** Whether bulk files are published beside the documents. */
  bulk?: boolean;
  /** Whether chart cards are published beside the documents. */
  cards?: boolean;
  /** Font files for characters on cards that the shipped font lacks. */
  cardFonts?: readonly string[];
  /** The folder of the built explorer, if it is to be published. */
  explorer?: string;
  /** Whether to replace what another store published. */
  takeOver?: boolean;
  /** What the explorer calls the venues. */
  venues?: OutletExtras['venues'];
}

/**
 * Publishes all documents as of `now`.
 *
 * @throws ForemarkError sink_unavailable when another store has published there, invalid_configuration for a font that
 *   cannot be used
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const { store, sink, program, sites, takeOver = false } = options;
  const site = options.explorer === undefined ? undefined : readSite(options.explorer);
  const renderer = options.cards ? await openRenderer(options.cardFonts ?? []) : undefined;
  const refuse = program === undefined || takeOver ? undefined : refusalOfOtherStores(store, sink);
  // Also before the store notes that a publish has begun.
  refuse?.(await findCurrentGeneration(sink));
  const first_run_at = store.read(findFirstRun);
  const answered_by = program === undefined ? undefined : JSON.stringify({ program, sites });
  const answers = answered_by === undefined ? undefined : new StandingAnswers({ ...options, answered_by });
  const report = await store.snapshot((reader) =>
    publishGeneration(
      [eachDocument(reader, options, answers), eachExtra(reader, options, { renderer, site })],
      {
        ...options,
        ...given({ answers, first_run_at, refuse }),
      },
    ),
  );
  await options.shards?.dropOthers();
  return report;
}

/** What is published beside the documents of the routes. */
async function* eachExtra(
  reader: Reader,
  options: PublishOptions,
  { renderer, site }: { renderer: Renderer | undefined; site: readonly PublishDocument[] | undefined },
): AsyncGenerator<PublishDocument> {
  const { now, sink, label, bulk = false, cards = false, venues = {} } = options;
  if (bulk) yield* eachBulkFile(reader, now, sink);
  if (renderer) yield* eachCard(reader, options, renderer, sink);
  if (!site) return;
  yield* eachSiteFile(site, { label, bulk, cards, venues });
  yield* eachStatusFile(reader, now);
  yield* eachDailyMarks(reader, now, sink);
}
