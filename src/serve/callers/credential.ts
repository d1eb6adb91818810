import type { Context } from 'hono';
import type { Scope } from '../../model/api-key.ts';
import { ForemarkError, ParameterError } from '../../model/errors.ts';
import { type ApiKeyRow, findApiKey } from '../../store/api-keys.ts';
import type { Store } from '../../store/store.ts';
import type { Env } from '../request-context.ts';
import type { Serving } from '../serving.ts';
import { budgetHeaders, overBudget } from './budget.ts';

/** The scope that a key needs if a route names no other. */
const USUAL_SCOPE: Scope = 'markets:read';

/** Name of a key's budget in the headers. */
const NAME = 'key';

/**
 * Admits a request by its key and charges it to the key's budget, which the headers of the answer state.
 *
 * @throws what {@link authenticate} throws; ForemarkError too_many_requests when the key's budget is spent or too many of
 *   its answers are unread, insufficient_scope when it may not read `scope`
 */
export function admit(
  context: Context<Env>,
  { store, keys, unread, elapsed }: Pick<Serving, 'store' | 'keys' | 'unread' | 'elapsed'>,
  scope: Scope | 'any' = USUAL_SCOPE,
): ApiKeyRow {
  const account = authenticate(context, store);
  context.set('account', account);
  if (keys) {
    const spent = keys.spend(account.key_id, elapsed());
    Object.assign(context.get('headers'), budgetHeaders(NAME, keys.limit, spent));
    if (!spent.allowed) throw overBudget(keys.limit);
  }
  unread.refuse(context, account.key_id);
  if (scope !== 'any' && !account.scopes.includes(scope)) {
    challenge(context, `error="insufficient_scope", scope="${scope}"`);
    throw new ForemarkError('insufficient_scope', `the key does not have the scope ${scope}`);
  }
  return account;
}

/**
 * Finds the key that a request presents, in `Authorization: Bearer <key>` or `X-API-Key`; never in the query string,
 * which ends up in logs.
 *
 * @throws ForemarkError unauthorized without a key in use; ParameterError when two keys are given that differ
 */
function authenticate(context: Context<Env>, store: Store): ApiKeyRow {
  if (context.req.query('api_key') !== undefined)
    throw new ParameterError(
      'api_key',
      'api_key is not taken from the query; send Authorization: Bearer <key>',
    );
  const header = context.req.header('authorization');
  const alias = context.req.header('x-api-key');
  const bearer = header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (header !== undefined && bearer === undefined)
    throw unauthorized(context, 'the Authorization header must be Bearer <key>');
  if (bearer !== undefined && alias !== undefined && bearer !== alias)
    throw new ParameterError('X-API-Key', 'X-API-Key and Authorization carry different keys');
  const key = bearer ?? alias;
  if (key === undefined) throw unauthorized(context, 'a key is needed: Authorization: Bearer <key>');
  const found = store.read((reader) => findApiKey(reader, key));
  if (!found) throw unauthorized(context, 'the key is unknown or was revoked', 'error="invalid_token"');
  return found;
}

function unauthorized(context: Context<Env>, message: string, why?: string): ForemarkError {
  challenge(context, why);
  return new ForemarkError('unauthorized', message);
}

/**
 * Adds to a refusal how to present a key, and what is wrong with the one presented. A challenge must have a parameter.
 *
 * @see RFC 6750, section 3
 */
function challenge(context: Context<Env>, why?: string): void {
  context.get('headers')['WWW-Authenticate'] = `Bearer realm="foremark"${why ? `, ${why}` : ''}`;
}
