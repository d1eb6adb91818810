import { existsSync } from 'node:fs';
import { publishedFolder } from '../model/config.ts';
import { counted, formatCount } from '../model/counted.ts';
import { ForemarkError } from '../model/errors.ts';
import { toMilliseconds } from '../model/time.ts';
import { type ShardCache, shardCache } from '../publish/archive/shard-cache.ts';
import { closedDocuments } from '../publish/closed-documents.ts';
import { mirrorArchive } from '../publish/mirror.ts';
import { prune } from '../publish/prune.ts';
import { type PublishReport, publish } from '../publish/publish.ts';
import { refusalOfOtherStores } from '../publish/refuse-other-store.ts';
import { repairTree } from '../publish/repair.ts';
import { rollback } from '../publish/rollback.ts';
import { folderSink } from '../publish/sinks/folder.ts';
import type { Sink } from '../publish/sinks/sink.ts';
import { openSink } from '../publish/sinks/sinks.ts';
import { type VerifyReport, verifyArchive } from '../publish/verify.ts';
import type { Store } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, sitesOf, tell } from './context.ts';
import type { ProgressDisplay } from './progress.ts';
import { publishExtras } from './publish-extras.ts';
import { publishLine } from './run-summary.ts';
import { underRunLock, withProgress, withStore } from './with-store.ts';
import { kibibytes } from './wording.ts';

/** Problems shown to people; the JSON has all of them. */
const PROBLEMS_SHOWN = 20;

/** The sink and the deadline of the settings. */
function openConfiguredSink({ config, err }: CommandContext): Promise<Sink> {
  const deadline = AbortSignal.timeout(toMilliseconds(config.publish.deadline_seconds));
  return openSink(config.publish, () => deadline, err);
}

/** The cache of the shards of a place elsewhere, beside the store; a folder needs none. */
function configuredShardCache({ config }: CommandContext): { shards?: ShardCache } {
  return publishedFolder(config.publish) === undefined
    ? { shards: shardCache(folderSink(`${config.store}.shards`)) }
    : {};
}

/** Publishes a store as the settings say. */
export async function publishStore(
  context: CommandContext,
  store: Store,
  progress: ProgressDisplay,
  { dryRun = false, takeOver = false } = {},
): Promise<PublishReport> {
  const { config, effects } = context;
  return publish({
    store,
    sink: await openConfiguredSink(context),
    now: effects.now(),
    clock: effects.now,
    sites: sitesOf(config),
    label: config.data_label,
    ...(dryRun ? {} : configuredShardCache(context)),
    ...publishExtras(context),
    dryRun,
    takeOver,
    progress: progress.tell,
  });
}

/** Shows what a publish would change and cost; writes nothing, neither in the store nor in the sink. */
export async function publishDryRunCommand(
  context: CommandContext,
  options: { takeOver: boolean },
): Promise<ExitCode> {
  return withProgress(context, 'read', async (store, progress) => {
    const report = await publishStore(context, store, progress, { ...options, dryRun: true });
    const { writes, reads, lists, bytes_written, usd } = report.usage;
    tell(context, report, [
      `would publish ${publishLine(report)}`,
      `requests      ${counted(writes, 'write')} (${kibibytes(bytes_written)}), ${counted(reads, 'read')}${lists > 0 ? `, ${counted(lists, 'page')} of keys` : ''}, about $${usd}`,
    ]);
    return EXIT.complete;
  });
}

/** Publishes an earlier generation again. @param to its number; the one before what stands when left out */
export async function rollbackCommand(context: CommandContext, to: number | undefined): Promise<ExitCode> {
  const { config, effects } = context;
  const { variants } = config.publish;
  const report = await underRunLock(context, async () => {
    const sink = await openConfiguredSink(context);
    const ofStore = withStore(context, 'read', (store) => ({
      closed: store.read(closedDocuments),
      refuse: refusalOfOtherStores(store, sink),
    }));
    return rollback(to, { sink, now: effects.now(), variants, ...ofStore });
  });
  const { generation, restores, written, removed, place } = report;
  tell(context, report, [
    `generation ${generation} ${generation === restores ? 'is current again' : `restores generation ${restores}`}: ` +
      `${counted(written, 'document')} written, ${formatCount(removed)} removed, in ${place}`,
  ]);
  return EXIT.complete;
}

