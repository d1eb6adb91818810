import { Option } from 'commander';
import type { Asked } from '../commands/explanation/explanation.ts';
import type { Instant } from '../model/units.ts';
import { instantArgument, intervalArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** Commands on the numbers themselves: explain, verify, recalculate. */
export function addNumbers({ command, act }: CommandBuilder): void {
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
        const { explainCommand } = await import('../commands/explain.ts');
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
        (await import('../commands/verify.ts')).verifyCommand(context, tickers, options),
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
        (await import('../commands/backfill.ts')).backfillCommand(context, tickers, options),
      ),
    );
}
