import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Notice } from './commands/announce.ts';
import { type CommandContext, EXIT, type ExitCode } from './commands/context.ts';
import type { Asked } from './commands/explain.ts';
import { packageVersion } from './commands/package-root.ts';
import { createEffects } from './effects.ts';
import { SCOPES, type Scope } from './model/api-key.ts';
import { type ErrorCode, ForemarkError } from './model/errors.ts';
import { dividesDay, parseInstant } from './model/time.ts';
import type { Instant } from './model/units.ts';

/** Commands come when they are called: what one of them needs takes longer to load than help to print. */
const load = {
  announce: () => import('./commands/announce.ts'),
  backfill: () => import('./commands/backfill.ts'),
  check: () => import('./commands/check.ts'),
  config: () => import('./config.ts'),
  demo: () => import('./commands/demo.ts'),
  explain: () => import('./commands/explain.ts'),
  keys: () => import('./commands/keys.ts'),
  publish: () => import('./commands/publish.ts'),
  rebuild: () => import('./commands/rebuild.ts'),
  run: () => import('./commands/run.ts'),
  serve: () => import('./commands/serve.ts'),
  status: () => import('./commands/status.ts'),
  suggest: () => import('./commands/suggest.ts'),
  verify: () => import('./commands/verify.ts'),
};

interface GlobalOptions {
  config?: string;
  now?: Instant;
  json?: true;
}

const EXIT_OF: { [Code in ErrorCode]?: ExitCode } = {
  invalid_definition: EXIT.usage,
  invalid_configuration: EXIT.usage,
  not_found: EXIT.usage,
  run_in_progress: EXIT.busy,
  store_unusable: EXIT.unusable,
  sink_unavailable: EXIT.unusable,
  archive_damaged: EXIT.unusable,
  publication_superseded: EXIT.busy,
};

const EPILOGUE = `
Exit codes: 0 complete; 1 something failed or is missing and the rest was done; 2 wrong usage, configuration or
definition; 3 another run is writing to the store or has published meanwhile; 4 the store, the place that is
published to or another file or folder cannot be used.`;

/** What a group of commands is made with. */
interface Tools {
  program: Command;
  /** Adds a command. */
  command(name: string, description: string): Command;
  /** What a command works with, by the options that stand before and after it. */
  context(): Promise<CommandContext>;
  /** Takes how a command ended. */
  end(code: ExitCode): void;
}

/** Runs the command line. @returns the exit code */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.complete;
  const program = buildProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.complete : EXIT.usage;
    if (!(thrown instanceof ForemarkError || isOfFile(thrown))) throw thrown;
    process.stderr.write(`foremark: ${thrown.message}\n`);
    return thrown instanceof ForemarkError ? (EXIT_OF[thrown.code] ?? EXIT.partial) : EXIT.unusable;
  }
}

/** Whether the operating system refused a file or a folder; its message names it. */
function isOfFile(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && 'path' in thrown;
}

/** The commands with their options; each tells `end` how it ended. */
export function buildProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('foremark')
    .description(
      'Index, rates and market-data service for prediction markets: ingest, compute, publish, serve',
    )
    .option('--config <file>', 'settings (default: foremark.json where it exists)')
    .option('--now <instant>', 'take this instant for now, e.g. 2024-11-05T00:00:00Z', instantArgument)
    .option('--json', 'results as JSON on standard output')
    .version(packageVersion(), '--version', 'show the version')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', EPILOGUE)
    .exitOverride();
  const command = (name: string, description: string) =>
    program.command(name).description(description).exitOverride();
  const context = () => createContext(program.opts<GlobalOptions>());
  const tools = { program, command, context, end };

  command('run', 'ingest, compute and publish, one after the other, under one lock').action(async () =>
    end(await (await load.run()).runCommand(await context(), 'run', ['ingest', 'compute', 'publish'])),
  );
  command('ingest', 'bring what venues list and quote, filings and news into the store').action(async () =>
    end(await (await load.run()).runCommand(await context(), 'ingest', ['ingest'])),
  );
  command('compute', 'calculate marks, index and rate prints, and closes up to now').action(async () =>
    end(await (await load.run()).runCommand(await context(), 'compute', ['compute'])),
  );
  addPublishing(tools);
  command('rebuild', 'build lists and search anew; meanwhile they answer 503').action(async () =>
    end(await (await load.rebuild()).rebuildCommand(await context())),
  );
  command('serve', 'answer requests from the store until asked to end').action(async () =>
    end(await (await load.serve()).serveCommand(await context())),
  );
  command('check', 'validate definitions')
    .argument('[folder]', 'folder with indices/, rates/ and leagues/ (default: the configured one)')
    .action(async (folder?: string) => {
      const checked = await context();
      const { checkCommand } = await load.check();
      end(checkCommand(checked, folder ?? checked.config.definitions));
    });
  command('status', 'show the catalog, the feeds, the last runs and what was left out')
    .option(
      '--within <minutes>',
      'also end with 1 where no run came to its end in so many minutes',
      countArgument,
    )
    .action(async ({ within }: { within?: number }) => {
      const asked = await context();
      end((await load.status()).statusCommand(asked, within));
    });
  addNumbers(tools);
  addAnnounce(tools);
  addKeys(tools);
  addSuggest(tools);
  command('demo', 'run the whole job on a simulated world: no network, no key')
    .option('--exit', 'end after the summary instead of serving')
    .option('--folder <folder>', 'where the demo keeps its store and documents', 'demo')
    .option('--port <port>', 'port to serve on; a free one where it is taken', portArgument, 8787)
    .action(async (options: { exit?: true; folder: string; port: number }) =>
      end(await (await load.demo()).demoCommand(await context(), options)),
    );
  return program;
}

