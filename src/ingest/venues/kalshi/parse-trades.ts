import { type Observation, usableTrade } from '../../../model/observation.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import type { ListingPage } from '../../page-walk.ts';
import { shown } from '../../wire/shown.ts';
import {
  eachRow,
  fieldText,
  leaveOut,
  type ReadPage,
  type Rejection,
  type RowPlace,
  readEnvelope,
  reject,
} from '../../wire/wire-rows.ts';
import { priceOf } from './prices.ts';
import * as wire from './wire.ts';

/** One execution, with the contracts that changed hands. */
export interface Trade {
  id: string;
  at: Instant;
  price: Probability;
  count: number;
}

/** A page of trades, newest first. */
export interface TradesPage extends ListingPage, ReadPage {
  trades: Trade[];
}

/**
 * Parses a page of `/markets/trades`. Block trades are skipped, since their price was negotiated off the book.
 *
 * @param ticker of the market asked for; rows of others are rejected, in case the venue ignores that filter
 */
export function parseTradesPage(json: unknown, ticker?: string): TradesPage {
  const { cursor: next, trades } = readEnvelope(wire.tradesPage, json);
  const ids = trades.map((each) => fieldText(each, 'trade_id') ?? '');
  const page: TradesPage = { next, ids, read: trades.length, trades: [], rejections: [] };
  for (const { row, value, place } of eachRow(page, wire.trade, trades, 'trade_id')) {
    if (ticker !== undefined && row.ticker !== undefined && row.ticker !== ticker) {
      leaveOut(page, reject(value, place, 'ticker', `ticker must be ${ticker}, got ${shown(row.ticker)}`));
      continue;
    }
    const price = usableTrade(priceOf(row.yes_price_dollars, row.yes_price));
    const count = row.count_fp ?? row.count;
    const at = row.created_time;
    if (at === undefined) leaveOut(page, rejectField(value, place, 'created_time', 'an instant'));
    else if (price === undefined)
      leaveOut(page, rejectField(value, place, 'yes_price_dollars', 'above 0 and below 1'));
    else if (count === undefined)
      leaveOut(page, rejectField(value, place, 'count_fp', 'a number of contracts'));
    else if (row.is_block_trade !== true) page.trades.push({ id: row.trade_id, at, price, count });
  }
  return page;
}

function rejectField(value: unknown, place: RowPlace, field: string, allowed: string): Rejection {
  const found = shown(fieldText(value, field) ?? undefined);
  return reject(value, place, field, `${field} must be ${allowed}, got ${found}`);
}

/**
 * Trades as observations, one per instant, oldest first. An order that fills several others makes several trades at one
 * instant; these become one observation with the sum of contracts and the last price.
 *
 * @param trades of one market, newest first
 */
export function observationsOfTrades(trades: readonly Trade[]): Observation[] {
  const byInstant = Map.groupBy(trades, ({ at }) => at);
  return [...byInstant]
    .map(([observed_at, same]) => ({
      observed_at,
      last: same[0]?.price as number,
      volume: same.reduce((sum, { count }) => sum + count, 0),
    }))
    .sort((a, b) => a.observed_at - b.observed_at);
}
