import { Command, CommanderError, Help, type Option } from 'commander';
import { instantArgument, textArgument } from './cli/arguments.ts';
import type { CommandBuilder } from './cli/command-builder.ts';
import { addAnnounce, addSuggest } from './cli/editor-commands.ts';
import { escapeControls } from './cli/escape-controls.ts';
import { addKeys } from './cli/key-commands.ts';
import { addNumbers } from './cli/number-commands.ts';
import { addPublishing } from './cli/publish-commands.ts';
import { addDemo, addRuns } from './cli/run-commands.ts';
import { addService } from './cli/service-commands.ts';
import { type CommandContext, drawsBars, EXIT, type ExitCode } from './commands/context.ts';
import { packageVersion } from './commands/package-root.ts';
import { createEffects } from './effects.ts';
import { type ErrorCode, ForemarkError, operatorMessageOf } from './model/errors.ts';
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

/** The groups of commands, in the order of the help. */
const GROUPS = [
  addRuns,
  addPublishing,
  addService,
  addNumbers,
  addAnnounce,
  addKeys,
  addSuggest,
  addDemo,
] as const;

const EPILOGUE = `
Exit codes: 0 complete; 1 something failed or is missing and the rest was done; 2 wrong usage, configuration or
definition; 3 another run is writing to the store or has published meanwhile; 4 the store, the place that is
published to or another file or folder cannot be used.`;

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
    process.stderr.write(`foremark: ${escapeControls(operatorMessageOf(thrown))}\n`);
    return thrown instanceof ForemarkError ? (EXIT_OF[thrown.code] ?? EXIT.partial) : EXIT.unusable;
  }
}

/** Whether the operating system refused a file or folder; such a message names it. */
function isOfFile(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && 'path' in thrown;
}

/**
 * The commands with their options; each reports its exit code to `end`. A command's own code is loaded only when it is
 * called, since loading it takes longer than printing help.
 */
export function buildProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('foremark')
    .description(
      'Index, rates and market-data service for prediction markets: ingest, compute, publish, serve',
    )
    .option('--config <file>', 'settings (default: foremark.json, if it exists)', textArgument)
    .option(
      '--now <instant>',
      'use this instant as the current time, e.g. 2024-11-05T00:00:00Z',
      instantArgument,
    )
    .option('--json', 'results as JSON on standard output')
    .version(packageVersion(), '--version', 'show the version')
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .addHelpText('after', EPILOGUE)
    .exitOverride();
  const builder: CommandBuilder = {
    command: (name, description) => program.command(name).description(description),
    act:
      (run) =>
      async (...args) =>
        end(await run(await createContext(program.opts<GlobalOptions>()), ...args)),
  };
  for (const add of GROUPS) add(builder);
  return program;
}

const help = new Help();

/** The description of an option, which says whether its command needs it. */
function describeOption(option: Option): string {
  return help.optionDescription(option) + (option.mandatory ? ' (required)' : '');
}

async function createContext({ config, now, json }: GlobalOptions): Promise<CommandContext> {
  const { loadConfig } = await import('./cli/load-config.ts');
  return {
    config: loadConfig(config, process.env),
    effects: createEffects(now),
    json: json ?? false,
    out: (text) => process.stdout.write(`${escapeControls(text)}\n`),
    err: (text) => process.stderr.write(`${escapeControls(text)}\n`),
    isTerminal: drawsBars(process.stderr, process.env.TERM),
  };
}
