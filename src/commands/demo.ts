import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEffects } from '../effects.ts';
import { type Config, config as configSchema } from '../model/config.ts';
import { ForemarkError } from '../model/errors.ts';
import { formatInstant, parseInstant } from '../model/time.ts';
import { toCents, toLevel } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import { findIndexPrint } from '../store/prints/index-prints.ts';
import { findRatePrint } from '../store/prints/rate-prints.ts';
import { takeRunLock } from '../store/run-lock.ts';
import { type CommandContext, type ExitCode, tell } from './context.ts';
import { recordNotices } from './demo-notices.ts';
import { packageRoot } from './package-root.ts';
import { runStages } from './run.ts';
import { summaryLines } from './run-summary.ts';
import { startServer } from './serve.ts';
import { untilEnd } from './until-end.ts';
import { withStore } from './with-store.ts';

/** What the simulated world prints once it listens: its base addresses and its instant. */
type World = Record<
  'venue_a' | 'gamma' | 'clob' | 'data' | 'us' | 'outcomes' | 'forecasts' | 'cftc' | 'news' | 'now',
  string
> & { close(): void };

/**
 * Runs the main job on a simulated world: ingest, compute, publish, serve. Needs no network and no key. The
 * pipeline does not know that the venues are simulated: only their base addresses differ.
 */
export async function demoCommand(
  context: CommandContext,
  options: { folder: string; exit?: true; port: number },
): Promise<ExitCode> {
  const started = performance.now();
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  clear(folder);
  const world = await startWorld();
  const demo = demoContext(context, folder, world);
  let ended: Awaited<ReturnType<typeof runStages>>;
  try {
    demo.err(`the world is simulated: no price here is real (as of ${world.now})`);
    // So that the list of announcements is not empty and charts have marks.
    withStore(demo, { readonly: false }, (store) => recordNotices(store, demo.effects.now()));
    ended = await runStages(demo, 'demo', ['ingest', 'compute', 'publish']);
  } finally {
    world.close();
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const settings = writeSettings(demo.config, folder);
  tell(context, { ...ended.summary, exit_code: ended.code }, [
    ...summaryLines(ended.summary),
    ...headlines(demo),
    `demo     done in ${seconds} s, simulated data in ${folder}`,
    `then     explain SIMUSPRES28.G --config ${settings} shows how a number was made`,
  ]);
  if (options.exit) return ended.code;
  const listening = await startOnFreePort(demo, options.port);
  const asked = untilEnd(demo.config.store);
  context.out(`open     ${listening.origin}/   (Ctrl-C ends)`);
  try {
    await asked;
  } finally {
    await listening.close();
  }
  return ended.code;
}

/** Takes away what an earlier demo made. @throws ForemarkError run_in_progress where one is under way */
function clear(folder: string): void {
  const unlock = takeRunLock(join(folder, 'foremark.db'));
  for (const name of ['foremark.db', 'foremark.db-wal', 'foremark.db-shm', 'public'])
    rmSync(join(folder, name), { recursive: true, force: true });
  unlock();
}

function demoContext(context: CommandContext, folder: string, world: World): CommandContext {
  const fast = { requests_per_second: 10_000 };
  const config = configSchema.parse({
    store: join(folder, 'foremark.db'),
    definitions: join(packageRoot(), 'data', 'simulated'),
    data_label: 'simulated',
    // What these sell is not theirs.
    venue_names: { venue_a: 'Venue A', venue_b: 'Venue B', venue_c: 'Venue C' },
    publish: { folder: join(folder, 'public') },
    serve: context.config.serve,
    venues: {
      venue_a: { ...fast, base_url: world.venue_a },
      venue_b_global: {
        ...fast,
        gamma_url: world.gamma,
        clob_url: world.clob,
        data_url: world.data,
      },
      venue_b_us: { ...fast, base_url: world.us },
      venue_c: { weight_per_second: 10_000, base_url: world.outcomes },
      venue_c_forecastex: { ...fast, base_url: world.forecasts },
    },
    registries: {
      cftc: {
        ...fast,
        site: 'https://registry.example',
        base_url: world.cftc,
        pages_a_run: 1000,
        attachments_a_run: 1000,
      },
    },
    news: {
      ...fast,
      feeds: [
        { name: 'wire', url: `${world.news}/wire.rss` },
        { name: 'ledger', url: `${world.news}/ledger.atom` },
        { name: 'herald', url: `${world.news}/herald.json` },
      ],
    },
  });
  return { ...context, config, effects: createEffects(parseInstant(world.now)) };
}

/**
 * Writes settings with which other commands look at what the demo made. They ask no venue: real prices do not belong
 * beside simulated ones.
 */
function writeSettings(
  { store, definitions, data_label, venue_names, publish, ...asked }: Config,
  folder: string,
): string {
  const off = (group: object) =>
    Object.fromEntries(Object.keys(group).map((name) => [name, { enabled: false }]));
  const settings = {
    store,
    definitions,
    data_label,
    venue_names,
    publish: { folder: publish.folder },
    venues: off(asked.venues),
    registries: off(asked.registries),
  };
  const file = join(folder, 'foremark.json');
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
  return file;
}

/** Starts the simulated world as a process of its own; it ends with its standard input. */
async function startWorld(): Promise<World> {
  const extension = extname(import.meta.filename);
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'world', `serve${extension}`);
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])]);
  if (typeof line !== 'string')
    throw new ForemarkError('venue_unavailable', 'the simulated world did not start');
  return { ...(JSON.parse(line) as Omit<World, 'close'>), close: () => child.stdin.end() };
}

/** A few of the published numbers, so that a newcomer sees some at once. */
function headlines(context: CommandContext): string[] {
  const now = context.effects.now();
  return withStore(context, { readonly: true }, (store) =>
    store.read((reader) => {
      const indices = listIndexDefinitions(reader).filter((each) => each.definition.visibility === 'public');
      const rates = listRateDefinitions(reader);
      return [
        ...indices.slice(0, 5).flatMap(({ definition: { ticker, name } }) => {
          const print = findIndexPrint(reader, ticker, now);
          return print
            ? [`index    ${ticker.padEnd(24)} ${String(toLevel(print.level)).padStart(12)}  ${name}`]
            : [];
        }),
        ...rates.slice(0, 5).flatMap(({ definition: { ticker, name } }) => {
          const print = findRatePrint(reader, ticker, now);
          return print
            ? [`rate     ${ticker.padEnd(24)} ${`${toCents(print.price)}c`.padStart(12)}  ${name}`]
            : [];
        }),
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
