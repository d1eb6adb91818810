/**
 * Serve answers requests from the store by the same route records that publish uses: the public paths for anybody, the
 * others for holders of a key. It promises that an answer is read from one snapshot, that its bytes are those of the
 * published document, and that an error reveals nothing that the caller may not know. It never writes the catalog or a
 * print; request counts go through a recorder of their own.
 */
import { type Context, Hono } from 'hono';
import { ForemarkError } from '../model/errors.ts';
import { BASE, EXPORT_FORMATS, type ExportFormat, TIERS, type Tier } from '../routes/route.ts';
import { exportRoutes, routes } from '../routes/routes.ts';
import { findCatalogState, hasServedCatalog } from '../store/runs.ts';
import { CompressedBodies } from './answers/compression.ts';
import { respond } from './answers/respond.ts';
import { respondWithExport } from './answers/respond-with-export.ts';
import { limitAddresses, limitMisses } from './callers/address-budget.ts';
import { Budget } from './callers/budget.ts';
import { allowAnyOrigin, METHODS } from './callers/cross-origin.ts';
import { UnreadAnswers } from './callers/unread-answers.ts';
import { addDescriptions } from './descriptions.ts';
import { latenessLines } from './lateness.ts';
import { Metrics } from './metrics.ts';
import { type Middleware, requestMiddleware } from './middleware.ts';
import { PathRouter } from './path-router.ts';
import { addPublishedFiles } from './published-files.ts';
import { type Env, type Handler, incomingOf, type Mount, reply, unreadableOf } from './request-context.ts';
import type { AppOptions, Exporting, Serving } from './serving.ts';

/** The HTTP application over a store. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>({ router: new PathRouter() });
  const metrics = new Metrics();
  const { keyBudget, addressBudget } = options;
  const serving: Serving = {
    elapsed: options.now,
    ...options,
    bodies: new CompressedBodies(),
    keys: keyBudget && new Budget(keyBudget),
    unread: new UnreadAnswers(addressBudget?.trusted_hops ?? 0),
    exportsUnderWay: new Map(),
  };
  const wrap = requestMiddleware(serving, metrics);
  const limit: Middleware = addressBudget
    ? limitAddresses(addressBudget, serving.elapsed)
    : (handler) => handler;
  const wrapTier: Record<Tier, Middleware> = {
    public: (handler) => wrap(allowAnyOrigin(limit(handler))),
    authenticated: wrap,
  };
  const mountIn =
    (outer: Middleware): Mount =>
    (path, handler) =>
      mount(app, path, outer, handler);
  addHealth(mountIn(wrap), serving, metrics);
  const open: Middleware = (handler) => wrap(allowAnyOrigin(handler));
  addDescriptions(mountIn(open), serving.bodies);
  for (const tier of TIERS) addRoutes(mountIn(wrapTier[tier]), serving, tier);
  const { startExport } = options;
  if (startExport) addExports(mountIn(wrap), { ...serving, startExport });
  if (options.archive) {
    // Pages of other sites read all but the explorer itself. Bulk files can be large; the others are free if they exist.
    const limitFile: Middleware = addressBudget
      ? limitMisses(addressBudget, serving.elapsed)
      : (handler) => handler;
    const wrapFile = (path: string): Middleware => {
      if (path.startsWith('/bulk/')) return wrapTier.public;
      const outer = path.startsWith('/cards/') || path === '/publication.json' ? open : wrap;
      return (handler) => outer(limitFile(handler));
    };
    addPublishedFiles(
      (path, handler) => mount(app, path, wrapFile(path), handler),
      options.archive,
      serving.bodies,
    );
  }
  const nothingPublic = wrapTier.public(nothing);
  const nothingElse = wrap(nothing);
  app.notFound((context) => {
    const isPublic = `${context.req.path}/`.startsWith(`${BASE.public}/`);
    return isPublic ? nothingPublic(context) : nothingElse(context);
  });
  return app;
}

function addRoutes(mount: Mount, serving: Serving, tier: Tier): void {
  for (const route of routes.filter((each) => each.tiers.includes(tier))) {
    const endpoint = `${BASE[tier]}${route.path}`;
    mount(endpoint.replace('{id}', ':id'), (context) => {
      context.set('endpoint', endpoint);
      return respond(context, serving, route, tier);
    });
  }
}

function addExports(mount: Mount, serving: Exporting): void {
  for (const route of exportRoutes) {
    const endpoint = `${BASE.authenticated}${route.path}`;
    mount(endpoint.replace('{ext}', ':ext'), (context) => {
      const ext = exportFormat(context.req.param('ext'));
      context.set('endpoint', endpoint);
      return respondWithExport(context, serving, route, ext);
    });
  }
}

/** Dot segments are removed before a path is matched, but a cache on the way would key on the path as written. */
const DOT_SEGMENTS = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

function nothing(context: Context<Env>): never {
  const unreadable = unreadableOf(context);
  if (unreadable !== undefined) throw new ForemarkError('invalid_parameter', unreadable);
  throw new ForemarkError('not_found', 'there is nothing at this path');
}

function exportFormat(text: string | undefined): ExportFormat {
  const found = EXPORT_FORMATS.find((each) => each === text);
  if (found) return found;
  const allowed = EXPORT_FORMATS.join(', ');
  throw new ForemarkError(
    'not_found',
    `there is no export as ${JSON.stringify(text)}; allowed are ${allowed}`,
  );
}

/**
 * Mounts one path: GET and HEAD are answered, OPTIONS lists the methods, others are refused. One handler for all
 * methods: with a second one that matches, Hono would go through its asynchronous chain.
 */
function mount(app: Hono<Env>, path: string, wrap: Middleware, handler: Handler): void {
  app.all(
    path,
    wrap((context) => {
      const { method } = context.req;
      if (DOT_SEGMENTS.test(incomingOf(context)?.url ?? '')) nothing(context);
      if (method === 'GET' || method === 'HEAD') return handler(context);
      if (method === 'OPTIONS') return reply(context, null, 204, { Allow: METHODS });
      throw new ForemarkError('method_not_allowed', `only ${METHODS} are answered here`);
    }),
  );
}

/** Mounts liveness, readiness and metrics. */
function addHealth(mount: Mount, { store, now, isDraining }: Serving, metrics: Metrics): void {
  const unkept = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json' };
  mount('/livez', (context) => reply(context, JSON.stringify({ status: 'alive' }), 200, unkept));
  mount('/readyz', (context) => {
    // During a rebuild most routes still answer; before the first catalog none has anything to answer with.
    const { catalog, filled } = store.read((reader) => ({
      catalog: findCatalogState(reader),
      filled: hasServedCatalog(reader),
    }));
    const draining = isDraining?.() ?? false;
    const status = filled && !draining ? 200 : 503;
    return reply(context, JSON.stringify({ catalog, draining }), status, unkept);
  });
  mount('/metrics', async (context) => {
    const { body, contentType } = await metrics.text(latenessLines(store, now()));
    return reply(context, body, 200, { ...unkept, 'Content-Type': contentType });
  });
}
