import { createHash } from 'node:crypto';
import type { WireRow } from './recorded.ts';
import type { PolymarketCatalog } from './scenario.ts';
import { complement, newestAt, type Point } from './series.ts';

/** Best bid and ask of the Yes side, dollars and shares, as recorded at one instant. */
export interface TopOfBook {
  at_ms: number;
  bid: { price: number; size: number };
  ask: { price: number; size: number };
}

/** One recorded Polymarket contract: prices, and quotes where a book was recorded. */
export interface BoardMarket {
  id: string;
  /** Names the contract in the identifiers: the same key gives the same condition and tokens. */
  key: string;
  slug: string;
  question: string;
  groupItemTitle: string;
  points: readonly Point[];
  quotes: readonly TopOfBook[];
}

/** One recorded Polymarket event and its contracts. */
export interface BoardEvent {
  id: string;
  slug: string;
  title: string;
  endDate: string;
  negRisk: boolean;
  tick: number;
  markets: readonly BoardMarket[];
}

const description = 'Replayed from recorded prices. The rules text of this market was not recorded.';

/** Condition id of a key: 0x and its SHA-256 in hex. */
export function conditionOf(key: string): string {
  return `0x${sha256(key)}`;
}

/** Token ids of a key, decimal text, Yes before No. */
export function tokenPairOf(key: string): [yes: string, no: string] {
  const token = (side: string): string => BigInt(`0x${sha256(`${key}:${side}`)}`).toString();
  return [token('yes'), token('no')];
}

/**
 * The three Polymarket hosts over recorded contracts. A contract is listed from its first recorded price
 * on, and never resolves: no resolution was recorded. Volumes were not recorded and are left out.
 */
export function boardCatalogs(events: readonly BoardEvent[]): PolymarketCatalog {
  const markets = events.flatMap((event) => event.markets.map((market) => ({ event, market })));
  const byToken = new Map(markets.flatMap(({ event, market }) => outcomesOf(event, market)));
  return {
    eventsAt: (now) => events.flatMap((event) => eventRow(event, now)),
    marketsAt: (now) => markets.flatMap(({ event, market }) => marketRow(event, market, now)),
    pointsOf: (token) => byToken.get(token)?.points ?? [],
    bookAt: (token, now) => {
      const outcome = byToken.get(token);
      return outcome && bookRow(outcome, token, now);
    },
    marketsPage: () => undefined,
  };
}

/** One side of a contract: its own prices, and whether it is the recorded Yes side. */
interface Outcome {
  event: BoardEvent;
  market: BoardMarket;
  points: readonly Point[];
  yes: boolean;
}

function outcomesOf(event: BoardEvent, market: BoardMarket): [token: string, outcome: Outcome][] {
  const [yes, no] = tokenPairOf(market.key);
  const other = market.points.map((point) => ({ ...point, price: complement(point.price) }));
  return [
    [yes, { event, market, points: market.points, yes: true }],
    [no, { event, market, points: other, yes: false }],
  ];
}

function eventRow(event: BoardEvent, now: number): WireRow[] {
  const markets = event.markets.flatMap((market) => marketRow(event, market, now));
  if (markets.length === 0) return [];
  return [
    {
      ...eventHead(event),
      description,
      startDate: markets.map((market) => `${market.startDate}`).sort()[0],
      endDate: event.endDate,
      active: true,
      closed: false,
      archived: false,
      enableOrderBook: true,
      negRisk: event.negRisk,
      markets: markets.map(({ events: _parent, ...market }) => market),
      tags: [],
      series: [],
    },
  ];
}

function eventHead({ id, slug, title }: BoardEvent): WireRow {
  return { id, ticker: slug, slug, title };
}

function marketRow(event: BoardEvent, market: BoardMarket, now: number): WireRow[] {
  const point = newestAt(market.points, now);
  if (point === undefined) return [];
  const quote = newestAt(market.quotes, now);
  return [
    {
      id: market.id,
      question: market.question,
      conditionId: conditionOf(market.key),
      slug: market.slug,
      description,
      startDate: new Date(market.points[0]?.at_ms ?? point.at_ms).toISOString(),
      endDate: event.endDate,
      updatedAt: new Date(point.at_ms).toISOString(),
      groupItemTitle: market.groupItemTitle,
      active: true,
      closed: false,
      archived: false,
      acceptingOrders: true,
      enableOrderBook: true,
      negRisk: event.negRisk,
      version: 'v1',
      orderPriceMinTickSize: event.tick,
      outcomes: JSON.stringify(['Yes', 'No']),
      outcomePrices: JSON.stringify([`${point.price}`, `${complement(point.price)}`]),
      clobTokenIds: JSON.stringify(tokenPairOf(market.key)),
      ...(quote === undefined ? { lastTradePrice: point.price } : quoteFields(quote)),
      events: [eventHead(event)],
    },
  ];
}

function quoteFields({ bid, ask }: TopOfBook): WireRow {
  return { bestBid: bid.price, bestAsk: ask.price, spread: Number((ask.price - bid.price).toFixed(6)) };
}

function bookRow({ event, market, yes }: Outcome, asset_id: string, now: number): WireRow | undefined {
  const quote = newestAt(market.quotes, now);
  if (quote === undefined) return undefined;
  const level = (price: number, size: number): WireRow => ({ price: `${price}`, size: `${size}` });
  const { bid, ask } = quote;
  const levels = yes
    ? { bids: [level(bid.price, bid.size)], asks: [level(ask.price, ask.size)] }
    : { bids: [level(complement(ask.price), ask.size)], asks: [level(complement(bid.price), bid.size)] };
  const timestamp = `${quote.at_ms}`;
  return {
    market: conditionOf(market.key),
    asset_id,
    timestamp,
    hash: sha256(`${asset_id}:${timestamp}`).slice(0, 40),
    ...levels,
    min_order_size: '5',
    tick_size: `${event.tick}`,
    neg_risk: event.negRisk,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
