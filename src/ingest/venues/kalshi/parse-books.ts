import { greatestOf } from '../../../model/extremes.ts';
import { given } from '../../../model/given.ts';
import { type SeenPrices, usableQuote } from '../../../model/observation.ts';
import { roundTo } from '../../../model/units.ts';
import type { BooksPage } from '../../prices/collect-books.ts';
import { eachRow, leaveOut, readEnvelope, reject } from '../../wire/wire-rows.ts';
import { priceOf } from './prices.ts';
import * as wire from './wire.ts';

/**
 * Parses the books of several markets. Both sides are bids, in no reliable order: the Yes ask is a dollar less the best
 * No bid.
 */
export function parseBooksPage(json: unknown): BooksPage {
  const { orderbooks } = readEnvelope(wire.booksPage, json);
  const page: BooksPage = { read: orderbooks.length, byId: new Map(), rejections: [] };
  for (const { row, value, place } of eachRow(page, wire.book, orderbooks, 'ticker')) {
    const { ticker, orderbook_fp, orderbook } = row;
    // It may be null when there are no quotes, but if it is missing the format has changed.
    if (orderbook_fp === undefined && orderbook === undefined)
      leaveOut(page, reject(value, place, 'orderbook_fp', 'orderbook_fp must be a record, got nothing'));
    else page.byId.set(ticker, bestOf(orderbook_fp ?? orderbook ?? {}));
  }
  return page;
}

/** Parses the book of one market; the answer does not name the market. */
export function parseOneBook(json: unknown, ticker: string): BooksPage {
  const book = typeof json === 'object' && json !== null ? { ...json, ticker } : json;
  return parseBooksPage({ orderbooks: [book] });
}

function bestOf(bids: Partial<wire.Bids>): SeenPrices {
  const no = best(bids.no_dollars, bids.no);
  return given({
    bid: best(bids.yes_dollars, bids.yes),
    ask: no === undefined ? undefined : roundTo(1 - no, 6),
  });
}

type Rungs = readonly (readonly [number | undefined, number | undefined, ...unknown[]])[];

function best(inDollars: Rungs | null | undefined, inCents: Rungs | null | undefined): number | undefined {
  return greatestOf(
    inDollars
      ? inDollars.map(([price, size]) => usableQuote(price, size ?? 0))
      : (inCents ?? []).map(([price, size]) => usableQuote(priceOf(undefined, price), size ?? 0)),
  );
}
