import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../model/config.ts';
import { ForemarkError, operatorMessageOf } from '../model/errors.ts';
import { toMilliseconds } from '../model/time.ts';
import { openSink } from '../publish/sinks/sinks.ts';
import { UsageRecorder } from '../serve/callers/usage-recorder.ts';
import { type Listening, listen } from '../serve/listen.ts';
import { createApp } from '../serve/serve.ts';
import { startExport } from '../serve/threads/exports.ts';
import { Searches } from '../serve/threads/searches.ts';
import { refuseEarlier } from '../store/prints/calculations.ts';
import { openStore } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, sitesOf, tell } from './context.ts';
import { waitForShutdown } from './shutdown.ts';
import { withStore } from './with-store.ts';
import { writeUsage } from './write-usage.ts';

/** The time limit for reading the archive, after which a request with `as_of` fails. */
const ARCHIVE_TIMEOUT_MS = 10_000;

export interface RunningServer extends Listening {
  /** Makes /readyz answer 503 while requests are still answered. */
  drain(): void;
}

/** Starts serving the store; resolves once it listens. It writes nothing to the store but the counts of requests. */
export async function startServer(
  context: CommandContext,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const { config, effects } = context;
  const store = openStore(config.store, { readonly: true });
  // What it writes stays in the log for hours, so that a run can compare the file with its checksums.
  const counts = openStore(config.store, { wait_ms: 0, log_mebibytes: 64 });
  const usage = new UsageRecorder((work) => counts.write(work));
  const searches = new Searches(config.store);
  let draining = false;
  const app = createApp({
    ...settingsOf(config),
    store,
    archive: await openSink(config.publish, () => AbortSignal.timeout(ARCHIVE_TIMEOUT_MS)),
    now: effects.now,
    elapsed: () => performance.now(),
    report: (thrown, requestId) => context.err(`request ${requestId}: ${faultText(thrown)}`),
    usage,
    searches,
    startExport: (request, end) => startExport({ ...request, store: config.store }, end),
    isDraining: () => draining,
  });
  const closeStores = () => {
    counts.close();
    store.close();
  };
  const listening = await listen(app, address).catch((thrown: unknown) => {
    closeStores();
    throw thrown;
  });
  const writeLast = writeUsage(usage, context);
  return {
    origin: listening.origin,
    drain: () => {
      draining = true;
    },
    async close() {
      draining = true;
      await listening.close();
      await searches.close();
      await writeLast();
      closeStores();
    },
  };
}

function settingsOf(config: Config) {
  const { budget_requests, key_budget_requests, budget_window_seconds, trusted_hops, export_seconds } =
    config.serve;
  const window_ms = toMilliseconds(budget_window_seconds);
  return {
    sites: sitesOf(config),
    label: config.data_label,
    addressBudget: { requests: budget_requests, window_ms, trusted_hops },
    keyBudget: { requests: key_budget_requests, window_ms },
    exportLimitMs: toMilliseconds(export_seconds),
    similarityBudgetMs: config.relations.budget_ms,
  };
}

// For operators only: callers never see the details of a fault.
function faultText(thrown: unknown): string {
  const isOurs = thrown instanceof ForemarkError || !(thrown instanceof Error);
  return isOurs ? operatorMessageOf(thrown) : (thrown.stack ?? thrown.message);
}

/**
 * Serves until shutdown.
 *
 * @param isFixed whether `--now` stops the clock. It may then not be before the last run: constituents, sources and the
 *   catalog are stored as they are now, and would stand beside levels of before. A machine's clock may be behind a
 *   little.
 * @throws ForemarkError invalid_configuration
 */
export async function serveCommand(context: CommandContext, isFixed: boolean): Promise<ExitCode> {
  if (isFixed)
    withStore(context, 'read', (store) =>
      store.read((reader) => refuseEarlier(reader, context.effects.now())),
    );
  const serving = await startServer(context, context.config.serve);
  await serveUntilShutdown(context, serving, `serving ${serving.origin}`);
  return EXIT.complete;
}

/**
 * Prints the address of a server and closes it at shutdown. After SIGTERM it answers requests a little longer, so that
 * load balancers that watch /readyz can stop sending them.
 *
 * @param line the text for people
 */
export async function serveUntilShutdown(
  context: CommandContext,
  serving: RunningServer,
  line: string,
): Promise<void> {
  const { serve, store } = context.config;
  // Before the address is printed, because a signal may be sent as soon as it is.
  const asked = waitForShutdown(store);
  tell(context, { origin: serving.origin }, [line]);
  try {
    if ((await asked) === 'SIGTERM') {
      serving.drain();
      await wait(toMilliseconds(serve.drain_seconds));
    }
  } finally {
    await serving.close();
  }
}
