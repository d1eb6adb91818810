import { iso } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import { attachmentsAt, stepAt } from '../filings/filing.ts';
import { DOLLAR, quoteAt } from '../truth/quotes.ts';
import type { World } from '../world.ts';
import { FAULT_KINDS, type Fault, type Faults } from './faults.ts';
import { type Ask, ok, type Reply, readJson } from './route.ts';

/** What a server knows besides the world itself. */
export interface ServerState {
  world: World;
  faults: Faults;
  answer(ask: Ask): Reply;
  /** Requests answered or failed, by path without query; control routes are not counted. */
  requests: Map<string, number>;
}

/** Prefix of the routes with which a test controls and queries the world. */
export const CONTROL_PREFIX = '/_world';

const TRUTH = `${CONTROL_PREFIX}/truth/markets/`;

/** Answers the control routes: clock, truth, faults and request counts. */
export function answerControl(state: ServerState, ask: Ask): Reply {
  const { world, faults, requests } = state;
  const call = `${ask.method} ${ask.path}`;
  if (call === `GET ${CONTROL_PREFIX}/clock`) return ok({ now: iso(world.now()), epoch: iso(world.epoch) });
  if (call === `POST ${CONTROL_PREFIX}/clock`) return setClock(state, ask);
  if (call === `GET ${CONTROL_PREFIX}/faults`) return ok({ faults: faults.list() });
  if (call === `POST ${CONTROL_PREFIX}/faults`) return addFaults(state, ask);
  if (call === `DELETE ${CONTROL_PREFIX}/faults`) {
    faults.clear();
    return ok({ faults: [] });
  }
  if (call === `GET ${CONTROL_PREFIX}/requests`) return ok({ requests: Object.fromEntries(requests) });
  if (call === `GET ${CONTROL_PREFIX}/truth/filings`) return ok({ filings: listFilings(world) });
  if (call === `GET ${CONTROL_PREFIX}/truth/news`) return ok({ articles: listArticles(world) });
  if (ask.method === 'GET' && ask.path.startsWith(TRUTH)) return answerTruth(state, ask);
  return { status: 404, body: { error: `no control route ${call}` } };
}

function setClock({ world }: ServerState, ask: Ask): Reply {
  const { now } = (readJson(ask.body) ?? {}) as { now?: unknown };
  const at = Date.parse(typeof now === 'string' ? now : '');
  if (Number.isNaN(at)) return wrong(`now must be an instant, got ${ask.body}`);
  world.setNow(at);
  return ok({ now: iso(world.now()) });
}

function addFaults({ faults }: ServerState, ask: Ask): Reply {
  const rows = readJson(ask.body);
  if (!Array.isArray(rows) || !rows.every(isFault)) {
    return wrong(`faults must be a list of {path_prefix, kind, times}, kinds ${FAULT_KINDS.join(', ')}`);
  }
  faults.add(rows);
  return ok({ faults: faults.list() });
}

function isFault(row: unknown): row is Fault {
  if (typeof row !== 'object' || row === null) return false;
  const { path_prefix, kind, times } = row as Record<string, unknown>;
  return (
    typeof path_prefix === 'string' && typeof times === 'number' && FAULT_KINDS.some((name) => name === kind)
  );
}

/** The truth about a market at an instant: latent probability, quote, outcome and the instants of its life. */
function answerTruth({ world }: ServerState, ask: Ask): Reply {
  const id = decodeURIComponent(ask.path.slice(TRUTH.length));
  const { kalshi, polymarket, us, outcomes, forecasts } = world.catalog;
  const contract = (
    kalshi.markets.get(id) ??
    polymarket.markets.get(id) ??
    us.markets.get(id) ??
    outcomes.outcomes.get(id) ??
    forecasts.get(id)
  )?.contract;
  if (contract === undefined) return { status: 404, body: { error: `no market ${id}` } };
  const text = ask.query.get('at');
  const at = text === null ? world.now() : Date.parse(text);
  if (Number.isNaN(at)) return wrong(`at must be an instant, got ${text}`);
  const desk = openDesk(world.truth, contract);
  const { bid, ask: offer } = quoteAt(desk, at);
  const { life } = desk;
  return ok({
    id,
    at: iso(at),
    probability: world.truth.probability(contract.event, contract.outcome, at),
    outcome: world.truth.payouts(contract.event)[contract.outcome],
    void: world.truth.isVoid(contract.event),
    quote: { bid: bid === undefined ? null : bid / DOLLAR, ask: offer === undefined ? null : offer / DOLLAR },
    open_at: iso(life.open_at),
    close_at: iso(life.close_at),
    determined_at: iso(life.determined_at),
    finalized_at: iso(life.finalized_at),
  });
}

/** The filings received so far, each with its question. */
function listFilings(world: World): object[] {
  const now = world.now();
  return world.filings().flatMap((filing) => {
    const step = stepAt(filing, now);
    if (!step) return [];
    const { id, segment, about } = filing;
    const documents = attachmentsAt(filing, now).map((each) => each.path);
    return { id, segment, status: step.status, status_at: iso(step.at), documents, about };
  });
}

/** The stories published so far, each with its question. */
function listArticles(world: World): object[] {
  const now = world.now();
  return world
    .articles()
    .filter((each) => each.published_at <= now)
    .map(({ url, paper, title, about }) => ({ url, paper, title, about }));
}

function wrong(error: string): Reply {
  return { status: 400, body: { error } };
}
