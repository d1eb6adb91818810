import type { MarketStatus, SeenStatus } from '../model/catalog.ts';
import { knowsBook, type PriceColumns, SERIES } from '../model/observation.ts';
import { DAY_MS } from '../model/time.ts';
import type { Instant, Probability } from '../model/units.ts';

/** What is known of one contract at an instant. Prices are fractions; an empty side is absent. */
export interface ContractView {
  status: MarketStatus;
  /** Settled contracts only: what Yes pays, and since when. */
  payout?: Probability;
  settled_at?: Instant;
  /** The newest book; absent when the contract has only a price history. */
  book?: { bid?: Probability; ask?: Probability; observed_at: Instant };
  last?: { price: Probability; observed_at: Instant };
  /** The newest observation of any kind. */
  observed_at?: Instant;
}

/** Looks up what is known of a market at one instant; undefined when the catalog has never seen it. */
export type FindView = (marketId: string) => ContractView | undefined;

/** A book older than this gives way to a newer point of the price history, if there is one. */
const BOOK_GIVES_WAY_MS = DAY_MS;

const KNOWS_BOOK = SERIES.map(knowsBook);

/**
 * What was known of a contract at each of some instants: only observations at or before the instant count.
 * Where nothing changed from one instant to the next, both have the same object.
 *
 * @param prices observations in time order
 * @param statuses what the venue was seen to say of it, oldest first
 * @param instants ascending
 */
export function contractViews(
  prices: PriceColumns,
  statuses: readonly SeenStatus[],
  instants: readonly Instant[],
): ContractView[] {
  const history = new ContractHistory(prices, statuses);
  return instants.map((at) => history.viewAt(at));
}

/** What was known of a contract, as columns: a view is made when it is asked for. */
export class ContractHistory {
  readonly #prices: PriceColumns;
  readonly #statuses: readonly SeenStatus[];
  /** For each observation the place of the newest up to it that is a book, has a trade, is of the history; or -1. */
  readonly #books: Int32Array;
  readonly #trades: Int32Array;
  readonly #history: Int32Array;
  /** The observation that was the newest when a view was asked for last. */
  #place = -1;
  #made: { view: ContractView; place: number; book: number } | undefined;

  /** As `contractViews` takes them. */
  constructor(prices: PriceColumns, statuses: readonly SeenStatus[]) {
    this.#prices = prices;
    this.#statuses = statuses;
    const { length } = prices.observed_at;
    const newest = (isOne: (i: number) => boolean) => {
      const places = new Int32Array(length);
      for (let i = 0, last = -1; i < length; i++) places[i] = last = isOne(i) ? i : last;
      return places;
    };
    this.#books = newest((i) => KNOWS_BOOK[prices.series[i] as number] === true);
    this.#history = newest((i) => KNOWS_BOOK[prices.series[i] as number] !== true);
    this.#trades = newest((i) => !Number.isNaN(prices.last?.[i] ?? Number.NaN));
  }

  /** The view at an instant. Cost: none where it follows the instant that was asked for before. */
  viewAt(at: Instant): ContractView {
    const { observed_at } = this.#prices;
    if (this.#place >= 0 && (observed_at[this.#place] as number) > at) this.#place = -1;
    while ((observed_at[this.#place + 1] ?? Number.POSITIVE_INFINITY) <= at) this.#place++;
    const place = this.#place;
    const book = this.#bookAt(at);
    const life = lifeAt(this.#statuses, at);
    const made = this.#made;
    if (made && made.place === place && made.book === book && sameLife(made.view, life)) return made.view;
    const view: ContractView = life;
    if (book >= 0) view.book = this.#quoteOf(book);
    const traded = this.#trades[place] ?? -1;
    if (traded >= 0)
      view.last = {
        price: this.#prices.last?.[traded] as number,
        observed_at: observed_at[traded] as Instant,
      };
    if (place >= 0) view.observed_at = observed_at[place] as Instant;
    this.#made = { view, place, book };
    return view;
  }

  /** The place of the book that counts, or -1. */
  #bookAt(at: Instant): number {
    const book = this.#books[this.#place] ?? -1;
    if (book < 0) return -1;
    const { observed_at } = this.#prices;
    const historyAt = observed_at[this.#history[this.#place] ?? -1];
    return bookGivesWay(observed_at[book] as Instant, historyAt, at) ? -1 : book;
  }

  #quoteOf(place: number): NonNullable<ContractView['book']> {
    const { bid, ask, observed_at } = this.#prices;
    const quote: NonNullable<ContractView['book']> = { observed_at: observed_at[place] as Instant };
    const [bidOf, askOf] = [bid?.[place] ?? Number.NaN, ask?.[place] ?? Number.NaN];
    if (!Number.isNaN(bidOf)) quote.bid = bidOf;
    if (!Number.isNaN(askOf)) quote.ask = askOf;
    return quote;
  }
}

type Life = Pick<ContractView, 'status' | 'payout' | 'settled_at'>;

/**
 * The status at an instant. A settlement counts from its own instant, as far as it is known today; until its
 * payoff is known a settled contract just trades no more. Before a contract was first seen it is taken for
 * active until its close, as it was first told.
 *
 * @param statuses oldest first
 */
export function lifeAt(statuses: readonly SeenStatus[], at: Instant): Life {
  const newest = statuses.at(-1);
  const settled_at = newest?.settled_at ?? newest?.observed_at;
  if (newest?.status === 'settled' && newest.payout !== null && settled_at !== undefined && settled_at <= at)
    return { status: 'settled', payout: newest.payout, settled_at };
  const known = statuses.findLast((each) => each.observed_at <= at);
  if (known) return { status: known.status };
  const closesAt = statuses[0]?.closes_at ?? Number.POSITIVE_INFINITY;
  return { status: closesAt <= at ? 'closed' : 'active' };
}

function sameLife(view: ContractView, life: Life): boolean {
  return view.status === life.status && view.payout === life.payout && view.settled_at === life.settled_at;
}

/**
 * Whether a contract is priced from its price history although it has a book: the book was not asked for over
 * a day, while the history went on.
 *
 * @param historyAt the newest point of the history, if there is one
 */
export function bookGivesWay(bookAt: Instant, historyAt: Instant | undefined, at: Instant): boolean {
  return historyAt !== undefined && historyAt > bookAt && at - bookAt > BOOK_GIVES_WAY_MS;
}
