import { greatestOf, leastOf } from '../../../model/extremes.ts';
import { given } from '../../../model/given.ts';
import { usableQuote, usableTrade } from '../../../model/observation.ts';
import type { BooksPage } from '../../prices/collect-books.ts';
import { eachRow, readEnvelope } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** Parses the answer of `/books`, by token. Its rungs are in no reliable order. */
export function parseBooksAnswer(json: unknown): BooksPage {
  const books = readEnvelope(wire.booksAnswer, json);
  const page: BooksPage = { read: books.length, byId: new Map(), rejections: [] };
  for (const { row } of eachRow(page, wire.book, books, 'asset_id')) {
    const usable = (side: typeof row.bids) => side.map(({ price, size }) => usableQuote(price, size ?? 0));
    const [bid, ask] = [greatestOf(usable(row.bids)), leastOf(usable(row.asks))];
    page.byId.set(row.asset_id, given({ bid, ask, last: usableTrade(row.last_trade_price) }));
  }
  return page;
}
