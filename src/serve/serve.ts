/**
 * Serve answers requests from the store by the same route records that publish writes: the public paths for
 * anybody, the others for the holder of a key. It promises that an answer is read from one snapshot, that its
 * bytes are those of the published document, and that an error tells a caller nothing that is not theirs. It
 * never writes the catalog or a print.
 */
import { hash, randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Scope } from '../model/api-key.ts';
import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { encode } from '../routes/encode.ts';
import { parseQuery, refuseParameters } from '../routes/parameters.ts';
import { type Route, type Sites, TIERS, type Tier } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import type { ObjectReader } from '../store/archive.ts';
import { findCatalogState } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { AS_OF, answerAsOf } from './as-of.ts';
import { authenticate } from './credential.ts';
import { METHODS, readableByAnyOrigin } from './cross-origin.ts';
import { errorResponse, isOurFault } from './errors.ts';
import { publishedFiles } from './published-files.ts';

export interface AppOptions {
  store: Store;
  /** What was published; without it no earlier instant can be asked about. */
  archive?: ObjectReader;
  now(): Instant;
  sites: Sites;
  /** What the data is, where it is not what the venues say: "simulated". */
  label: string;
  /** Is told what went wrong behind a 500. */
  report(thrown: unknown, requestId: string): void;
}

const PREFIX: Record<Tier, string> = { public: '/api/v1/public', authenticated: '/api/v1' };

const CACHE: Record<Tier, string> = {
  public: 'public, max-age=15, s-maxage=60, stale-while-revalidate=60',
  authenticated: 'private, no-cache',
};

/** What a key must be allowed to read for every route there is. */
const NEEDED_SCOPE: Scope = 'markets:read';

/** The HTTP application over a store. */
export function createApp(options: AppOptions): Hono<{ Variables: { requestId: string } }> {
  const app = new Hono<{ Variables: { requestId: string } }>();
  const requestIds = new WeakMap<Request, string>();
  const requestIdOf = (context: Context): string => {
    const known = requestIds.get(context.req.raw);
    if (known !== undefined) return known;
    const given = context.req.header('x-request-id');
    const id = given && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID();
    requestIds.set(context.req.raw, id);
    return id;
  };
  app.get('/livez', (context) => context.json({ status: 'alive' }, 200, { 'Cache-Control': 'no-store' }));
  app.get('/readyz', (context) => {
    const state = options.store.read(findCatalogState);
    return context.json({ catalog: state }, state === 'serving' ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
  app.use(`${PREFIX.public}/*`, readableByAnyOrigin);
  for (const tier of TIERS)
    for (const route of routes.filter((each) => each.tiers.includes(tier))) {
      const path = `${PREFIX[tier]}${route.path.replace('{id}', ':id')}`;
      app.get(path, (context) => respond(context, options, route, tier, requestIdOf(context)));
      app.options(path, (context) => context.body(null, 204, { Allow: METHODS }));
      app.all(path, () => {
        throw new ForemarkError('method_not_allowed', `only ${METHODS} are answered here`);
      });
    }
  app.route('/', publishedFiles(options.archive));
  app.notFound((context) =>
    errorResponse(
      context,
      new ForemarkError('not_found', 'there is nothing at this path'),
      requestIdOf(context),
    ),
  );
  app.onError((thrown, context) => {
    const requestId = requestIdOf(context);
    if (isOurFault(thrown)) options.report(thrown, requestId);
    return errorResponse(context, thrown, requestId);
  });
  return app;
}

async function respond(
  context: Context,
  options: AppOptions,
  route: Route,
  tier: Tier,
  requestId: string,
): Promise<Response> {
  const { store, sites } = options;
  const key = tier === 'authenticated' ? authenticate(context, store, NEEDED_SCOPE) : undefined;
  const raw = new Map(Object.entries(context.req.queries()));
  if (route.refuses) refuseParameters(route.refuses, raw);
  const now = options.now();
  const id = context.req.param('id') ?? '';
  if (tier === 'public' && raw.has(AS_OF)) {
    const { body, etag, headers } = await answerAsOf(options.archive, route, { id, now, raw });
    return send(context, new Uint8Array(body), etag, { ...commonHeaders(options, requestId), ...headers });
  }
  const query = parseQuery(route.query, raw);
  const asker = key ? { organization: key.organization } : {};
  const body = store.read((reader) => {
    if (route.needsCatalog && findCatalogState(reader) === 'rebuilding')
      throw new ForemarkError('service_unavailable', 'the catalog is rebuilding; retry in a few seconds');
    return route.answer({ reader, now, tier, id, query, sites, ...asker });
  });
  if (!body) throw new ForemarkError('not_found', `nothing is known under the id ${JSON.stringify(id)}`);
  const text = encode(body);
  const etag = `"${hash('sha256', text).slice(0, 32)}"`;
  return send(context, text, etag, {
    ...commonHeaders(options, requestId),
    'Cache-Control': CACHE[tier],
    ...(tier === 'authenticated' ? { Vary: 'Authorization, X-API-Key' } : {}),
  });
}

function commonHeaders({ label }: AppOptions, requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(label ? { 'X-Data-Label': label } : {}),
  };
}

/** The body, or 304 where the asker has it already. */
function send(
  context: Context,
  body: string | Uint8Array<ArrayBuffer>,
  etag: string,
  headers: Record<string, string>,
): Response {
  const all = { ...headers, ETag: etag };
  if (matches(context.req.header('if-none-match'), etag)) return context.body(null, 304, all);
  return context.body(body, 200, all);
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}
