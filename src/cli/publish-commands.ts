import { Option } from 'commander';
import type { CommandContext, ExitCode } from '../commands/context.ts';
import { countArgument, generationArgument, keptArgument, textArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** Commands on what is published and on its archive. */
export function addPublishing({ command, act }: CommandBuilder): void {
  command('publish', 'write every public document that changed')
    .addOption(
      new Option('--dry-run', 'show what would change and cost').conflicts(['rollback', 'verify', 'repair']),
    )
    .addOption(
      new Option('--rollback [generation]', 'publish an earlier generation again (default: the one before)')
        .argParser(generationArgument)
        .conflicts(['verify', 'repair']),
    )
    .addOption(new Option('--verify', 'compare everything published with its digests').conflicts(['repair']))
    .option('--repair', 'restore the live tree to its generation')
    .addOption(
      new Option('--take-over', 'replace what another store published').conflicts([
        'rollback',
        'verify',
        'repair',
      ]),
    )
    .action(act(publishAction));
  command('prune', 'remove old generations of the publication')
    .option(
      '--keep-generations <count>',
      'keep at least so many, 2 or more (default: publish.keep_generations)',
      keptArgument,
    )
    .option(
      '--keep-days <days>',
      'keep what was current within so many days (default: publish.keep_days)',
      countArgument,
    )
    .option('--dry-run', 'show what would be removed')
    .action(
      act(async (context, options: { keepGenerations?: number; keepDays?: number; dryRun?: true }) => {
        const { keep_generations: keepGenerations, keep_days: keepDays } = context.config.publish;
        const { pruneCommand } = await import('../commands/publish.ts');
        return pruneCommand(context, { keepGenerations, keepDays, dryRun: false, ...options });
      }),
    );
  command('mirror', 'copy the archive of the publication to a folder')
    .argument('<folder>', 'folder of the copy; created if missing', textArgument)
    .addOption(
      new Option('--check', 'compare the copy with its digests instead, offline').conflicts(['repair']),
    )
    .option('--repair', 'also copy again what does not match its digest')
    .action(
      act(async (context, folder: string, options: { check?: true; repair?: true }) => {
        const { mirrorCommand, verifyMirrorCommand } = await import('../commands/publish.ts');
        return options.check ? verifyMirrorCommand(context, folder) : mirrorCommand(context, folder, options);
      }),
    );
}

async function publishAction(
  context: CommandContext,
  options: { dryRun?: true; rollback?: true | number; verify?: true; repair?: true; takeOver?: true },
): Promise<ExitCode> {
  const { dryRun, rollback, verify, repair, takeOver = false } = options;
  const commands = await import('../commands/publish.ts');
  if (dryRun) return commands.publishDryRunCommand(context, { takeOver });
  if (verify) return commands.verifyPublicationCommand(context);
  if (repair) return commands.repairPublicationCommand(context);
  if (rollback !== undefined)
    return commands.rollbackCommand(context, rollback === true ? undefined : rollback);
  return (await import('../commands/run.ts')).runCommand(context, 'publish', ['publish'], { takeOver });
}
