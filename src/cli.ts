import { Command, CommanderError, Option } from 'commander';
import {
  countArgument,
  generationArgument,
  instantArgument,
  intervalArgument,
  keptArgument,
  portArgument,
  shareArgument,
  textArgument,
} from './cli-arguments.ts';
import type { Notice } from './commands/announce.ts';
import { type CommandContext, drawsBars, EXIT, type ExitCode } from './commands/context.ts';
import type { Asked } from './commands/explanation.ts';
import { packageVersion } from './commands/package-root.ts';
import type { Stage } from './commands/run-summary.ts';
import { createEffects } from './effects.ts';
import { SCOPES, type Scope } from './model/api-key.ts';
import { type ErrorCode, ForemarkError } from './model/errors.ts';
import type { Instant } from './model/units.ts';
import { printable } from './printable.ts';

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
  /** Adds a command. */
  command(name: string, description: string): Command;
  /** What a command does with its context and with its arguments as commander hands them over. */
  act<Arguments extends unknown[]>(
    run: (context: CommandContext, ...args: Arguments) => ExitCode | Promise<ExitCode>,
  ): (...args: Arguments) => Promise<void>;
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
    process.stderr.write(`foremark: ${printable(thrown.message)}\n`);
    return thrown instanceof ForemarkError ? (EXIT_OF[thrown.code] ?? EXIT.partial) : EXIT.unusable;
  }
}

/** Whether the operating system refused a file or a folder; its message names it. */
function isOfFile(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && 'path' in thrown;
}

/**
 * The commands with their options; each tells `end` how it ended. What one of them needs is loaded when it is called: that
 * takes longer than help to print.
 */
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
  const command: Tools['command'] = (name, description) => program.command(name).description(description);
  const act: Tools['act'] =
    (run) =>
    async (...args) =>
      end(await run(await createContext(program.opts<GlobalOptions>()), ...args));
  const runStages = (name: string, stages: readonly Stage[]) =>
    act(async (context) => (await import('./commands/run.ts')).runCommand(context, name, stages));

  command('run', 'ingest, compute and publish, one after the other, under one lock').action(
    runStages('run', ['ingest', 'compute', 'publish']),
  );
  command('ingest', 'bring what venues list and quote, filings and news into the store').action(
    runStages('ingest', ['ingest']),
  );
  command('compute', 'calculate marks, index and rate prints, and closes up to now').action(
    runStages('compute', ['compute']),
  );
  addPublishing({ command, act });
  command('rebuild', 'build lists and search anew; meanwhile they answer 503').action(
    act(async (context) => (await import('./commands/rebuild.ts')).rebuildCommand(context)),
  );
  command('serve', 'answer requests from the store until asked to end').action(
    act(async (context) => (await import('./commands/serve.ts')).serveCommand(context)),
  );
  command('check', 'validate definitions')
    .argument('[folder]', 'folder with indices/, rates/ and leagues/ (default: the configured one)')
    .action(
      act(async (context, folder?: string) => {
        const { checkCommand } = await import('./commands/check.ts');
        return checkCommand(context, folder ?? context.config.definitions);
      }),
    );
  command('status', 'show the catalog, the feeds, the last runs and what was left out')
    .option(
      '--within <minutes>',
      'also end with 1 where no run came to its end in so many minutes',
      countArgument,
    )
    .action(
      act(async (context, { within }: { within?: number }) =>
        (await import('./commands/status.ts')).statusCommand(context, within),
      ),
    );
  addNumbers({ command, act });
  addAnnounce({ command, act });
  addKeys({ command, act });
  addSuggest({ command, act });
  command('demo', 'run the whole job on a simulated world: no network, no key')
    .option('--exit', 'end after the summary instead of serving')
    .option('--folder <folder>', 'where the demo keeps its store and documents', 'demo')
    .option('--port <port>', 'port to serve on; a free one where it is taken', portArgument, 8787)
    .action(
      act(async (context, options: { exit?: true; folder: string; port: number }) =>
        (await import('./commands/demo.ts')).demoCommand(context, options),
      ),
    );
  return program;
}

/** Commands on the numbers themselves: how they were made, whether they hold, and making them anew. */
function addNumbers({ command, act }: Tools): void {
  command('explain', 'show how a print was made')
    .argument('<ticker>', 'index or rate')
    .option('--at <instant>', 'the last print at or before this instant (default: now)', instantArgument)
    .addOption(
      new Option('--kind <kind>', 'which, where an index and a rate share the ticker').choices([
        'index',
        'rate',
      ]),
    )
    .action(
      act(async (context, ticker: string, options: Partial<Pick<Asked, 'at' | 'kind'>>) => {
        const { explainCommand } = await import('./commands/explain.ts');
        return explainCommand(context, { at: context.effects.now(), ...options, ticker });
      }),
    );
  command('verify', 'follow the hash chain of prints and calculate them once more from the stored inputs')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option(
      '--from <instant>',
      'calculate the prints from this instant on (default: the first of each)',
      instantArgument,
    )
    .option('--to <instant>', 'and up to this instant (default: the last of each)', instantArgument)
    .action(
      act(async (context, tickers: string[], options: { from?: Instant; to?: Instant }) =>
        (await import('./commands/verify.ts')).verifyCommand(context, tickers, options),
      ),
    );
  command('backfill', 'calculate history once more from the stored prices; what differs is a new revision')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option('--from <instant>', 'from this instant on (default: the first of each)', instantArgument)
    .option('--every <minutes>', 'also calculate at the whole steps of this interval', intervalArgument)
    .option(
      '--to <instant>',
      'where the steps of --every end; what has a print is calculated to its end (default: now)',
      instantArgument,
    )
    .action(
      act(async (context, tickers: string[], options: { from?: Instant; to?: Instant; every?: number }) =>
        (await import('./commands/backfill.ts')).backfillCommand(context, tickers, options),
      ),
    );
}

