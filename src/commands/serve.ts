import { ForemarkError } from '../model/errors.ts';
import { openSink } from '../publish/sinks/sinks.ts';
import { type Listening, listen } from '../serve/listen.ts';
import { createApp } from '../serve/serve.ts';
import { openStore } from '../store/store.ts';
import { type CommandContext, EXIT, type ExitCode, sitesOf } from './context.ts';

/** A read of the archive that takes longer fails; so does the request for an earlier instant. */
const ARCHIVE_TIMEOUT_MS = 10_000;

/** Serves the store and resolves once it listens; the store is only read. */
export async function startServer(
  context: CommandContext,
  address: { host: string; port: number },
): Promise<Listening> {
  const { config, effects } = context;
  const store = openStore(config.store, { readonly: true });
  const app = createApp({
    store,
    archive: await openSink(config.publish, () => AbortSignal.timeout(ARCHIVE_TIMEOUT_MS)),
    now: effects.now,
    sites: sitesOf(config),
    label: config.data_label,
    report: (thrown, requestId) => context.err(`request ${requestId}: ${faultText(thrown)}`),
  });
  const listening = await listen(app, address).catch((thrown: unknown) => {
    store.close();
    throw thrown;
  });
  return {
    origin: listening.origin,
    async close() {
      await listening.close();
      store.close();
    },
  };
}

// For operators: what a caller is never told.
function faultText(thrown: unknown): string {
  if (thrown instanceof ForemarkError)
    return thrown.detail ? `${thrown.message} (${thrown.detail})` : thrown.message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Serves until the process is asked to end. */
export async function serveCommand(context: CommandContext): Promise<ExitCode> {
  const listening = await startServer(context, context.config.serve);
  context.out(context.json ? JSON.stringify({ origin: listening.origin }) : `serving ${listening.origin}`);
  await untilAskedToEnd();
  await listening.close();
  return EXIT.complete;
}

/** Resolves at SIGINT or SIGTERM. */
export function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
