import { atOnce } from '../model/at-once.ts';
import type { Progress } from '../model/effects.ts';
import { given } from '../model/given.ts';
import type { Instant } from '../model/units.ts';
import type { GenerationRecord } from '../store/archive/archive.ts';
import { jumpOfChild } from '../store/archive/archive-reads.ts';
import { commitGeneration, endPrune, writeShard } from './archive/archive-writes.ts';
import { type CurrentGeneration, findCurrentGeneration, refuseAhead } from './archive/current-generation.ts';
import type { DigestTable } from './archive/digest-table.ts';
import { readDigests } from './archive/generation-digests.ts';
import { type NewShard, type NextShards, nextShards } from './archive/next-shards.ts';
import type { ShardCache } from './archive/shard-cache.ts';
import { Comparison, type DocumentSource } from './comparison.ts';
import { metadataOf } from './headers.ts';
import { costOf, meteredSink, type Usage } from './metered-sink.ts';
import { behindOf, countsOf, type PublishReport, wouldWrite } from './publish-report.ts';
import type { Refusal } from './refuse-other-store.ts';
import type { Sink } from './sinks/sink.ts';
import type { StandingAnswers } from './standing-answers.ts';
import { finishTree } from './tree/finish-tree.ts';
import { Leftovers } from './tree/leftovers.ts';
import { findPublication } from './tree/publication.ts';
import { type TreeOptions, writeTree } from './tree/tree.ts';
import { FOLDERS_OUTSIDE } from './tree/tree-keys.ts';
import type { Variant } from './tree/variants.ts';

export interface GenerationOptions {
  sink: Sink;
  now: Instant;
  /** The clock that dates the move of the pointer; `now` when left out. */
  clock?: () => Instant;
  /** The instant that the documents are answered as of; `now` when left out. */
  as_of?: Instant;
  /** Called with the current generation before anything is written. */
  refuse?: Refusal;
  /** When the store that the documents come from first ran. */
  first_run_at?: Instant;
  /** The generation whose documents these are again. */
  restores?: number;
  label: string;
  variants?: readonly Variant[];
  /** A cache of shards between runs, for a remote sink. */
  shards?: ShardCache;
  /** Which documents need not be answered again. It is told the generations before and after this publish. */
  answers?: Pick<StandingAnswers, 'compareWith' | 'published' | 'wasCutOff'>;
  /** Only works out what would change. */
  dryRun?: boolean;
  progress: Progress;
}

/**
 * Publishes documents as a generation: writes what changed to the archive, moves the pointer, then updates the live tree.
 * If nothing changed the generation stays, unless an earlier one is to be restored, or it is of another store.
 *
 * @param sources of documents, each key once; consumed one by one, so that they need not all be in memory
 * @throws ForemarkError publication_superseded when another publisher was first
 */
export async function publishGeneration(
  sources: readonly DocumentSource[],
  options: GenerationOptions,
): Promise<PublishReport> {
  const { now, restores, first_run_at, variants = [], answers, dryRun = false } = options;
  const { sink: metered, usage } = meteredSink(options.sink);
  const sink = options.shards?.over(metered) ?? metered;
  const current = await beginAt(sink, options);
  const digests = await readDigests(sink, current?.record);
  const behind = answers?.compareWith(current);
  const { listEtags, width } = sink;
  const mayBeLeft = !current || answers?.wasCutOff;
  const leftovers = mayBeLeft && listEtags ? new Leftovers(listEtags, width) : undefined;
  const tree = { sink, variants, now, ...given({ leftovers }) };
  const finished_before = current !== undefined && (await finishTree(current, digests, tree, dryRun));

  const compared = await writeObjects(sources, digests, tree, options);
  const change = compared.end();
  const differs = change.write.size > 0 || change.remove.length > 0;
  const isOwn = first_run_at === current?.record.first_run_at;
  const changed = differs || restores !== undefined || current === undefined || !isOwn;
  const report = {
    generation: (current?.record.generation ?? 0) + (changed ? 1 : 0),
    ...countsOf(compared, change),
    ...behindOf(current, behind),
    finished_before,
    place: sink.place,
  };
  const writeShards = (write: (shard: NewShard) => Promise<void>) =>
    nextShards(sink, digests, change, current?.record, write);

  if (dryRun) {
    const asked = changed
      ? wouldWrite(sink, compared, await sizeOf(writeShards), { documents: change.write.size, variants })
      : { writes: 1, bytes_written: 0 };
    const { reads, lists } = usage();
    const made = { ...asked, reads, lists };
    return { ...report, usage: { ...made, usd: costOf(made, sink) } };
  }

  let stands: CurrentGeneration;
  if (changed) {
    const shards = await writeShards((shard) => writeShard(sink, shard));
    const record = await recordOf(sink, { ...report, ...shards }, current, options);
    stands = await commitGeneration(sink, record, current);
  } else stands = current;
  const { held, fresh } = compared;
  // A tree without an archive: it may contain documents that are no longer published.
  if (!current && (await findPublication(sink))) await finishTree(stands, digests, { ...tree, held, fresh });
  else await writeTree(stands, change, { ...tree, held, fresh });
  // After an overlooked change the next publish must answer everything.
  if (compared.unexpected.length === 0) answers?.published(stands.pointer.sha256);
  return { ...report, usage: usage() };
}

