import type { Context } from 'hono';
import type { Scope } from '../model/api-key.ts';
import { ForemarkError, ParameterError } from '../model/errors.ts';
import { type ApiKeyRow, findApiKey } from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';

/**
 * Whose key a request presents: `Authorization: Bearer <key>`, or `X-API-Key`. Never the query string, which
 * ends up in logs.
 *
 * @throws ForemarkError unauthorized without a key in use, insufficient_scope when it may not read `needed`;
 *   ParameterError when two keys are given that differ
 */
export function authenticate(context: Context, store: Store, needed: Scope): ApiKeyRow {
  if (context.req.query('api_key') !== undefined)
    throw new ParameterError(
      'api_key',
      'api_key is not taken from the query; send Authorization: Bearer <key>',
    );
  const header = context.req.header('authorization');
  const alias = context.req.header('x-api-key');
  const bearer = header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (header !== undefined && bearer === undefined)
    throw new ForemarkError('unauthorized', 'the Authorization header must be Bearer <key>');
  if (bearer !== undefined && alias !== undefined && bearer !== alias)
    throw new ParameterError('X-API-Key', 'X-API-Key and Authorization carry different keys');
  const key = bearer ?? alias;
  if (key === undefined)
    throw new ForemarkError('unauthorized', 'a key is needed: Authorization: Bearer <key>');
  const found = store.read((reader) => findApiKey(reader, key));
  if (!found) throw new ForemarkError('unauthorized', 'the key is unknown or was revoked');
  if (!found.scopes.includes(needed))
    throw new ForemarkError('insufficient_scope', `the key does not have the scope ${needed}`);
  return found;
}
