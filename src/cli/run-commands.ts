import type { Command } from 'commander';
import type { Stage } from '../commands/run-summary.ts';
import type { Instant } from '../model/units.ts';
import { portArgument, textArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** The stages of the pipeline, each alone or all in a row. */
export function addRuns({ command, act }: CommandBuilder): void {
  const runStages = (name: string, stages: readonly Stage[]) =>
    act(async (context) => (await import('../commands/run.ts')).runCommand(context, name, stages));

  command('run', 'ingest, compute and publish, one after the other, under one lock').action(
    runStages('run', ['ingest', 'compute', 'publish']),
  );
  command('ingest', 'fetch markets, prices, filings and news into the store').action(
    runStages('ingest', ['ingest']),
  );
  command('compute', 'calculate marks, prints of indices and rates, and closes, up to now').action(
    runStages('compute', ['compute']),
  );
}

/** The pipeline on the simulated world. */
export function addDemo({ command, act }: CommandBuilder): void {
  command('demo', 'run the whole job on a simulated world: no network, no key')
    .option('--exit', 'end after the summary instead of serving')
    .option('--folder <folder>', 'where the demo keeps its store and documents', textArgument, 'demo')
    .option('--port <port>', 'port to serve on; a free one if it is taken', portArgument, 8787)
    .action(
      act(async (context, options: { exit?: true; folder: string; port: number }, command: Command) => {
        if (command.optsWithGlobals<{ now?: Instant }>().now !== undefined)
          command.error(
            "error: option '--now <instant>' cannot be used with demo: its world has a clock of its own",
          );
        const foremark = process.env.npm_lifecycle_event === 'demo' ? 'npm run -s foremark --' : 'foremark';
        return (await import('../commands/demo.ts')).demoCommand(context, { ...options, foremark });
      }),
    );
}
