import type { CatalogEvent, CatalogMarket } from '../../model/catalog.ts';
import type { SeenPrices } from '../../model/observation.ts';
import type { ListingPage } from '../page-walk.ts';
import type { Answer } from '../wire/request.ts';
import type { ReadPage } from '../wire/wire-rows.ts';

export interface ListedQuote {
  prices: SeenPrices;
  /** Whether the row describes the book; an empty book counts as described. */
  has_book: boolean;
  /** False when the row cannot state the last trade, which is needed when one side is empty. */
  knows_last?: false;
}

export interface ListedMarket {
  market: CatalogMarket;
  quote?: ListedQuote;
  /** Position of the Yes side among what the venue says that both outcomes pay; absent if that is not known. */
  yes_place?: 0 | 1;
}

export interface ListedEvent extends CatalogEvent {
  /** Further categories of the venue; only the scope uses them. */
  tags?: readonly string[];
}

/** A parsed page of a venue's catalog: each row is an event, a market or a rejection. */
export interface CatalogPage extends ListingPage, ReadPage {
  ids: string[];
  events: ListedEvent[];
  markets: ListedMarket[];
}

export interface AnsweredPage extends CatalogPage {
  answer: Answer;
}

/** A page to which no rows have been added yet. */
export function emptyPage(next: string | undefined): CatalogPage {
  return { next, ids: [], read: 0, events: [], markets: [], rejections: [] };
}
