import { usableQuote, usableTrade } from '../../../model/observation.ts';
import type { BooksPage } from '../../keep-books.ts';
import { given, readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** Reads the answer of `/bbo`: the best of each side of one market, and its last trade. */
export function parseBestQuote(json: unknown): BooksPage {
  const page: BooksPage = { read: 1, byId: new Map(), rejections: [] };
  const result = readRow(wire.bestQuote, json, { position: 0, idField: 'marketData' });
  if ('rejection' in result) {
    page.rejections.push(result.rejection);
    return page;
  }
  const { marketSlug, bestBid, bestAsk, bidShares, askShares, ...row } = result.row.marketData;
  const prices = given({
    bid: usableQuote(bestBid, bidShares),
    ask: usableQuote(bestAsk, askShares),
    last: usableTrade(row.lastTradePx),
    volume: row.sharesTraded,
    open_interest: row.openInterest,
  });
  page.byId.set(marketSlug, prices);
  return page;
}
