import { createHash } from 'node:crypto';
import { HOUR, iso } from '../calendar.ts';
import { type KalshiMarket, openDesk } from '../catalog.ts';
import { type Ask, isReply, ok, type Reply, readInteger } from '../http/route.ts';
import { DOLLAR } from '../truth/quotes.ts';
import { listTrades, type Trade } from '../truth/trades.ts';
import type { World } from '../world.ts';
import { cursorTo, kalshiError, readPage } from './kalshi-filters.ts';
import { contracts, dollars } from './kalshi-rows.ts';

/** How far back trades of the whole exchange go without bounds. */
const DEFAULT_WINDOW = 6 * HOUR;

/** Trades newest first, of one market or the whole exchange; those before the cutoff are in the historical tier. */
export function answerTrades(world: World, ask: Ask, historical: boolean): Reply {
  const page = readPage(ask, 100, 1000);
  if (isReply(page)) return page;
  const ticker = ask.query.get('ticker') || undefined;
  const now = world.now();
  const low = readInteger(ask.query, 'min_ts', -1);
  const high = readInteger(ask.query, 'max_ts', -1);
  if (low === undefined || high === undefined) {
    return kalshiError(400, 'invalid_parameters', 'min_ts and max_ts are unix seconds');
  }
  const cutoff = world.historical_cutoff;
  const to = Math.min(now, high < 0 ? now : high * 1000, historical ? cutoff - 1 : now);
  const asked = low >= 0 ? low * 1000 : ticker === undefined ? to - DEFAULT_WINDOW : 0;
  const from = historical ? asked : Math.max(asked, cutoff);
  const found = ticker === undefined ? undefined : world.catalog.kalshi.markets.get(ticker);
  const markets =
    ticker === undefined ? world.catalog.kalshi.market_list : found === undefined ? [] : [found];
  const wanted = page.from + page.limit + 1;
  const rows = markets.flatMap((market) =>
    listTrades(openDesk(world.truth, market.contract), from, to + 1, wanted).map((trade) => ({
      market,
      trade,
    })),
  );
  rows.sort((a, b) => b.trade.at - a.trade.at || b.trade.number - a.trade.number);
  const trades = rows
    .slice(page.from, page.from + page.limit)
    .map(({ market, trade }) => tradeRow(market, trade));
  const next = page.from + page.limit;
  return ok({ trades, cursor: cursorTo(rows.length > next ? next : undefined) });
}

function tradeRow(market: KalshiMarket, trade: Trade): Record<string, unknown> {
  const side = trade.taker_buys ? 'yes' : 'no';
  return {
    trade_id: tradeId(`${market.ticker}|${trade.number}`),
    ticker: market.ticker,
    count_fp: contracts(trade.size),
    yes_price_dollars: dollars(trade.price),
    no_price_dollars: dollars(DOLLAR - trade.price),
    taker_outcome_side: side,
    taker_book_side: trade.taker_buys ? 'bid' : 'ask',
    taker_side: side,
    created_time: iso(trade.at),
    is_block_trade: false,
  };
}

function tradeId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