/** Compares all that is published with its digests. */
export async function verifyPublicationCommand(context: CommandContext): Promise<ExitCode> {
  return reportVerified(context, await verifyArchive(await openConfiguredSink(context)));
}

/** Restores whatever in the live tree differs from its generation. */
export async function repairPublicationCommand(context: CommandContext): Promise<ExitCode> {
  const { config, effects } = context;
  const { variants } = config.publish;
  const report = await underRunLock(context, async () =>
    repairTree({ sink: await openConfiguredSink(context), now: effects.now(), variants }),
  );
  const { generation, finished_before, documents, written, removed, place } = report;
  tell(context, report, [
    ...(finished_before ? [`brought the live tree to generation ${generation}`] : []),
    `generation ${generation}: ${counted(documents, 'document')} of the live tree read, ${formatCount(written)} written, ` +
      `${counted(removed, 'file')} removed, in ${place}`,
  ]);
  return EXIT.complete;
}

/** Takes away old generations. */
export async function pruneCommand(
  context: CommandContext,
  options: { keepGenerations: number; keepDays: number; dryRun: boolean },
): Promise<ExitCode> {
  const now = context.effects.now();
  const report = await underRunLock(context, async () =>
    prune({ sink: await openConfiguredSink(context), now, ...options }),
  );
  const { generations_kept, generations_removed, objects_removed, place } = report;
  tell(context, report, [
    `${options.dryRun ? 'would keep' : 'kept'} ${counted(generations_kept, 'generation')}, ` +
      `${options.dryRun ? 'remove' : 'removed'} ${formatCount(generations_removed)} with ` +
      `${counted(objects_removed, 'object')}, in ${place}`,
  ]);
  return EXIT.complete;
}

/** Compares a copy of the archive with its digests, offline. */
export async function verifyMirrorCommand(context: CommandContext, folder: string): Promise<ExitCode> {
  if (!existsSync(folder)) throw new ForemarkError('not_found', `there is no folder ${folder}`);
  return reportVerified(context, await verifyArchive(folderSink(folder)));
}

/** Copies the archive to a folder. @param options repair: also check and mend what the folder already holds */
export async function mirrorCommand(
  context: CommandContext,
  folder: string,
  options: { repair?: true },
): Promise<ExitCode> {
  const report = await mirrorArchive(await openConfiguredSink(context), folderSink(folder), options);
  const { generation, objects_copied, bytes_copied, place } = report;
  tell(context, report, [
    `generation ${generation}: ${counted(objects_copied, 'object')} (${kibibytes(bytes_copied)}) copied to ${place}`,
  ]);
  return EXIT.complete;
}

function reportVerified(context: CommandContext, report: VerifyReport): ExitCode {
  const { generations, objects, bytes, unnamed = [], tree_documents, problems, place } = report;
  const tree =
    tree_documents === undefined ? '' : `, ${counted(tree_documents, 'document')} of the live tree`;
  tell(context, report, [
    `${counted(generations, 'generation')}, ${counted(objects, 'object')} (${kibibytes(bytes)})${tree} read from ${place}`,
    ...unnamed.slice(0, PROBLEMS_SHOWN).map((key) => `unnamed: ${key}`),
    ...(unnamed.length > 0 ? [`${counted(unnamed.length, 'file')} that no generation names`] : []),
    ...problems.slice(0, PROBLEMS_SHOWN).map((problem) => `problem: ${problem}`),
    problems.length === 0 ? 'everything matches its digest' : counted(problems.length, 'problem'),
  ]);
  return problems.length === 0 ? EXIT.complete : EXIT.partial;
}
