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

/** What is known of one contract at an instant, as numbers: NaN where absent. */
export interface SeenContract {
  life: Life;
  bid: Probability;
  ask: Probability;
  /** When the book was observed that counts. */
  book_at: Instant;
  last: Probability;
  last_at: Instant;
  observed_at: Instant;
}

/** What was known of a contract, as columns: a view is made when it is asked for. */
export class ContractHistory {
  readonly #prices: PriceColumns;
  readonly #turns: readonly Turn[];
  /** At the instant that was asked for last: the newest observation, book, trade and point of the history; or -1. */
  #place = -1;
  #book = -1;
  #trade = -1;
  #point = -1;
  #turn = 0;
  readonly #seen: SeenContract;
  #view: { of: SeenContract; view: ContractView } | undefined;

  /** As `contractViews` takes them. */
  constructor(prices: PriceColumns, statuses: readonly SeenStatus[]) {
    this.#prices = prices;
    this.#turns = turnsOf(statuses);
    const none = Number.NaN;
    const { life } = this.#turns[0] as Turn;
    this.#seen = { life, bid: none, ask: none, book_at: none, last: none, last_at: none, observed_at: none };
  }

  /**
   * What is known at an instant, until the next is asked for: the same object holds that then. Cost: none where it
   * follows the instant that was asked for before.
   */
  seenAt(at: Instant): SeenContract {
    const { bid, ask, last, observed_at } = this.#prices;
    this.#goTo(at);
    const seen = this.#seen;
    const book = this.#bookAt(at);
    seen.life = (this.#turns[this.#turn] as Turn).life;
    seen.bid = bid?.[book] ?? Number.NaN;
    seen.ask = ask?.[book] ?? Number.NaN;
    seen.book_at = observed_at[book] ?? Number.NaN;
    seen.last = last?.[this.#trade] ?? Number.NaN;
    seen.last_at = observed_at[this.#trade] ?? Number.NaN;
    seen.observed_at = observed_at[this.#place] ?? Number.NaN;
    return seen;
  }

  /** The view at an instant: the same object where nothing changed since the one that was asked for before. */
  viewAt(at: Instant): ContractView {
    const seen = this.seenAt(at);
    if (this.#view && isSame(this.#view.of, seen)) return this.#view.view;
    const view = viewOf(seen);
    this.#view = { of: { ...seen }, view };
    return view;
  }

  #goTo(at: Instant): void {
    const { observed_at, series, last } = this.#prices;
    if (this.#place >= 0 && (observed_at[this.#place] as number) > at)
      this.#place = this.#book = this.#trade = this.#point = -1;
    while (this.#place + 1 < observed_at.length && (observed_at[this.#place + 1] as number) <= at) {
      const place = ++this.#place;
      if (KNOWS_BOOK[series[place] as number]) this.#book = place;
      else this.#point = place;
      if (last && !Number.isNaN(last[place])) this.#trade = place;
    }
    if ((this.#turns[this.#turn] as Turn).from > at) this.#turn = 0;
    while ((this.#turns[this.#turn + 1]?.from ?? Number.POSITIVE_INFINITY) <= at) this.#turn++;
  }

  /** The place of the book that counts, or -1. */
  #bookAt(at: Instant): number {
    if (this.#book < 0) return -1;
    const { observed_at } = this.#prices;
    const bookAt = observed_at[this.#book] as Instant;
    return bookGivesWay(bookAt, observed_at[this.#point], at) ? -1 : this.#book;
  }
}

function isSame(a: SeenContract, b: SeenContract): boolean {
  return (
    a.life === b.life &&
    Object.is(a.book_at, b.book_at) &&
    Object.is(a.last_at, b.last_at) &&
    Object.is(a.observed_at, b.observed_at)
  );
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

/** A stretch of a contract's life, up to the next. */
interface Turn {
  from: Instant;
  life: Life;
}

/** The life from each instant on at which it may change, in order; the first from ever on. */
function turnsOf(statuses: readonly SeenStatus[]): Turn[] {
  const told = statuses.flatMap(({ observed_at, settled_at, closes_at }) => [
    observed_at,
    ...[settled_at, closes_at].filter((at) => at !== null),
  ]);
  const instants = [Number.NEGATIVE_INFINITY, ...told.sort((a, b) => a - b)];
  return instants.map((from) => ({ from, life: lifeAt(statuses, from) }));
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
