import { Option } from 'commander';
import { SCOPES, type Scope } from '../model/api-key.ts';
import { textArgument } from './arguments.ts';
import type { CommandBuilder } from './command-builder.ts';

/** Commands on API keys. */
export function addKeys({ command, act }: CommandBuilder): void {
  const commands = () => import('../commands/keys.ts');
  const keys = command('keys', 'create, list and revoke API keys');
  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--organization <name>', 'the owner of the key', textArgument)
    .addOption(new Option('--scope <scope...>', 'what it may read').choices(SCOPES).default(['markets:read']))
    .action(
      act(async (context, { organization, scope }: { organization: string; scope: Scope[] }) =>
        (await commands()).createKeyCommand(context, organization, scope, isOut),
      ),
    );
  keys
    .command('list')
    .description('list all keys by their ids; secrets are never shown')
    .action(act(async (context) => (await commands()).listKeysCommand(context)));
  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key-id>', 'as keys list shows it')
    .action(act(async (context, keyId: string) => (await commands()).revokeKeyCommand(context, keyId)));
}

/** Whether all that was written to standard output could be. */
const isOut = () =>
  new Promise<boolean>((resolve) => {
    process.stdout.write('', (error) => resolve(!error));
  });
