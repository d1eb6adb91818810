import { DAY, iso, MINUTE } from '../calendar.ts';
import { hexId, type PolymarketMarket, tokenIds } from '../catalog.ts';
import { type Ask, type Dialect, ok, type Reply, type Route, readInteger, readJson } from '../http/route.ts';
import { bookAt, DOLLAR, type Rung } from '../truth/quotes.ts';
import { findLastTrade } from '../truth/trades.ts';
import type { World } from '../world.ts';
import { displayPrice, stateAt, tokenPrice } from './polymarket-state.ts';

const PAGE = 1000;
const LAST_PAGE = 'LTE=';
const MOST_BOOKS = 500;
const WINDOW_DAYS = 15;

const ROUTES: Route[] = [
  { method: 'GET', path: '/book', answer: answerBook },
  { method: 'POST', path: '/books', answer: answerBooks },
  { method: 'GET', path: '/prices-history', answer: answerHistory },
  { method: 'GET', path: '/markets', answer: answerMarkets },
];

/** The CLOB, Polymarket Global's books. */
export const polymarketClob: Dialect = {
  prefix: '/clob',
  routes: ROUTES,
  notFound: () => clobError(404, 'not found'),
};

function clobError(status: number, error: string): Reply {
  return { status, body: { error } };
}

function findOpen(world: World, token: string): { market: PolymarketMarket; outcome: number } | undefined {
  const found = world.catalog.polymarket.findToken(token);
  if (found === undefined) return undefined;
  const state = stateAt(world, found.market, world.now());
  return state.listed && state.resolution !== 'resolved' ? found : undefined;
}

function answerBook(world: World, ask: Ask): Reply {
  const found = findOpen(world, ask.query.get('token_id') ?? '');
  if (found === undefined) return clobError(404, 'No orderbook exists for the requested token id');
  return ok(bookRow(world, found.market, found.outcome));
}

function answerBooks(world: World, ask: Ask): Reply {
  const asked = readJson(ask.body);
  if (asked === undefined) return clobError(400, 'Invalid payload');
  // The older wrapper {params: [...]} gets an empty answer.
  if (!Array.isArray(asked)) return ok([]);
  if (asked.length > MOST_BOOKS) return clobError(400, 'Payload exceeds the limit');
  const books = asked.flatMap((row: { token_id?: unknown }) => {
    const found = typeof row?.token_id === 'string' ? findOpen(world, row.token_id) : undefined;
    return found === undefined ? [] : [bookRow(world, found.market, found.outcome)];
  });
  return ok(books);
}

/** A token's book, rungs worst first; the No token's mirrors the Yes token's. */
function bookRow(world: World, market: PolymarketMarket, outcome: number): Record<string, unknown> {
  const now = world.now();
  const { desk } = stateAt(world, market, now);
  const book = bookAt(desk, now);
  const last = findLastTrade(desk, now);
  const mirror = outcome === 1;
  const levels = (rungs: Rung[]) =>
    rungs
      .map(({ price, size }) => ({ price: priceText(mirror ? DOLLAR - price : price), size: sizeText(size) }))
      .reverse();
  const bids = levels(mirror ? book.asks : book.bids);
  const asks = levels(mirror ? book.bids : book.asks);
  const token = tokenIds(market)[outcome] ?? '';
  const shown = last === undefined ? undefined : mirror ? DOLLAR - last.price : last.price;
  return {
    market: market.condition_id,
    asset_id: token,
    timestamp: String(now),
    hash: hexId('book', `${token}|${JSON.stringify(bids)}|${JSON.stringify(asks)}`).slice(2, 42),
    bids,
    asks,
    min_order_size: '5',
    tick_size: priceText(market.contract.grid.core),
    neg_risk: market.event.face.neg_risk,
    last_trade_price: shown === undefined ? '' : priceText(shown),
  };
}

