import { DAY_MS, formatInstant, toMilliseconds } from '../model/time.ts';
import { forgetSummaries } from '../store/runs.ts';
import { adoptFolder } from './adoption/adopt.ts';
import { readSettledFiles } from './adoption/settled-files.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { type EndedRun, type RecordedRun, recordedRun } from './recorded-run.ts';
import { type RunSummary, type Stage, summaryLines } from './run-summary.ts';

interface RunOptions {
  /** Whether to replace what another store published. */
  takeOver?: boolean;
}

/**
 * Runs stages one after the other under the run lock. The failure of a venue or a definition is reported and does not
 * stop the rest; later stages use what is there.
 *
 * @throws ForemarkError run_in_progress, store_unusable, sink_unavailable, or invalid_configuration when now is before
 *   the last run's
 */
export async function runStages(
  context: CommandContext,
  name: string,
  stages: readonly Stage[],
  { takeOver = false }: RunOptions = {},
): Promise<EndedRun<RunSummary>> {
  return recordedRun(context, 'create', name, async (run) => {
    const { store, now } = run;
    const keepMs = context.config.ingest.keep_answers_days * DAY_MS;
    store.write((writer) => forgetSummaries(writer, now - keepMs));
    const files = await readSettledFiles(store, context);
    const summary: RunSummary = {
      as_of: formatInstant(now),
      definition_problems: adoptFolder(store, context, files).length,
      seconds: {},
    };
    for (const stage of stages) {
      const started = performance.now();
      Object.assign(summary, await STAGES[stage]({ ...run, context, takeOver }));
      summary.seconds[stage] = Math.round(performance.now() - started) / 1000;
    }
    return { summary, code: codeOf(summary) };
  });
}

interface StageRun extends RecordedRun, Required<RunOptions> {
  context: CommandContext;
}

/** The work of each stage. It is loaded when it is its turn: an hourly ingest does not need the code that draws charts. */
const STAGES: Readonly<Record<Stage, (run: StageRun) => Promise<Partial<RunSummary>>>> = {
  async ingest({ context, store, runId, progress }) {
    const { ingest } = await import('../ingest/ingest.ts');
    const { config, effects } = context;
    const options = { store, config, effects, now: effects.now(), runId, progress: progress.tell };
    return { ingest: await ingest(options) };
  },
  async compute({ context: { config, effects }, store, progress }) {
    const { compute } = await import('../compute/compute.ts');
    const { relate } = await import('../compute/relations/relate.ts');
    const { readSimilarityTables } = await import('../store/similarity-tables.ts');
    const now = effects.now();
    const computed = compute(store, now, progress.tell);
    const { floors, embeddings, compare_seconds } = config.relations;
    const until = performance.now() + toMilliseconds(compare_seconds);
    const isTimeUp = () => performance.now() > until;
    const options = { now, tables: readSimilarityTables(), floors, embeddings, isTimeUp };
    return { compute: computed, relations: relate(store, options, progress.tell) };
  },
  async publish({ context, store, progress, takeOver }) {
    const { publishStore } = await import('./publish.ts');
    return { publish: await publishStore(context, store, progress, { takeOver }) };
  },
};

function codeOf({ definition_problems, ingest, compute, publish }: RunSummary): ExitCode {
  if (definition_problems > 0) return EXIT.usage;
  const feedsMissing = ingest?.feeds.some((feed) => feed.condition !== 'good') ?? false;
  const calculationsFailed = (compute?.failures.length ?? 0) > 0;
  const overlooked = publish?.overlooked !== undefined;
  return feedsMissing || calculationsFailed || overlooked ? EXIT.partial : EXIT.complete;
}

/** The commands ingest, compute, publish and run. */
export async function runCommand(
  context: CommandContext,
  name: string,
  stages: readonly Stage[],
  options: RunOptions = {},
): Promise<ExitCode> {
  const { summary, code } = await runStages(context, name, stages, options);
  tell(context, { ...summary, exit_code: code }, summaryLines(summary));
  return code;
}
