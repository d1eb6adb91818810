import { Option } from 'commander';
import type { Notice } from '../commands/announce.ts';
import { EDITORIAL_TYPES } from '../model/announcement.ts';
import { instantArgument, publishedTextArgument, shareArgument, textArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** Notices that an editor publishes beside the definitions. */
export function addAnnounce({ command, act }: CommandBuilder): void {
  const type = new Option('--type <type>', 'what is announced').choices(EDITORIAL_TYPES);
  command('announce', 'record a notice of a methodology update or a corporate action')
    .addOption(type.makeOptionMandatory())
    .requiredOption('--title <title>', 'headline', publishedTextArgument)
    .requiredOption('--body <text>', 'what changes, and why', publishedTextArgument)
    .option('--index <ticker>', 'the index it concerns (default: all)')
    .option('--effective <instant>', 'when it takes effect (default: now)', instantArgument)
    .action(
      act(async (context, notice: Notice) =>
        (await import('../commands/announce.ts')).announceCommand(context, notice),
      ),
    );
}

/** Proposals that an editor may turn into definitions. */
export function addSuggest({ command, act }: CommandBuilder): void {
  command('suggest', 'propose definitions from what the store knows')
    .command('rates')
    .description('propose rates on questions that two venues ask, as valid definitions')
    .option('--least <confidence>', 'how certain a pair must be, 0 to 1', shareArgument, 0.5)
    .option('--folder <folder>', 'write each into rates/ of this folder', textArgument)
    .action(
      act(async (context, options: { least: number; folder?: string }) =>
        (await import('../commands/suggest.ts')).suggestRatesCommand(context, options),
      ),
    );
}
