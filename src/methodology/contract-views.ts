import type { MarketStatus, SeenStatus } from '../model/catalog.ts';
import { knowsBook, type PriceColumns, SERIES } from '../model/observation.ts';
import { DAY_MS } from '../model/time.ts';
import type { Instant, Probability } from '../model/units.ts';

/** What Yes pays, and when it was settled. */
export interface Payoff {
  payout: Probability;
  at: Instant;
}

/** What is known of one contract at an instant. Prices are fractions; an empty side is absent. */
export interface ContractView {
  status: MarketStatus;
  /** Settled contracts only, if their payoff is known. */
  paid?: Payoff;
  /** The newest book; absent when the contract has only a price history. */
  book?: { bid?: Probability; ask?: Probability; observed_at: Instant };
  /**
   * The last trade, or for a contract without a usable book the newest point of its price history, if that is newer.
   */
  last?: { price: Probability; observed_at: Instant };
  /** The newest observation of any kind. */
  observed_at?: Instant;
}

/** Looks up what is known of a market at one instant; undefined when the catalog has never seen it. */
export type FindView = (marketId: string) => ContractView | undefined;

/** A book older than this is ignored if the price history has a newer point. */
export const BOOK_GIVES_WAY_MS = DAY_MS;

const KNOWS_BOOK = SERIES.map(knowsBook);
const HISTORY = SERIES.indexOf('history');

/** What is known of one contract at an instant, as numbers: NaN where absent. */
export interface SeenContract {
  life: Life;
  bid: Probability;
  ask: Probability;
  /** When the usable book was observed. */
  book_at: Instant;
  last: Probability;
  last_at: Instant;
  observed_at: Instant;
}

/**
 * The history of a contract as columns. A look-up uses only observations at or before its instant, and views are
 * created on demand.
 */
export class ContractHistory {
  readonly #prices: PriceColumns;
  readonly #periods: readonly Period[];
  /**
   * Positions in the columns as of the last requested instant, or -1: the newest observation, book, trade, price and
   * point.
   */
  #place = -1;
  #book = -1;
  #trade = -1;
  /** A trade, or a price of a history that may not be a trade. */
  #price = -1;
  /** A point of any series without a book. */
  #point = -1;
  #period = 0;
  readonly #seen: SeenContract;
  #made: { view: ContractView; place: number; book: number; period: number } | undefined;

  /**
   * @param prices observations in time order
   * @param statuses as the venue reported them, oldest first
   */
  constructor(prices: PriceColumns, statuses: readonly SeenStatus[]) {
    this.#prices = prices;
    this.#periods = periodsOf(statuses);
    const none = Number.NaN;
    const { life } = this.#periods[0] as Period;
    this.#seen = { life, bid: none, ask: none, book_at: none, last: none, last_at: none, observed_at: none };
  }