function addSuggest({ command, act }: Tools): void {
  command('suggest', 'propose definitions from what the store knows')
    .command('rates')
    .description('propose rates on questions that two venues ask, as definitions that check accepts')
    .option('--least <confidence>', 'how sure a pair must be, 0 to 1', shareArgument, 0.5)
    .option('--folder <folder>', 'write each to rates/ of this folder')
    .action(
      act(async (context, options: { least: number; folder?: string }) =>
        (await import('./commands/suggest.ts')).suggestRatesCommand(context, options),
      ),
    );
}

function addAnnounce({ command, act }: Tools): void {
  const type = new Option('--type <type>', 'what is announced').choices([
    'methodology_update',
    'corporate_action',
  ]);
  command('announce', 'record a notice of a methodology update or a corporate action')
    .addOption(type.makeOptionMandatory())
    .requiredOption('--title <title>', 'headline', textArgument)
    .requiredOption('--body <text>', 'what changes, and why', textArgument)
    .option('--index <ticker>', 'the index that it is about (default: all)')
    .option('--effective <instant>', 'from when on it counts (default: now)', instantArgument)
    .action(
      act(async (context, notice: Notice) =>
        (await import('./commands/announce.ts')).announceCommand(context, notice),
      ),
    );
}

function addPublishing({ command, act }: Tools): void {
  command('publish', 'write every public document that changed')
    .addOption(
      new Option('--dry-run', 'show what would change and cost').conflicts(['rollback', 'verify', 'repair']),
    )
    .addOption(
      new Option('--rollback [generation]', 'publish an earlier generation again (default: the one before)')
        .argParser(generationArgument)
        .conflicts(['verify', 'repair']),
    )
    .addOption(new Option('--verify', 'compare all that is published with its digests').conflicts(['repair']))
    .option('--repair', 'bring back what the live tree does not hold as its generation does')
    .action(act(publishAction));
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
    .action(
      act(async (context, options: { keepGenerations?: number; keepDays?: number; dryRun?: true }) => {
        const { keep_generations: keepGenerations, keep_days: keepDays } = context.config.publish;
        const { pruneCommand } = await import('./commands/publish.ts');
        return pruneCommand(context, { keepGenerations, keepDays, dryRun: false, ...options });
      }),
    );
  command('mirror', 'copy the archive of what was published to a folder')
    .argument('<folder>', 'where the copy lies or will lie')
    .addOption(
      new Option('--check', 'compare the copy with its digests instead, offline').conflicts(['repair']),
    )
    .option('--repair', 'copy anew also what the copy holds otherwise than its digest says')
    .action(
      act(async (context, folder: string, options: { check?: true; repair?: true }) => {
        const { mirrorCommand, verifyMirrorCommand } = await import('./commands/publish.ts');
        return options.check ? verifyMirrorCommand(context, folder) : mirrorCommand(context, folder, options);
      }),
    );
}

async function publishAction(
  context: CommandContext,
  options: { dryRun?: true; rollback?: true | number; verify?: true; repair?: true },
): Promise<ExitCode> {
  const { dryRun, rollback, verify, repair } = options;
  const commands = await import('./commands/publish.ts');
  if (dryRun) return commands.publishDryRunCommand(context);
  if (verify) return commands.verifyPublicationCommand(context);
  if (repair) return commands.repairPublicationCommand(context);
  if (rollback !== undefined)
    return commands.rollbackCommand(context, rollback === true ? undefined : rollback);
  return (await import('./commands/run.ts')).runCommand(context, 'publish', ['publish']);
}

function addKeys({ command, act }: Tools): void {
  const commands = () => import('./commands/keys.ts');
  const keys = command('keys', 'make, list and revoke API keys');
  keys
    .command('create')
    .description('make a key and show it once')
    .requiredOption('--organization <name>', 'whom the key belongs to', textArgument)
    .addOption(new Option('--scope <scope...>', 'what it may read').choices(SCOPES).default(['markets:read']))
    .action(
      act(async (context, { organization, scope }: { organization: string; scope: Scope[] }) =>
        (await commands()).createKeyCommand(context, organization, scope),
      ),
    );
  keys
    .command('list')
    .description('list all keys, never the keys themselves')
    .action(act(async (context) => (await commands()).listKeysCommand(context)));
  keys
    .command('revoke')
    .description('take a key out of use')
    .argument('<key-id>', 'as keys list shows it')
    .action(act(async (context, keyId: string) => (await commands()).revokeKeyCommand(context, keyId)));
}

async function createContext({ config, now, json }: GlobalOptions): Promise<CommandContext> {
  const { loadConfig } = await import('./config.ts');
  return {
    config: loadConfig(config, process.env),
    effects: createEffects(now),
    json: json ?? false,
    out: (text) => process.stdout.write(`${printable(text)}\n`),
    err: (text) => process.stderr.write(`${printable(text)}\n`),
    isTerminal: drawsBars(process.stderr, process.env.TERM),
  };
}
