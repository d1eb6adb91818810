import type { Context } from 'hono';
import { ForemarkError } from '../../model/errors.ts';
import { formatInstant } from '../../model/time.ts';
import { LIVE, RELATED } from '../../routes/cache-control.ts';
import { parseQuery, refuseParameters } from '../../routes/parameters.ts';
import type { Route, RouteRequest, Tier } from '../../routes/route.ts';
import { clientOf } from '../callers/client-address.ts';
import { admit } from '../callers/credential.ts';
import { type Env, valuesOf } from '../request-context.ts';
import type { Serving } from '../serving.ts';
import { answerFrom, type PagedAnswer } from './answer.ts';
import { type ArchivedAnswer, AS_OF, answerAsOf } from './as-of.ts';
import { digestOf } from './entity-tag.ts';
import { linkHeaders } from './link-headers.ts';
import { pagingLinks } from './paging-links.ts';
import { type Sendable, send } from './send.ts';

const USUAL: Record<Tier, string> = {
  public: LIVE,
  authenticated: 'private, no-cache',
};

const VARY: Record<Tier, string> = {
  public: 'Accept-Encoding',
  authenticated: 'Authorization, X-API-Key, Accept-Encoding',
};

/** Answers a request by its route, or with 304 if the caller already has the answer. */
export function respond(
  context: Context<Env>,
  serving: Serving,
  route: Route,
  tier: Tier,
): Response | Promise<Response> {
  const account = tier === 'authenticated' ? admit(context, serving, route.scope) : undefined;
  const raw = valuesOf(context);
  if (route.refuses) refuseParameters(route.refuses, raw);
  const now = serving.now();
  const id = context.req.param('id') ?? '';
  if (tier === 'public' && raw.has(AS_OF))
    return respondAsOf(context, serving, answerAsOf(serving.archive, route, { id, now, raw }));

  const { store, sites, searches } = serving;
  const query = parseQuery(route.query, raw);
  const asked = { now, tier, id, query, sites, ...(account && { organization: account.organization }) };
  const sendIt = (answered: PagedAnswer | undefined) =>
    sendAnswer(context, serving, { ...asked, route, raw }, answered);
  if (route.reportsRequests) serving.usage?.flush();
  if (!searches || !route.takesLong?.(query))
    return sendIt(answerFrom(store, route, { ...asked, hasTime: timeFor(serving) }));
  const asker = account
    ? `organization ${account.organization}`
    : clientOf(context, serving.addressBudget?.trusted_hops ?? 0).key;
  return searches.answer({ ...asked, path: route.path }, asker).then(sendIt);
}

/** Tells whether the time for reading related records, which begins now, is not over. */
function timeFor({ elapsed, similarityBudgetMs = Number.POSITIVE_INFINITY }: Serving): () => boolean {
  const began = elapsed();
  return () => elapsed() - began <= similarityBudgetMs;
}

/** What a request asks of a route. */
interface Asked extends Pick<RouteRequest, 'now' | 'tier' | 'id' | 'query'> {
  route: Route;
  raw: ReadonlyMap<string, readonly string[]>;
}

/** @throws ForemarkError not_found when there is no answer */
function sendAnswer(
  context: Context<Env>,
  { bodies }: Serving,
  { route, raw, now, tier, id, query }: Asked,
  answered: PagedAnswer | undefined,
): Response | Promise<Response> {
  if (!answered) throw new ForemarkError('not_found', `nothing is known under the id ${JSON.stringify(id)}`);
  return send(context, bodies, json(answered.text), {
    'Cache-Control': cacheControl(route, tier),
    Vary: VARY[tier],
    'X-As-Of': formatInstant(now),
    ...linkHeaders(route, raw, pagingLinks(context.req.path, raw, query, answered.paging)),
  });
}

async function respondAsOf(
  context: Context<Env>,
  { bodies }: Serving,
  archived: Promise<ArchivedAnswer>,
): Promise<Response> {
  const { body, headers } = await archived;
  return send(context, bodies, json(new Uint8Array(body)), { Vary: VARY.public, ...headers });
}

function json(body: string | Uint8Array<ArrayBuffer>): Sendable {
  return { body, digest: digestOf(body), type: 'application/json' };
}

function cacheControl({ caching }: Route, tier: Tier): string {
  if (caching === 'never') return 'private, no-store';
  return caching === 'related' && tier === 'public' ? RELATED : USUAL[tier];
}
