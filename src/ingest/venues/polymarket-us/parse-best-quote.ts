import { given } from '../../../model/given.ts';
import { usableQuote, usableTrade } from '../../../model/observation.ts';
import type { BooksPage } from '../../keep-books.ts';
import { readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/**
 * Reads the answer of `/bbo`: the best of each side of one market, and its last trade. The shares that it states
 * traded are those since the last daily settlement, fewer than are open in many a market.
 */
export function parseBestQuote(json: unknown): BooksPage {
  const page: BooksPage = { read: 1, byId: new Map(), rejections: [] };
  const best = readRow(page, wire.bestQuote, json, { position: 0, idField: 'marketData' })?.marketData;
  if (!best) return page;
  const prices = given({
    bid: usableQuote(best.bestBid, best.bidShares),
    ask: usableQuote(best.bestAsk, best.askShares),
    last: usableTrade(best.lastTradePx),
    open_interest: best.openInterest,
  });
  page.byId.set(best.marketSlug, prices);
  return page;
}
