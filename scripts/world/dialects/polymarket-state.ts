import { HOUR } from '../calendar.ts';
import { openDesk, type PolymarketMarket } from '../catalog.ts';
import { payoutOf } from '../truth/contracts.ts';
import { type Desk, DOLLAR, type Quote, quoteAt } from '../truth/quotes.ts';
import { mix, unit } from '../truth/random.ts';
import { findLastTrade } from '../truth/trades.ts';
import type { World } from '../world.ts';

/** Markets listed from this instant on name their outcomes by position ids and have `version` "v2". */
const V2_FROM = Date.UTC(2026, 9, 15);

/** Where a market is between listing and payment. */
type Resolution = 'initialized' | 'posed' | 'proposed' | 'disputed' | 'resolved';

/** A market at the world's instant, with everything the three hosts say about it. */
export interface MarketState {
  desk: Desk;
  listed: boolean;
  resolution: Resolution;
  /** What Yes pays, 0 to 1; absent until resolved. */
  payout?: number;
  quote: Quote;
  /** Price of the last trade, 0 to 1; absent when nothing was traded. */
  last?: number;
}

/** State of a market at an instant. */
export function stateAt(world: World, market: PolymarketMarket, at: number): MarketState {
  const desk = openDesk(world.truth, market.contract);
  const { life } = desk;
  const resolution = resolutionAt(desk, at);
  const last = findLastTrade(desk, at);
  return {
    desk,
    listed: at >= life.open_at,
    resolution,
    ...(resolution === 'resolved' ? { payout: payoutOf(world.truth, market.contract) } : {}),
    quote: quoteAt(desk, at),
    ...(last === undefined ? {} : { last: last.price / DOLLAR }),
  };
}

function resolutionAt({ life }: Desk, at: number): Resolution {
  if (at < life.close_at) return 'initialized';
  if (at >= life.finalized_at) return 'resolved';
  if (at < life.determined_at) return 'posed';
  return life.disputed && at >= life.determined_at + HOUR ? 'disputed' : 'proposed';
}

/** Whether an outcome was proposed, whatever became of it. */
export function isProposed(resolution: Resolution): boolean {
  return resolution === 'proposed' || resolution === 'disputed' || resolution === 'resolved';
}

/** The price of a token in a history, from that of Yes. @param outcome 0 Yes, 1 No */
export function tokenPrice(yes: number, outcome: number): number {
  return Math.round((outcome === 0 ? yes : 1 - yes) * 1e5) / 1e5;
}

/**
 * Price of the Yes token as the histories have it: the middle of a whole quote, else the last trade, else the
 * side there is; undefined when the market was never quoted or traded.
 */
export function displayPrice(desk: Desk, at: number): number | undefined {
  if (at < desk.life.open_at) return undefined;
  // After the close the last price before it remains.
  const { bid, ask } = quoteAt(desk, Math.min(at, desk.life.close_at - 1));
  if (bid !== undefined && ask !== undefined) return (bid + ask) / 2 / DOLLAR;
  const last = findLastTrade(desk, at);
  if (last !== undefined) return last.price / DOLLAR;
  const side = bid ?? ask;
  return side === undefined ? undefined : side / DOLLAR;
}

/** Whether a market is of the second protocol version. */
export function isV2(market: PolymarketMarket): boolean {
  return market.contract.event.listed_at >= V2_FROM;
}

/** Whether Gamma shows a resolved market's prices as two zeros, as it does for some. */
export function hidesPrices({ habits }: Desk): boolean {
  return unit(mix(habits.seed, 71)) < 0.05;
}
