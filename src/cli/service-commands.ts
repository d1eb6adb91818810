import type { Command } from 'commander';
import type { Instant } from '../model/units.ts';
import { countArgument, textArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** Commands for whoever operates the service. */
export function addService({ command, act }: CommandBuilder): void {
  command('rebuild', 'rebuild lists and search; meanwhile they answer 503').action(
    act(async (context) => (await import('../commands/rebuild.ts')).rebuildCommand(context)),
  );
  command('serve', 'answer requests from the store until stopped').action(
    act(async (context, _options: object, command: Command) => {
      const isFixed = command.optsWithGlobals<{ now?: Instant }>().now !== undefined;
      return (await import('../commands/serve.ts')).serveCommand(context, isFixed);
    }),
  );
  command('check', 'validate definitions')
    .argument(
      '[folder]',
      'folder with indices/, rates/ and leagues/ (default: the configured one)',
      textArgument,
    )
    .action(
      act(async (context, folder?: string) => {
        const { checkCommand } = await import('../commands/check.ts');
        return checkCommand(context, folder ?? context.config.definitions);
      }),
    );
  command('status', 'show the catalog, the feeds, the last runs and what was left out')
    .option(
      '--within <minutes>',
      'also exit with 1 if no run has ended within so many minutes',
      countArgument,
    )
    .action(
      act(async (context, { within }: { within?: number }) =>
        (await import('../commands/status.ts')).statusCommand(context, within),
      ),
    );
}
