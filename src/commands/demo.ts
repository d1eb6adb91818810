import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SeriesKind } from '../model/constituent-id.ts';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import { toCents, toLevel } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import { findLastValue } from '../store/prints/known-prints.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { type CommandContext, type ExitCode, tell } from './context.ts';
import { recordNotices } from './demo-notices.ts';
import { demoContext, isDemoFolder, SETTINGS_FILE, writeSettings } from './demo-settings.ts';
import { startWorld } from './demo-world.ts';
import { runStages } from './run.ts';
import { summaryLines } from './run-summary.ts';
import { serveUntilShutdown, startServer } from './serve.ts';
import { withStore } from './with-store.ts';

/**
 * Runs the whole pipeline on a simulated world: ingest, compute, publish, serve. It needs no network and no key. The
 * pipeline does not know that the venues are simulated: only their base addresses differ.
 *
 * @param options.foremark how further commands are called, for the hint at the end
 */
export async function demoCommand(
  context: CommandContext,
  options: { folder: string; exit?: true; port: number; foremark: string },
): Promise<ExitCode> {
  const started = performance.now();
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  clear(folder);
  const world = await startWorld();
  const demo = demoContext(context, folder, world);
  let settings: string;
  let ended: Awaited<ReturnType<typeof runStages>>;
  try {
    // First, because the settings mark the folder as a demo's.
    settings = writeSettings(demo.config, folder);
    demo.err(`the world is simulated: no price here is real (as of ${world.now})`);
    // So that there are announcements to list and to mark on charts.
    withStore(demo, 'create', (store) => recordNotices(store, demo.effects.now()));
    ended = await runStages(demo, 'demo', ['ingest', 'compute', 'publish']);
  } finally {
    world.close();
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  tell(context, { ...ended.summary, exit_code: ended.code }, [
    ...summaryLines(ended.summary),
    ...headlines(demo),
    `demo     done in ${seconds} s, simulated data in ${folder}`,
    `then     ${options.foremark} --config ${settings} explain SIMUSPRES28.G   (how a number was made)`,
  ]);
  if (options.exit) return ended.code;
  const serving = await startOnFreePort(demo, options.port);
  await serveUntilShutdown(demo, serving, `open     ${serving.origin}/   (Ctrl-C ends)`);
  return ended.code;
}

/** What a demo writes to its folder. */
const MADE = [
  'foremark.db',
  'foremark.db-wal',
  'foremark.db-shm',
  'foremark.db.checksums',
  'public',
  SETTINGS_FILE,
];

/**
 * Removes what an earlier demo wrote.
 *
 * @throws ForemarkError run_in_progress when a demo is running there; invalid_configuration when the folder holds a
 *   store, documents or settings that are not a demo's
 */
function clear(folder: string): void {
  const unlock = takeRunLock(join(folder, 'foremark.db'));
  try {
    const there = MADE.filter((name) => existsSync(join(folder, name)));
    if (there.length > 0 && !isDemoFolder(folder))
      throw new ForemarkError(
        'invalid_configuration',
        `${folder} holds ${there.join(', ')}, which were not made by a demo; choose another folder (--folder)`,
      );
    for (const name of there) rmSync(join(folder, name), { recursive: true, force: true });
  } finally {
    unlock();
  }
}

/** A few of the published numbers, to show a newcomer. */
function headlines(context: CommandContext): string[] {
  const now = context.effects.now();
  return withStore(context, 'read', (store) =>
    store.read((reader) => {
      const indices = listIndexDefinitions(reader).filter((each) => each.definition.visibility === 'public');
      const rates = listRateDefinitions(reader);
      const line = (kind: SeriesKind, { ticker, name }: { ticker: string; name: string }) => {
        const last = findLastValue(reader, { kind, ticker }, now);
        if (!last) return [];
        const value = kind === 'index' ? String(toLevel(last.value)) : `${toCents(last.value)}c`;
        return [`${kind.padEnd(8)} ${ticker.padEnd(24)} ${value.padStart(12)}  ${name}`];
      };
      return [
        ...indices.slice(0, 5).flatMap(({ definition }) => line('index', definition)),
        ...rates.slice(0, 5).flatMap(({ definition }) => line('rate', definition)),
        `store    ${indices.length} public indices, ${rates.length} rates as of ${formatInstant(now)}`,
      ];
    }),
  );
}

async function startOnFreePort(context: CommandContext, port: number) {
  const { host } = context.config.serve;
  try {
    return await startServer(context, { host, port });
  } catch (thrown) {
    if (port === 0 || !(thrown instanceof ForemarkError)) throw thrown;
    return startServer(context, { host, port: 0 });
  }
}
