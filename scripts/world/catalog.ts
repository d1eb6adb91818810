import { createHash } from 'node:crypto';
import { DAY } from './calendar.ts';
import { addForecasts, type ForecastCatalog } from './forecast-catalog.ts';
import { addOutcomes, emptyOutcomeCatalog, type OutcomeCatalog } from './outcome-catalog.ts';
import type {
  KalshiFace,
  KalshiSeries,
  KalshiText,
  PolymarketFace,
  Scope,
  WorldEvent,
} from './topics/topic.ts';
import { TOPICS } from './topics/topics.ts';
import { type Contract, type Grid, readHabits, readLifecycle } from './truth/contracts.ts';
import type { TruthEvent } from './truth/events.ts';
import type { Truth } from './truth/probabilities.ts';
import type { Desk } from './truth/quotes.ts';
import { addUsEvent, emptyUsCatalog, type UsCatalog } from './us-catalog.ts';

/** Days past the start for which questions are prepared, so that an advancing clock finds new ones. */
const AHEAD_DAYS = 10;

export interface KalshiMarket {
  ticker: string;
  contract: Contract;
  event: KalshiEvent;
  text: () => KalshiText;
}

export interface KalshiEvent {
  face: KalshiFace;
  truth: TruthEvent;
  markets: KalshiMarket[];
}

export interface PolymarketMarket {
  /** Decimal digits, like Gamma's row ids. */
  id: string;
  condition_id: string;
  slug: string;
  question: string;
  group_item_title: string;
  contract: Contract;
  event: PolymarketEvent;
  order: number;
}

export interface PolymarketEvent {
  id: string;
  face: PolymarketFace;
  truth: TruthEvent;
  markets: PolymarketMarket[];
}

/** Everything that the venues will ever list in this world, with its lookup tables. */
export interface Catalog {
  kalshi: {
    series: Map<string, KalshiSeries>;
    events: Map<string, KalshiEvent>;
    markets: Map<string, KalshiMarket>;
    event_list: KalshiEvent[];
    market_list: KalshiMarket[];
  };
  polymarket: {
    events: Map<string, PolymarketEvent>;
    /** By condition id. */
    markets: Map<string, PolymarketMarket>;
    event_list: PolymarketEvent[];
    market_list: PolymarketMarket[];
    /** Market and outcome (0 Yes, 1 No) of a token; the table is built on first use. */
    findToken(token: string): { market: PolymarketMarket; outcome: number } | undefined;
  };
  us: UsCatalog;
  outcomes: OutcomeCatalog;
  forecasts: ForecastCatalog;
}

/**
 * The catalog of a scope: the fixed topics whole, the background topics scaled so that Kalshi and Polymarket
 * Global together have listed about the wanted number of markets at the start; the other venues list some of
 * the same questions on top.
 *
 * @param topics names of the topics to include; all when omitted
 */
export function buildCatalog(scope: Omit<Scope, 'until'>, topics?: readonly string[]): Catalog {
  const catalog = emptyCatalog();
  const full = { ...scope, until: scope.start + AHEAD_DAYS * DAY };
  let left = scope.markets;
  for (const topic of TOPICS.filter(({ name }) => topics?.includes(name) ?? true)) {
    for (const event of topic.list({ ...full, markets: Math.max(0, left) })) {
      addKalshiEvent(catalog.kalshi, event);
      addPolymarketEvent(catalog.polymarket, event);
      addUsEvent(catalog.us, event);
      addOutcomes(catalog.outcomes, event);
      addForecasts(catalog.forecasts, event);
      // Only listings up to the start count towards the wanted number.
      const listed = event.truth.listed_at <= scope.start;
      if (listed) left -= (event.kalshi?.markets.length ?? 0) + (event.polymarket?.markets.length ?? 0);
    }
  }
  return catalog;
}

/** Everything needed to price a market; rebuilt on each call, so that an unread market costs no memory. */
export function openDesk(truth: Truth, contract: Contract): Desk {
  return { truth, contract, habits: readHabits(truth, contract), life: readLifecycle(truth, contract) };
}

/** A venue id from a name: 64 hex digits, the same in every world. */
export function hexId(kind: string, name: string): string {
  return `0x${createHash('sha256').update(`simulated|${kind}|${name}`).digest('hex')}`;
}

/** The two token ids of a market, Yes first: decimal texts of up to 78 digits. */
export function tokenIds(market: PolymarketMarket): [string, string] {
  return [
    BigInt(hexId('token-yes', market.slug)).toString(),
    BigInt(hexId('token-no', market.slug)).toString(),
  ];
}

function emptyCatalog(): Catalog {
  const market_list: PolymarketMarket[] = [];
  let tokens: Map<string, { market: PolymarketMarket; outcome: number }> | undefined;
  return {
    kalshi: { series: new Map(), events: new Map(), markets: new Map(), event_list: [], market_list: [] },
    polymarket: {
      events: new Map(),
      markets: new Map(),
      event_list: [],
      market_list,
      findToken(token) {
        tokens ??= new Map(
          market_list.flatMap((market) => tokenIds(market).map((id, outcome) => [id, { market, outcome }])),
        );
        return tokens.get(token);
      },
    },
    us: emptyUsCatalog(),
    outcomes: emptyOutcomeCatalog(),
    forecasts: new Map(),
  };
}

const GRIDS: Record<KalshiFace['grid'], Grid> = {
  linear_cent: { core: 100, edge: 100 },
  tapered_deci_cent: { core: 100, edge: 10 },
};

function addKalshiEvent(kalshi: Catalog['kalshi'], { truth, kalshi: face }: WorldEvent): void {
  if (face === undefined) return;
  const event: KalshiEvent = { face, truth, markets: [] };
  kalshi.series.set(face.series.ticker, face.series);
  kalshi.events.set(face.event_ticker, event);
  kalshi.event_list.push(event);
  for (const { outcome, ticker, text } of face.markets) {
    const grid = GRIDS[face.grid];
    const contract: Contract = { venue: 'kalshi', id: ticker, event: truth, outcome, grid };
    const market = { ticker, contract, event, text };
    event.markets.push(market);
    kalshi.markets.set(ticker, market);
    kalshi.market_list.push(market);
  }
}

function addPolymarketEvent(
  polymarket: Catalog['polymarket'],
  { truth, polymarket: face }: WorldEvent,
): void {
  if (face === undefined) return;
  const event: PolymarketEvent = { id: rowId('event', face.slug), face, truth, markets: [] };
  polymarket.events.set(event.id, event);
  polymarket.event_list.push(event);
  for (const [order, { outcome, ...texts }] of face.markets.entries()) {
    const condition_id = hexId('condition', texts.slug);
    const grid = { core: face.tick, edge: face.tick };
    const contract: Contract = { venue: 'polymarket', id: condition_id, event: truth, outcome, grid };
    const market = { ...texts, id: rowId('market', texts.slug), condition_id, contract, event, order };
    event.markets.push(market);
    polymarket.markets.set(condition_id, market);
    polymarket.market_list.push(market);
  }
}

// Twelve digits, so that a million names do not collide.
function rowId(kind: string, slug: string): string {
  return String(100_000_000_000 + (Number.parseInt(hexId(kind, slug).slice(2, 14), 16) % 899_999_999_999));
}