/** A price in the CLOB's format: no trailing zeros. */
function priceText(price: number): string {
  return String(price / DOLLAR);
}

function sizeText(hundredths: number): string {
  return String(hundredths / 100);
}

function answerHistory(world: World, ask: Ask): Reply {
  const token = ask.query.get('market');
  // The parameter is called market though it takes a token; token_id is ignored.
  if (token === null) return ok({ history: [] });
  const found = world.catalog.polymarket.findToken(token);
  if (found === undefined) return ok({ history: [] });
  const now = world.now();
  const start = readInteger(ask.query, 'startTs', -1);
  const end = readInteger(ask.query, 'endTs', -1);
  const fidelity = readInteger(ask.query, 'fidelity', 1);
  if (start === undefined || start < 0 || end === undefined || fidelity === undefined || fidelity < 1) {
    return clobError(400, 'invalid filters');
  }
  const { desk, resolution } = stateAt(world, found.market, now);
  const to = Math.min(now, end < 0 ? now : end * 1000);
  const from = start * 1000;
  if (to - from > WINDOW_DAYS * DAY) return clobError(400, 'invalid filters: interval is too long');
  if (resolution === 'resolved' && fidelity < 720) return ok({ history: [] });
  const step = fidelity * MINUTE;
  const history: { t: number; p: number }[] = [];
  const first = Math.ceil(Math.max(from, desk.life.open_at) / step) * step;
  for (let at = first; at <= Math.min(to, desk.life.finalized_at); at += step) {
    const yes = displayPrice(desk, at);
    if (yes === undefined) continue;
    history.push({ t: at / 1000, p: tokenPrice(yes, found.outcome) });
  }
  return ok({ history });
}

function answerMarkets(world: World, ask: Ask): Reply {
  const cursor = ask.query.get('next_cursor');
  const offset = cursor === null || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(offset) || offset < 0) return clobError(400, 'invalid next item offset');
  const now = world.now();
  const listed = world.catalog.polymarket.market_list.filter(
    ({ contract }) => contract.event.listed_at <= now,
  );
  const data = listed.slice(offset, offset + PAGE).map((market) => marketRow(world, market));
  const next =
    offset + PAGE < listed.length ? Buffer.from(String(offset + PAGE)).toString('base64') : LAST_PAGE;
  return ok({ data, next_cursor: next, limit: PAGE, count: data.length });
}

function marketRow(world: World, market: PolymarketMarket): Record<string, unknown> {
  const { desk, payout, resolution } = stateAt(world, market, world.now());
  const { face, truth } = market.event;
  const yes = payout ?? displayPrice(desk, world.now()) ?? 0.5;
  const prices = [yes, tokenPrice(yes, 1)];
  return {
    enable_order_book: resolution !== 'resolved',
    active: true,
    closed: resolution === 'resolved',
    archived: false,
    accepting_orders: world.now() < desk.life.close_at,
    accepting_order_timestamp: iso(truth.listed_at),
    minimum_order_size: 5,
    minimum_tick_size: market.contract.grid.core / DOLLAR,
    condition_id: market.condition_id,
    question_id: hexId('question', market.slug),
    question: market.question,
    description: face.description,
    market_slug: market.slug,
    end_date_iso: iso(truth.known_at),
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: 0,
    taker_base_fee: 0,
    notifications_enabled: true,
    neg_risk: face.neg_risk,
    neg_risk_market_id: face.neg_risk ? hexId('neg-risk', face.slug) : '',
    neg_risk_request_id: '',
    icon: '',
    image: '',
    rewards: { rates: null, min_size: 0, max_spread: 0 },
    is_50_50_outcome: payout === 0.5,
    tokens: tokenIds(market).map((token_id, i) => ({
      token_id,
      outcome: i === 0 ? 'Yes' : 'No',
      price: prices[i],
      winner: payout !== undefined && prices[i] === 1,
    })),
    tags: face.tags,
  };
}
