import { greatestOf, leastOf } from '../../../model/extremes.ts';
import { usableQuote, usableTrade } from '../../../model/observation.ts';
import type { BooksPage } from '../../keep-books.ts';
import { given, readEnvelope, readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** Reads the answer of `/books`, by token. Its rungs come in no order that can be relied on. */
export function parseBooksAnswer(json: unknown): BooksPage {
  const page: BooksPage = { read: 0, byId: new Map(), rejections: [] };
  for (const [position, value] of readEnvelope(wire.booksAnswer, json).entries()) {
    page.read++;
    const result = readRow(wire.book, value, { position, idField: 'asset_id' });
    if ('rejection' in result) {
      page.rejections.push(result.rejection);
      continue;
    }
    const { asset_id, bids, asks, last_trade_price } = result.row;
    const usable = (side: typeof bids) => side.map(({ price, size }) => usableQuote(price, size ?? 0));
    page.byId.set(
      asset_id,
      given({
        bid: greatestOf(usable(bids)),
        ask: leastOf(usable(asks)),
        last: usableTrade(last_trade_price),
      }),
    );
  }
  return page;
}
