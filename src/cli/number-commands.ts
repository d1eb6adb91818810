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
      new Option('--kind <kind>', 'needed when an index and a rate share the ticker').choices([
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
  command('verify', 'check the hash chains and recalculate all prints from the stored inputs')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option(
      '--from <instant>',
      'recalculate only prints from this instant on (default: the first of each)',
      instantArgument,
    )
    .option(
      '--to <instant>',
      'recalculate only prints up to this instant (default: the last of each)',
      instantArgument,
    )
    .action(
      act(async (context, tickers: string[], options: { from?: Instant; to?: Instant }) =>
        (await import('../commands/verify.ts')).verifyCommand(context, tickers, options),
      ),
    );
  command('backfill', 'recalculate history from the stored prices; differing prints get a new revision')
    .argument('[ticker...]', 'indices or rates (default: all)')
    .option('--from <instant>', 'from this instant on (default: the first of each)', instantArgument)
    .option('--every <minutes>', 'also calculate at the whole steps of this interval', intervalArgument)
    .option(
      '--to <instant>',
      'end of the steps of --every; existing prints are recalculated to their end (default: now)',
      instantArgument,
    )
    .action(
      act(async (context, tickers: string[], options: { from?: Instant; to?: Instant; every?: number }) =>
        (await import('../commands/backfill.ts')).backfillCommand(context, tickers, options),
      ),
    );
}