/**
 * The generation to publish after; undefined before the first. A prune that was interrupted, or still runs on another
 * machine, is ended before anything is written.
 *
 * @throws ForemarkError publication_superseded when the clock is behind that generation
 */
async function beginAt(
  sink: Sink,
  { now, clock = () => now, refuse, dryRun }: GenerationOptions,
): Promise<CurrentGeneration | undefined> {
  const current = await findCurrentGeneration(sink);
  refuse?.(current);
  if (dryRun) return current;
  await sink.removeLeftovers?.(...FOLDERS_OUTSIDE);
  if (!current) return undefined;
  refuseAhead(sink, current, clock());
  return endPrune(sink, current);
}

/** Compares documents with those of the predecessor, and writes objects that are new to the archive. */
async function writeObjects(
  sources: readonly DocumentSource[],
  digests: DigestTable,
  { sink, variants, leftovers }: TreeOptions,
  { dryRun, progress }: GenerationOptions,
): Promise<Comparison> {
  const holds = !sink.link || variants.length > 0;
  const compared = new Comparison(digests, (documents) => progress('publish', documents), holds);
  await atOnce(sink.width, compared.eachNewObject(sources), async ({ key, body }) => {
    if (dryRun || (await leftovers?.holds(key, body))) return;
    await sink.write(key, body, { metadata: metadataOf(key) });
  });
  progress('publish', compared.documents, compared.documents);
  return compared;
}

/** The requests and bytes that the new shards of a generation take. */
async function sizeOf(
  writeShards: (write: (shard: NewShard) => Promise<void>) => Promise<unknown>,
): Promise<Pick<Usage, 'writes' | 'bytes_written'>> {
  const size = { writes: 0, bytes_written: 0 };
  await writeShards(async ({ body }) => {
    size.writes++;
    size.bytes_written += body.byteLength;
  });
  return size;
}

/**
 * The record of a generation that follows the one that stands.
 *
 * @throws ForemarkError publication_superseded when the clock is behind that one
 */
async function recordOf(
  sink: Sink,
  { generation, documents, shards, changes }: Pick<PublishReport, 'generation' | 'documents'> & NextShards,
  current: CurrentGeneration | undefined,
  { now, clock = () => now, as_of = now, restores, first_run_at, label }: GenerationOptions,
): Promise<GenerationRecord> {
  const published_at = clock();
  if (current) refuseAhead(sink, current, published_at);
  const parent = current && refOf(current);
  return {
    format: 2,
    generation,
    as_of,
    published_at,
    label,
    documents,
    ...given({ restores, first_run_at }),
    ...(parent ? { parent, jump: await jumpOfChild(sink, parent, current.record) } : {}),
    shards,
    changes,
  };
}

/** A generation as its child names it. */
function refOf({ pointer: { generation, sha256, published_at } }: CurrentGeneration) {
  return { generation, sha256, published_at };
}
