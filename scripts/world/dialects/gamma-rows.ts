import { DAY, HOUR, iso, isoDay, MINUTE } from '../calendar.ts';
import { hexId, type PolymarketEvent, type PolymarketMarket, tokenIds } from '../catalog.ts';
import { DOLLAR, isFresh } from '../truth/quotes.ts';
import { openInterestAt, volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';
import {
  displayPrice,
  hidesPrices,
  isProposed,
  isV2,
  type MarketState,
  stateAt,
} from './polymarket-state.ts';

const ORACLE = '0x65070be91477460d8a7aeeb94ef92fe056c2f2a7';

/** A market as Gamma shows it, with its event named and its tags. */
export function gammaMarket(world: World, market: PolymarketMarket): Record<string, unknown> {
  const { event } = market;
  return {
    ...marketFields(world, market),
    events: [
      {
        id: event.id,
        ticker: event.face.slug,
        slug: event.face.slug,
        title: event.face.title,
        active: true,
        closed: isClosed(world, event),
        archived: false,
      },
    ],
    tags: event.face.tags.map(tagRow),
  };
}

/** An event as Gamma shows it, always with its markets and tags. */
export function gammaEvent(world: World, event: PolymarketEvent): Record<string, unknown> {
  const { face, truth } = event;
  const states = event.markets.map((market) => ({ market, state: stateAt(world, market, world.now()) }));
  const sum = (value: (state: MarketState) => number) =>
    states.reduce((total, { state }) => total + value(state), 0);
  const now = world.now();
  const volume = sum(({ desk }) => volumeAt(desk, now) / 100);
  const closed = isClosed(world, event);
  return {
    id: event.id,
    ticker: face.slug,
    slug: face.slug,
    title: face.title,
    description: face.description,
    resolutionSource: '',
    startDate: iso(truth.listed_at),
    creationDate: iso(truth.listed_at),
    endDate: iso(truth.known_at),
    active: true,
    closed,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    liquidity: sum(liquidityOf),
    volume,
    openInterest: sum(({ desk }) => openInterestAt(desk, now) / 100),
    createdAt: iso(truth.listed_at - 10 * MINUTE),
    updatedAt: iso(now),
    volume24hr: volume - sum(({ desk }) => volumeAt(desk, now - DAY) / 100),
    volume1wk: volume - sum(({ desk }) => volumeAt(desk, now - 7 * DAY) / 100),
    volume1mo: volume - sum(({ desk }) => volumeAt(desk, now - 30 * DAY) / 100),
    volume1yr: volume,
    enableOrderBook: true,
    liquidityClob: sum(liquidityOf),
    negRisk: face.neg_risk,
    ...(face.neg_risk ? { negRiskMarketID: hexId('neg-risk', face.slug) } : {}),
    commentCount: 0,
    ...(closed ? { closedTime: iso(closedAt(world, event)) } : {}),
    series: [],
    tags: face.tags.map(tagRow),
    markets: states.filter(({ state }) => state.listed).map(({ market }) => marketFields(world, market)),
    cyom: false,
    showAllOutcomes: true,
    enableNegRisk: face.neg_risk,
    negRiskAugmented: false,
  };
}

/** Whether every market of an event is resolved. */
export function isClosed(world: World, event: PolymarketEvent): boolean {
  return event.markets.every((market) => stateAt(world, market, world.now()).resolution === 'resolved');
}

function closedAt(world: World, event: PolymarketEvent): number {
  return Math.max(
    ...event.markets.map((market) => stateAt(world, market, world.now()).desk.life.finalized_at),
  );
}

/** A tag as Gamma shows it, with an id derived from the slug. */
function tagRow(slug: string): Record<string, unknown> {
  const label = slug
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
  return { id: tagId(slug), label, slug };
}

/** Number of a tag. */
function tagId(slug: string): string {
  return String(100_000 + (Number.parseInt(hexId('tag', slug).slice(2, 8), 16) % 900_000));
}

function marketFields(world: World, market: PolymarketMarket): Record<string, unknown> {
  const now = world.now();
  const state = stateAt(world, market, now);
  const { desk } = state;
  const { face, truth } = market.event;
  const volume = volumeAt(desk, now) / 100;
  const since = (days: number) => volume - volumeAt(desk, now - days * DAY) / 100;
  const liquidity = liquidityOf(state);
  const resolved = state.resolution === 'resolved';
  return {
    id: market.id,
    question: market.question,
    conditionId: market.condition_id,
    slug: market.slug,
    resolutionSource: '',
    endDate: iso(truth.known_at),
    liquidity: String(liquidity),
    startDate: iso(truth.listed_at),
    description: face.description,
    outcomes: '["Yes", "No"]',
    outcomePrices: outcomePrices(state, now),
    volume: String(volume),
    active: true,
    closed: resolved,
    marketMakerAddress: '',
    createdAt: iso(desk.life.created_at),
    updatedAt: iso(now),
    ...(resolved ? { closedTime: spacedTime(desk.life.finalized_at) } : {}),
    new: false,
    featured: false,
    archived: false,
    restricted: true,
    groupItemTitle: market.group_item_title,
    groupItemThreshold: String(market.order),
    questionID: hexId('question', market.slug),
    enableOrderBook: true,
    orderPriceMinTickSize: market.contract.grid.core / DOLLAR,
    orderMinSize: 5,
    volumeNum: volume,
    liquidityNum: liquidity,
    endDateIso: isoDay(truth.known_at),
    startDateIso: isoDay(truth.listed_at),
    hasReviewedDates: true,
    volume24hr: since(1),
    volume1wk: since(7),
    volume1mo: since(30),
    volume1yr: volume,
    ...tokenFields(market),
    umaBond: '500',
    umaReward: '5',
    volumeClob: volume,
    liquidityClob: liquidity,
    acceptingOrders: now < desk.life.close_at,
    negRisk: face.neg_risk,
    ...(face.neg_risk ? { negRiskMarketID: hexId('neg-risk', face.slug) } : {}),
    negRiskRequestID: '',
    resolvedBy: resolved ? ORACLE : '',
    ...quoteFields(state, now),
    ...changeFields(state, now),
    negRiskOther: false,
    ...resolutionFields(market, state),
    feesEnabled: false,
    feeType: null,
  };
}

function tokenFields(market: PolymarketMarket): Record<string, unknown> {
  const ids = tokenIds(market);
  return isV2(market)
    ? { version: 'v2', positionIds: ids, clobTokenIds: '[]' }
    : { version: 'v1', clobTokenIds: JSON.stringify(ids) };
}

function resolutionFields(market: PolymarketMarket, { resolution }: MarketState): Record<string, unknown> {
  const uma = {
    initialized: '',
    posed: 'requested',
    proposed: 'proposed',
    disputed: 'disputed',
    resolved: 'resolved',
  };
  return {
    umaResolutionStatus: uma[resolution],
    umaResolutionStatuses: isProposed(resolution) ? '["proposed"]' : '[]',
    ...(isV2(market) ? { resolutionStatus: resolution === 'resolved' ? 'resolved' : 'active' } : {}),
  };
}

// Never quoted: no bid key at all. Otherwise an empty side is 0 or 1.
function quoteFields({ desk, quote, last }: MarketState, now: number): Record<string, number> {
  const bid = quote.bid === undefined ? 0 : quote.bid / DOLLAR;
  const ask = quote.ask === undefined ? 1 : quote.ask / DOLLAR;
  return {
    spread: Math.round((ask - bid) * DOLLAR) / DOLLAR,
    ...(last === undefined ? {} : { lastTradePrice: last }),
    ...(quote.bid === undefined && isFresh(desk, now) ? {} : { bestBid: bid }),
    bestAsk: ask,
  };
}

function changeFields({ desk }: MarketState, now: number): Record<string, number> {
  const price = displayPrice(desk, now);
  const change = (key: string, before: number): Record<string, number> => {
    const past = displayPrice(desk, now - before);
    return price === undefined || past === undefined ? {} : { [key]: Math.round((price - past) * 1e4) / 1e4 };
  };
  return {
    ...change('oneHourPriceChange', HOUR),
    ...change('oneDayPriceChange', DAY),
    ...change('oneWeekPriceChange', 7 * DAY),
    ...change('oneMonthPriceChange', 30 * DAY),
  };
}

function outcomePrices({ desk, payout }: MarketState, now: number): string {
  if (payout !== undefined) return hidesPrices(desk) ? '["0", "0"]' : `["${payout}", "${1 - payout}"]`;
  const yes = displayPrice(desk, now) ?? 0.5;
  return `["${Number(yes.toFixed(5))}", "${Number((1 - yes).toFixed(5))}"]`;
}

function liquidityOf({ desk, quote }: MarketState): number {
  return ((quote.bid_size ?? 0) + (quote.ask_size ?? 0)) / 25 + Math.round(desk.habits.liquidity * 5_000);
}

function spacedTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+00`;
}