  /**
   * What is known at an instant. The same object is reused: its values are valid until the next call. Cheap if the
   * instants ascend.
   */
  seenAt(at: Instant): SeenContract {
    const { bid, ask, last, observed_at } = this.#prices;
    this.#goTo(at);
    const seen = this.#seen;
    const book = this.#bookAt(at);
    // If there is a book, a point of a price history counts only if it is known to be a trade.
    const traded = book < 0 ? this.#price : this.#trade;
    seen.life = (this.#periods[this.#period] as Period).life;
    seen.bid = valueAt(bid, book);
    seen.ask = valueAt(ask, book);
    seen.book_at = valueAt(observed_at, book);
    seen.last = valueAt(last, traded);
    seen.last_at = valueAt(observed_at, traded);
    seen.observed_at = valueAt(observed_at, this.#place);
    return seen;
  }

  /** The view at an instant; the same object as before if nothing has changed. */
  viewAt(at: Instant): ContractView {
    const seen = this.seenAt(at);
    const book = this.#bookAt(at);
    const made = this.#made;
    if (made && made.place === this.#place && made.book === book && made.period === this.#period)
      return made.view;
    const view = viewOf(seen);
    this.#made = { view, place: this.#place, book, period: this.#period };
    return view;
  }

  #goTo(at: Instant): void {
    const { observed_at, series, last } = this.#prices;
    if (this.#place >= 0 && (observed_at[this.#place] as number) > at)
      this.#place = this.#book = this.#trade = this.#price = this.#point = -1;
    while (this.#place + 1 < observed_at.length && (observed_at[this.#place + 1] as number) <= at) {
      const place = ++this.#place;
      if (KNOWS_BOOK[series[place] as number]) this.#book = place;
      else this.#point = place;
      if (!last || Number.isNaN(last[place])) continue;
      this.#price = place;
      if (series[place] !== HISTORY) this.#trade = place;
    }
    if ((this.#periods[this.#period] as Period).from > at) this.#period = 0;
    while ((this.#periods[this.#period + 1]?.from ?? Number.POSITIVE_INFINITY) <= at) this.#period++;
  }

  /** The position of the usable book, or -1. */
  #bookAt(at: Instant): number {
    if (this.#book < 0) return -1;
    const { observed_at } = this.#prices;
    const bookAt = observed_at[this.#book] as Instant;
    return bookGivesWay(bookAt, observed_at[this.#point], at) ? -1 : this.#book;
  }
}

/** NaN for position -1. */
function valueAt(column: Float64Array | undefined, place: number): number {
  return column === undefined || place < 0 ? Number.NaN : (column[place] as number);
}

function viewOf({ life, bid, ask, book_at, last, last_at, observed_at }: SeenContract): ContractView {
  const view: ContractView = { ...life };
  if (!Number.isNaN(book_at)) {
    view.book = { observed_at: book_at };
    if (!Number.isNaN(bid)) view.book.bid = bid;
    if (!Number.isNaN(ask)) view.book.ask = ask;
  }
  if (!Number.isNaN(last)) view.last = { price: last, observed_at: last_at };
  if (!Number.isNaN(observed_at)) view.observed_at = observed_at;
  return view;
}

type Life = Pick<ContractView, 'status' | 'paid'>;

/**
 * The status at an instant. A settlement counts from its own instant, as known today; a settled contract whose payoff
 * is not known merely no longer trades. Before a contract was first seen, it is assumed to have been active until the
 * close that the venue first announced.
 *
 * @param statuses oldest first
 */
export function lifeAt(statuses: readonly SeenStatus[], at: Instant): Life {
  const newest = statuses.at(-1);
  if (newest?.status === 'settled' && newest.payout !== null) {
    const paid = { payout: newest.payout, at: newest.settled_at ?? newest.observed_at };
    if (paid.at <= at) return { status: 'settled', paid };
  }
  const known = statuses.findLast((each) => each.observed_at <= at);
  if (known) return { status: known.status };
  const closesAt = statuses[0]?.closes_at ?? Number.POSITIVE_INFINITY;
  return { status: closesAt <= at ? 'closed' : 'active' };
}

/** A period of a contract's life, up to the next one. */
interface Period {
  from: Instant;
  life: Life;
}

/**
 * The periods of a contract's life, in order, one for each instant at which it may change; the first has no beginning.
 */
function periodsOf(statuses: readonly SeenStatus[]): Period[] {
  const changes = statuses.flatMap(({ observed_at, settled_at, closes_at }) => [
    observed_at,
    ...[settled_at, closes_at].filter((at) => at !== null),
  ]);
  const instants = [Number.NEGATIVE_INFINITY, ...changes.sort((a, b) => a - b)];
  return instants.map((from) => ({ from, life: lifeAt(statuses, from) }));
}

/**
 * Whether a contract is priced from its price history although it has a book: the book is more than a day old, and the
 * history has a newer point.
 *
 * @param historyAt the newest point of the history, if there is one
 */
export function bookGivesWay(bookAt: Instant, historyAt: Instant | undefined, at: Instant): boolean {
  return historyAt !== undefined && historyAt > bookAt && at - bookAt > BOOK_GIVES_WAY_MS;
}
