import { given } from '../../../model/given.ts';
import { usableQuote, usableTrade } from '../../../model/observation.ts';
import type { BooksPage } from '../../prices/collect-books.ts';
import { readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/**
 * Parses the answer of `/bbo`: the best bid and ask of one market, and its last trade. Its number of traded shares is
 * not used: it counts only those since the last daily settlement.
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