/** Commands on the numbers themselves: how they were made, whether they hold, and making them anew. */
function addNumbers({ command, context, end }: Tools): void {
  command('explain', 'show how a print was made')
    .argument('<ticker>', 'index or rate')
    .option('--at <instant>', 'the last print at or before this instant (default: now)', instantArgument)
    .addOption(
      new Option('--kind <kind>', 'which, where an index and a rate share the ticker').choices([
        'index',
        'rate',
      ]),
    )
    .action(async (ticker: string, options: Partial<Pick<Asked, 'at' | 'kind'>>) => {
      const asked = await context();
      const { explainCommand } = await load.explain();
      end(explainCommand(asked, { ticker, ...options, at: options.at ?? asked.effects.now() }));
    });
  command('verify', 'follow the hash chain of prints and calculate them once more from the stored inputs')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option(
      '--from <instant>',
      'calculate the prints from this instant on (default: the first of each)',
      instantArgument,
    )
    .option('--to <instant>', 'and up to this instant (default: the last of each)', instantArgument)
    .action(async (tickers: string[], options: { from?: Instant; to?: Instant }) => {
      const asked = await context();
      end((await load.verify()).verifyCommand(asked, tickers, options));
    });
  command('backfill', 'calculate history once more from the stored prices; what differs is a new revision')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option('--from <instant>', 'from this instant on (default: the first of each)', instantArgument)
    .option('--every <minutes>', 'also calculate at the whole steps of this interval', intervalArgument)
    .option(
      '--to <instant>',
      'where the steps of --every end; what has a print is calculated to its end (default: now)',
      instantArgument,
    )
    .action(async (tickers: string[], options: { from?: Instant; to?: Instant; every?: number }) => {
      const asked = await context();
      const { backfillCommand } = await load.backfill();
      end(backfillCommand(asked, tickers, options));
    });
}

function addSuggest({ program, context, end }: Tools): void {
  program
    .command('suggest')
    .description('propose definitions from what the store knows')
    .exitOverride()
    .command('rates')
    .description('propose rates on questions that two venues ask, as definitions that check accepts')
    .option('--least <confidence>', 'how sure a pair must be, 0 to 1', shareArgument, 0.5)
    .option('--folder <folder>', 'write each to rates/ of this folder')
    .exitOverride()
    .action(async (options: { least: number; folder?: string }) =>
      end((await load.suggest()).suggestRatesCommand(await context(), options)),
    );
}

function addAnnounce({ program, context, end }: Tools): void {
  const type = new Option('--type <type>', 'what is announced').choices([
    'methodology_update',
    'corporate_action',
  ]);
  program
    .command('announce')
    .description('record a notice of a methodology update or a corporate action')
    .addOption(type.makeOptionMandatory())
    .requiredOption('--title <title>', 'headline', textArgument)
    .requiredOption('--body <text>', 'what changes, and why', textArgument)
    .option('--index <ticker>', 'the index that it is about (default: all)')
    .option('--effective <instant>', 'from when on it counts (default: now)', instantArgument)
    .exitOverride()
    .action(async ({ effective, ...notice }: Omit<Notice, 'effective_at'> & { effective?: Instant }) => {
      const { announceCommand } = await load.announce();
      const from = effective === undefined ? {} : { effective_at: effective };
      end(announceCommand(await context(), { ...notice, ...from }));
    });
}

