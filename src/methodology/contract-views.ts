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
 * @param closesAt when trading ends, if the venue says
 * @param instants ascending
 */
export function contractViews(
  prices: PriceColumns,
  statuses: readonly SeenStatus[],
  closesAt: Instant | undefined,
  instants: readonly Instant[],
): ContractView[] {
  const views: ContractView[] = [];
  const seen: Seen = {};
  let next = 0;
  let view: ContractView | undefined;
  for (const at of instants) {
    const from = next;
    while (next < prices.observed_at.length && (prices.observed_at[next] as number) <= at)
      observe(seen, prices, next++);
    const life = lifeAt(statuses, closesAt, at);
    if (!view || next > from || !sameLife(view, life) || givesWay(seen, at) === (view.book !== undefined))
      view = viewOf(seen, life, at);
    views.push(view);
  }
  return views;
}

interface Seen {
  book?: NonNullable<ContractView['book']>;
  last?: NonNullable<ContractView['last']>;
  historyAt?: Instant;
  observedAt?: Instant;
}

function observe(seen: Seen, prices: PriceColumns, i: number): void {
  const observed_at = prices.observed_at[i] as number;
  const bid = prices.bid?.[i] ?? Number.NaN;
  const ask = prices.ask?.[i] ?? Number.NaN;
  const last = prices.last?.[i] ?? Number.NaN;
  if (KNOWS_BOOK[prices.series[i] as number])
    seen.book = {
      observed_at,
      ...(Number.isNaN(bid) ? {} : { bid }),
      ...(Number.isNaN(ask) ? {} : { ask }),
    };
  else seen.historyAt = observed_at;
  if (!Number.isNaN(last)) seen.last = { price: last, observed_at };
  seen.observedAt = observed_at;
}

type Life = Pick<ContractView, 'status' | 'payout' | 'settled_at'>;

/**
 * The status at an instant. A settlement counts from its own instant, as far as it is known today; until its
 * payoff is known a settled contract just trades no more. Before a contract was first seen it is taken for
 * active until its close.
 */
export function lifeAt(statuses: readonly SeenStatus[], closesAt: Instant | undefined, at: Instant): Life {
  const newest = statuses.at(-1);
  const settled_at = newest?.settled_at ?? newest?.observed_at;
  if (newest?.status === 'settled' && newest.payout !== null && settled_at !== undefined && settled_at <= at)
    return { status: 'settled', payout: newest.payout, settled_at };
  const known = statuses.findLast((each) => each.observed_at <= at);
  if (known) return { status: known.status };
  return { status: closesAt !== undefined && closesAt <= at ? 'closed' : 'active' };
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

function givesWay({ book, historyAt }: Seen, at: Instant): boolean {
  return !book || bookGivesWay(book.observed_at, historyAt, at);
}

function viewOf(seen: Seen, life: Life, at: Instant): ContractView {
  const view: ContractView = { ...life };
  if (seen.book && !givesWay(seen, at)) view.book = seen.book;
  if (seen.last) view.last = seen.last;
  if (seen.observedAt !== undefined) view.observed_at = seen.observedAt;
  return view;
}
