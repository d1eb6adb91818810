import { DAY, iso } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import type { Reply } from '../http/route.ts';
import { findHalt } from '../truth/contracts.ts';
import { type Desk, DOLLAR, quoteAt } from '../truth/quotes.ts';
import { openInterestAt, volumeAt } from '../truth/trades.ts';
import type { UsEvent, UsMarket } from '../us-catalog.ts';
import type { World } from '../world.ts';

/** Error body of the venue's gateway. */
export function usError(status: number, code: number, message: string): Reply {
  return { status, body: { code, message, details: [] } };
}

/** A price in the venue's format. */
export function usd(price: number): { value: string; currency: string } {
  return { value: (price / DOLLAR).toFixed(3), currency: 'USD' };
}

/** The venue's word for a market's status. */
export function usStatus({ life, habits }: Desk, at: number): string {
  if (at >= life.finalized_at) return 'MARKET_STATUS_RESOLVED';
  if (at >= life.determined_at) return 'MARKET_STATUS_RESOLVING';
  if (at >= life.close_at) return 'MARKET_STATUS_CLOSED';
  return findHalt(habits, at) === undefined ? 'MARKET_STATUS_OPEN' : 'MARKET_STATUS_HALTED';
}

/** Whether every market of an event is resolved. */
export function isUsClosed(world: World, event: UsEvent): boolean {
  return event.markets.every(
    ({ contract }) => world.now() >= openDesk(world.truth, contract).life.finalized_at,
  );
}

/** An event with its markets, only those of one type if one is requested. */
export function usEvent(world: World, event: UsEvent, types: ReadonlySet<string>): Record<string, unknown> {
  const { truth, markets } = event;
  const now = world.now();
  const desks = markets.map(({ contract }) => openDesk(world.truth, contract));
  const closed = isUsClosed(world, event);
  const shown = markets.filter(({ market_type }) => types.size === 0 || types.has(market_type));
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: `Simulated event. ${event.title}`,
    startDate: iso(truth.listed_at),
    createdAt: iso(truth.listed_at),
    endDate: iso(truth.known_at),
    ...(closed ? { closedTime: iso(Math.max(...desks.map(({ life }) => life.finalized_at))) } : {}),
    active: true,
    closed,
    archived: false,
    hidden: false,
    volume: desks.reduce((sum, desk) => sum + volumeAt(desk, now) / 100, 0),
    openInterest: desks.reduce((sum, desk) => sum + openInterestAt(desk, now) / 100, 0),
    category: event.board.kind === 'league' ? 'sports' : 'economics',
    seriesSlug: event.board.slug,
    tags: [{ slug: event.board.slug }],
    markets: shown.map((market) => usMarket(world, market)),
  };
}

/** A market as the lists, the boards and its own route show it. It does not name its event. */
export function usMarket(world: World, market: UsMarket): Record<string, unknown> {
  const now = world.now();
  const desk = openDesk(world.truth, market.contract);
  const { life } = desk;
  const { bid, ask } = quoteAt(desk, now);
  const volume = volumeAt(desk, now) / 100;
  const status = usStatus(desk, now);
  const side = (long: boolean) => ({
    id: `${market.id}${long ? 1 : 2}`,
    description: market.sides[long ? 0 : 1],
    long,
    price: ((long ? (ask ?? DOLLAR) : DOLLAR - (bid ?? 0)) / DOLLAR).toFixed(3),
    tradable: status === 'MARKET_STATUS_OPEN',
  });
  // Their order means nothing.
  const first = desk.habits.seed % 2 === 0;
  return {
    id: market.id,
    slug: market.slug,
    question: market.question,
    title: market.title,
    description: market.rules,
    category: market.event.board.kind === 'league' ? 'sports' : 'economics',
    startDate: iso(life.open_at),
    endDate: iso(life.close_at),
    createdAt: iso(life.created_at),
    updatedAt: iso(now),
    active: true,
    closed: now >= life.close_at,
    hidden: false,
    status,
    marketType: market.market_type,
    marketSides: [side(first), side(!first)],
    ...(bid === undefined ? {} : { bestBidQuote: usd(bid) }),
    ...(ask === undefined ? {} : { bestAskQuote: usd(ask) }),
    volume,
    volume24hr: volume - volumeAt(desk, now - DAY) / 100,
    orderPriceMinTickSize: 0.001,
    outcomes: JSON.stringify(market.sides),
    rulesDisclaimer: 'Simulated.',
    tags: [],
  };
}
