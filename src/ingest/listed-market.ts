import type { CatalogEvent, CatalogMarket } from '../model/catalog.ts';
import type { ListingPage } from './page-walk.ts';
import type { Answer } from './wire/request.ts';
import type { ReadPage, SeenPrices } from './wire/wire-rows.ts';

/** The price fields of a catalog row. */
export interface ListedQuote {
  prices: SeenPrices;
  /** Whether the row describes the book; an empty book is a description. */
  has_book: boolean;
  /** False when the row cannot state the last trade, which counts where one side is empty. */
  knows_last?: false;
}

/** A market as a catalog page lists it, with its price where one is shown. */
export interface ListedMarket {
  market: CatalogMarket;
  quote?: ListedQuote;
  /** True where the Yes side is the second of the venue's two outcomes. */
  yes_is_second?: true;
}

/** An event as a catalog page lists it. */
export interface ListedEvent extends CatalogEvent {
  /** What else the venue files it under; the scope alone asks for it. */
  tags?: readonly string[];
}

/** A page of a venue's catalog, read: every row of it is an event, a market or a rejection. */
export interface CatalogPage extends ListingPage, ReadPage {
  ids: string[];
  events: ListedEvent[];
  markets: ListedMarket[];
}

/** A page with the answer that it was read from. */
export interface AnsweredPage extends CatalogPage {
  answer: Answer;
}

/** A page of which nothing is read yet. */
export function emptyPage(next: string | undefined): CatalogPage {
  return { next, ids: [], read: 0, events: [], markets: [], rejections: [] };
}
