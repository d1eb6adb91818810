import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { announceCommand, type Notice } from './commands/announce.ts';
import { backfillCommand } from './commands/backfill.ts';
import { checkCommand } from './commands/check.ts';
import { type CommandContext, EXIT, type ExitCode } from './commands/context.ts';
import { demoCommand } from './commands/demo.ts';
import { explainCommand } from './commands/explain.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './commands/keys.ts';
import {
  mirrorCommand,
  pruneCommand,
  publishDryRunCommand,
  rollbackCommand,
  verifyPublicationCommand,
} from './commands/publish.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { verifyCommand } from './commands/verify.ts';
import { loadConfig } from './config.ts';
import { createEffects } from './effects.ts';
import { SCOPES, type Scope } from './model/api-key.ts';
import { intervalMinutes } from './model/definition-fields.ts';
import { type ErrorCode, ForemarkError } from './model/errors.ts';
import { parseInstant } from './model/time.ts';
import type { Instant } from './model/units.ts';

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
definition; 3 another run is writing to the store or has published meanwhile; 4 the store or the place that is
published to cannot be used.`;

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
    if (!(thrown instanceof ForemarkError)) throw thrown;
    process.stderr.write(`foremark: ${thrown.message}\n`);
    return EXIT_OF[thrown.code] ?? EXIT.partial;
  }
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
    .addHelpText('after', EPILOGUE)
    .exitOverride();
  const command = (name: string, description: string) =>
    program.command(name).description(description).exitOverride();
  const context = () => createContext(program.opts<GlobalOptions>());

  command('run', 'ingest, compute and publish, one after the other, under one lock').action(async () =>
    end(await runCommand(context(), 'run', ['ingest', 'compute', 'publish'])),
  );
  command('ingest', 'bring what the venues list and quote into the store').action(async () =>
    end(await runCommand(context(), 'ingest', ['ingest'])),
  );
  command('compute', 'calculate marks, index and rate prints, and closes up to now').action(async () =>
    end(await runCommand(context(), 'compute', ['compute'])),
  );
  addPublishing(command, context, end);
  command('rebuild', 'build lists and search anew; meanwhile they answer 503').action(async () =>
    end(await rebuildCommand(context())),
  );
  command('serve', 'answer requests from the store until asked to end').action(async () =>
    end(await serveCommand(context())),
  );
  command('check', 'validate definitions')
    .argument('[folder]', 'folder with indices/ and rates/ (default: the configured one)')
    .action((folder?: string) => {
      const checked = context();
      end(checkCommand(checked, folder ?? checked.config.definitions));
    });
  command('status', 'show the catalog, the feeds, the last runs and what was left out').action(() =>
    end(statusCommand(context())),
  );
  command('explain', 'show how a print was made')
    .argument('<ticker>', 'index or rate')
    .option('--at <instant>', 'the last print at or before this instant (default: now)', instantArgument)
    .action((ticker: string, options: { at?: Instant }) => {
      const asked = context();
      end(explainCommand(asked, ticker, options.at ?? asked.effects.now()));
    });
  command('verify', 'follow the hash chain of prints and calculate them once more from the stored inputs')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .action((tickers: string[]) => end(verifyCommand(context(), tickers)));
  command('backfill', 'calculate history once more from the stored prices; what differs is a new revision')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option('--from <instant>', 'from this instant on (default: the first of each)', instantArgument)
    .option('--to <instant>', 'last instant of a finer grid (default: now)', instantArgument)
    .option('--every <minutes>', 'also calculate at the whole steps of this interval', intervalArgument)
    .action((tickers: string[], options: { from?: Instant; to?: Instant; every?: number }) => {
      const asked = context();
      const { from = 0, to = asked.effects.now(), every } = options;
      const grid = every === undefined ? {} : { every_minutes: every };
      end(backfillCommand(asked, { tickers, from, to, ...grid }));
    });
  addAnnounce(program, context, end);
  addKeys(program, context, end);
  command('demo', 'run the whole job on a simulated world: no network, no key')
    .option('--exit', 'end after the summary instead of serving', false)
    .option('--folder <folder>', 'where the demo keeps its store and documents', 'demo')
    .option('--port <port>', 'port to serve on; a free one where it is taken', portArgument, 8787)
    .action(async (options: { exit: boolean; folder: string; port: number }) =>
      end(await demoCommand(context(), options)),
    );
  return program;
}

function addAnnounce(program: Command, context: () => CommandContext, end: (code: ExitCode) => void): void {
  const type = new Option('--type <type>', 'what is announced').choices([
    'methodology_update',
    'corporate_action',
  ]);
  program
    .command('announce')
    .description('record a notice of a methodology update or a corporate action')
    .addOption(type.makeOptionMandatory())
    .requiredOption('--title <title>', 'headline')
    .requiredOption('--body <text>', 'what changes, and why')
    .option('--index <ticker>', 'the index that it is about (default: all)')
    .option('--effective <instant>', 'from when on it counts (default: now)', instantArgument)
    .exitOverride()
    .action(({ effective, ...notice }: Omit<Notice, 'effective_at'> & { effective?: Instant }) =>
      end(
        announceCommand(context(), {
          ...notice,
          ...(effective === undefined ? {} : { effective_at: effective }),
        }),
      ),
    );
}

function addPublishing(
  command: (name: string, description: string) => Command,
  context: () => CommandContext,
  end: (code: ExitCode) => void,
): void {
  command('publish', 'write every public document that changed')
    .addOption(new Option('--dry-run', 'show what would change and cost').conflicts(['rollback', 'verify']))
    .addOption(
      new Option('--rollback [generation]', 'publish an earlier generation again (default: the one before)')
        .argParser(generationArgument)
        .conflicts(['verify']),
    )
    .option('--verify', 'compare all that is published with its digests')
    .action(async (options: { dryRun?: true; rollback?: true | number; verify?: true }) => {
      const asked = context();
      if (options.dryRun) return end(await publishDryRunCommand(asked));
      if (options.verify) return end(await verifyPublicationCommand(asked));
      if (options.rollback === undefined) return end(await runCommand(asked, 'publish', ['publish']));
      end(await rollbackCommand(asked, options.rollback === true ? undefined : options.rollback));
    });
  command('prune', 'take away old generations of what was published')
    .option('--keep-generations <count>', 'how many stay at least, 2 or more', countArgument)
    .option('--keep-days <days>', 'what was current within so many days stays', countArgument)
    .option('--dry-run', 'show what would go', false)
    .action(async (options: { keepGenerations?: number; keepDays?: number; dryRun: boolean }) => {
      const asked = context();
      const { keep_generations, keep_days } = asked.config.publish;
      end(
        await pruneCommand(asked, {
          keepGenerations: options.keepGenerations ?? keep_generations,
          keepDays: options.keepDays ?? keep_days,
          dryRun: options.dryRun,
        }),
      );
    });
  command('mirror', 'copy the archive of what was published to a folder')
    .argument('<folder>', 'where the copy lies or will lie')
    .option('--check', 'compare the copy with its digests instead, offline', false)
    .action(async (folder: string, options: { check: boolean }) =>
      end(await mirrorCommand(context(), folder, options)),
    );
}

function addKeys(program: Command, context: () => CommandContext, end: (code: ExitCode) => void): void {
  const keys = program.command('keys').description('make, list and revoke API keys').exitOverride();
  keys
    .command('create')
    .description('make a key and show it once')
    .requiredOption('--organization <name>', 'whom the key belongs to')
    .addOption(new Option('--scope <scope...>', 'what it may read').choices(SCOPES).default(['markets:read']))
    .exitOverride()
    .action((options: { organization: string; scope: Scope[] }) =>
      end(createKeyCommand(context(), options.organization, options.scope)),
    );
  keys
    .command('list')
    .description('list all keys, never the keys themselves')
    .exitOverride()
    .action(() => end(listKeysCommand(context())));
  keys
    .command('revoke')
    .description('take a key out of use')
    .argument('<key-id>', 'as keys list shows it')
    .exitOverride()
    .action((keyId: string) => end(revokeKeyCommand(context(), keyId)));
}

function createContext({ config, now, json }: GlobalOptions): CommandContext {
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

function intervalArgument(text: string): number {
  const minutes = countArgument(text);
  if (!intervalMinutes.safeParse(minutes).success)
    throw new InvalidArgumentError('must divide a day of 1440 minutes');
  return minutes;
}

function portArgument(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535');
  return port;
}