function addPublishing({ command, context, end }: Tools): void {
  command('publish', 'write every public document that changed')
    .addOption(new Option('--dry-run', 'show what would change and cost').conflicts(['rollback', 'verify']))
    .addOption(
      new Option('--rollback [generation]', 'publish an earlier generation again (default: the one before)')
        .argParser(generationArgument)
        .conflicts(['verify']),
    )
    .option('--verify', 'compare all that is published with its digests')
    .action(async (options: { dryRun?: true; rollback?: true | number; verify?: true }) => {
      const asked = await context();
      if (!options.dryRun && !options.verify && options.rollback === undefined)
        return end(await (await load.run()).runCommand(asked, 'publish', ['publish']));
      const { publishDryRunCommand, rollbackCommand, verifyPublicationCommand } = await load.publish();
      if (options.dryRun) return end(await publishDryRunCommand(asked));
      if (options.verify) return end(await verifyPublicationCommand(asked));
      end(await rollbackCommand(asked, options.rollback === true ? undefined : options.rollback));
    });
  command('prune', 'take away old generations of what was published')
    .option(
      '--keep-generations <count>',
      'how many stay at least, 2 or more (default: publish.keep_generations)',
      keptArgument,
    )
    .option(
      '--keep-days <days>',
      'what was current within so many days stays (default: publish.keep_days)',
      countArgument,
    )
    .option('--dry-run', 'show what would go')
    .action(async (options: { keepGenerations?: number; keepDays?: number; dryRun?: true }) => {
      const asked = await context();
      const { pruneCommand } = await load.publish();
      const { keep_generations, keep_days } = asked.config.publish;
      end(
        await pruneCommand(asked, {
          keepGenerations: options.keepGenerations ?? keep_generations,
          keepDays: options.keepDays ?? keep_days,
          dryRun: options.dryRun === true,
        }),
      );
    });
  command('mirror', 'copy the archive of what was published to a folder')
    .argument('<folder>', 'where the copy lies or will lie')
    .option('--check', 'compare the copy with its digests instead, offline')
    .action(async (folder: string, { check }: { check?: true }) => {
      const asked = await context();
      const { mirrorCommand, verifyMirrorCommand } = await load.publish();
      end(await (check ? verifyMirrorCommand(asked, folder) : mirrorCommand(asked, folder)));
    });
}

function addKeys({ program, context, end }: Tools): void {
  const keys = program.command('keys').description('make, list and revoke API keys').exitOverride();
  keys
    .command('create')
    .description('make a key and show it once')
    .requiredOption('--organization <name>', 'whom the key belongs to', textArgument)
    .addOption(new Option('--scope <scope...>', 'what it may read').choices(SCOPES).default(['markets:read']))
    .exitOverride()
    .action(async ({ organization, scope }: { organization: string; scope: Scope[] }) =>
      end((await load.keys()).createKeyCommand(await context(), organization, scope)),
    );
  keys
    .command('list')
    .description('list all keys, never the keys themselves')
    .exitOverride()
    .action(async () => end((await load.keys()).listKeysCommand(await context())));
  keys
    .command('revoke')
    .description('take a key out of use')
    .argument('<key-id>', 'as keys list shows it')
    .exitOverride()
    .action(async (keyId: string) => end((await load.keys()).revokeKeyCommand(await context(), keyId)));
}

async function createContext({ config, now, json }: GlobalOptions): Promise<CommandContext> {
  const { loadConfig } = await load.config();
  return {
    config: loadConfig(config, process.env),
    effects: createEffects(now),
    json: json ?? false,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    isTerminal: process.stderr.isTTY === true,
  };
}

function instantArgument(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new InvalidArgumentError('must be an instant such as 2024-11-05T00:00:00Z');
  return at;
}

function generationArgument(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('must be the number of a generation');
  return Number(text);
}

function countArgument(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

function keptArgument(text: string): number {
  const generations = countArgument(text);
  if (generations < 2) throw new InvalidArgumentError('must be 2 or more');
  return generations;
}

function textArgument(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be blank');
  return text;
}

function shareArgument(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1)) throw new InvalidArgumentError('must be 0 to 1');
  return share;
}

function intervalArgument(text: string): number {
  const minutes = countArgument(text);
  if (!dividesDay(minutes)) throw new InvalidArgumentError('must divide a day of 1440 minutes');
  return minutes;
}

function portArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('must be 0 to 65535');
  return Number(text);
}
