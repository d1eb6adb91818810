import { keyIdOf, type Scope } from '../model/api-key.ts';
import { formatInstant } from '../model/time.ts';
import { insertApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.ts';
import { type CommandContext, EXIT, type ExitCode, tell } from './context.ts';
import { withStore } from './with-store.ts';

/**
 * Creates a key and shows it once. If the output could not be written, nobody has seen the key, and it is revoked.
 *
 * @param isOut returns whether all output so far could be written
 */
export async function createKeyCommand(
  context: CommandContext,
  organization: string,
  scopes: readonly Scope[],
  isOut: () => Promise<boolean>,
): Promise<ExitCode> {
  const { effects, err, json } = context;
  const key = withStore(context, 'create', (store) =>
    store.write((writer) => insertApiKey(writer, organization, scopes, effects.now())),
  );
  tell(context, { key, organization, scopes }, [key]);
  if (await isOut()) {
    if (!json) err('keep it now: it is not stored and cannot be shown again');
    return EXIT.complete;
  }
  const keyId = keyIdOf(key) as string;
  withStore(context, 'write', (store) => store.write((writer) => revokeApiKey(writer, keyId, effects.now())));
  err(`the key could not be shown, so it was revoked: ${keyId}`);
  return EXIT.unusable;
}

/** Lists the ids of all keys with their state, never the keys themselves. */
export function listKeysCommand(context: CommandContext): ExitCode {
  return withStore(context, 'read', (store) => {
    const keys = store.read(listApiKeys).map((key) => ({
      ...key,
      created_at: formatInstant(key.created_at),
      revoked_at: key.revoked_at === null ? null : formatInstant(key.revoked_at),
    }));
    if (!context.json && keys.length === 0) context.err('no key has been created yet');
    const lines = keys.map(({ key_id, organization, scopes, created_at, revoked_at }) => {
      const state = revoked_at === null ? 'in use' : `revoked ${revoked_at}`;
      return `${key_id}  ${organization}  ${scopes.join(',')}  made ${created_at}  ${state}`;
    });
    tell(context, keys, lines);
    return EXIT.complete;
  });
}

export function revokeKeyCommand(context: CommandContext, keyId: string): ExitCode {
  return withStore(context, 'write', (store) => {
    const revoked = store.write((writer) => revokeApiKey(writer, keyId, context.effects.now()));
    if (!revoked) context.err(`no key in use has the id ${keyId}; foremark keys list shows them`);
    else tell(context, { key_id: keyId, revoked }, [`revoked ${keyId}`]);
    return revoked ? EXIT.complete : EXIT.usage;
  });
}
