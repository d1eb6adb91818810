import type { Observation } from '../../model/observation.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { KnownMarket } from '../../store/catalog/catalog.ts';
import { findLatestQuote } from '../../store/prices/latest-quotes.ts';
import type { Reader } from '../../store/store.ts';
import type { ListedMarket } from './listed-market.ts';

/** Fields that an active market does not lose once it had a value. */
const FIELDS = ['bid', 'ask', 'last', 'volume', 'open_interest', 'closes_at'] as const;
type Field = (typeof FIELDS)[number];

const noCounts = () => ({ bid: 0, ask: 0, last: 0, volume: 0, open_interest: 0, closes_at: 0 });

/** A loss is judged only from this many known values on. */
const LEAST_VALUES = 20;
/** If more than this share of them is gone at once, the format changed, not the markets. */
const MOST_GONE = 0.5;
/**
 * A last trade, unlike a quote, does not go away: if all of at least this many are gone, the format changed, even on a
 * short list.
 */
const LEAST_LASTS = 5;
/**
 * If more than that share of the quotes on two sides moved further than this at once, they are in another unit, or of
 * the other side.
 */
const FAR = 0.5;
/** Quotes are compared with those before for this long. Then they are believed: the markets have really moved. */
const COMPARED_FOR_MS = DAY_MS;

/** Compares a run's rows with what was known, field by field, over the pages of a feed. */
export class DriftTally {
  readonly #accepted: ReadonlySet<string>;
  readonly #had = noCounts();
  readonly #gone = noCounts();
  #quoted = 0;
  #far = 0;

  /** @param accepted fields whose loss the settings accept */
  constructor(accepted: readonly string[]) {
    this.#accepted = new Set(accepted);
  }

  /**
   * Compares a page with what was known of its active markets. A renamed field, or one in another unit, is missing or
   * zero in every row, and each such row alone looks like an empty book.
   *
   * @param known what was known of the page's markets, by id
   * @param now when the page was read
   * @returns why the page is not to be believed; undefined when it is
   */
  findDrift(
    markets: readonly ListedMarket[],
    known: ReadonlyMap<string, KnownMarket>,
    now: Instant,
  ): string | undefined {
    for (const listed of markets) this.#compare(listed, known.get(listed.market.market_id), now);
    for (const field of FIELDS) {
      const [had, gone] = [this.#had[field], this.#gone[field]];
      const allLasts = field === 'last' && had >= LEAST_LASTS && gone === had;
      if (allLasts || (had >= LEAST_VALUES && gone > had * MOST_GONE))
        return `${field} is zero or missing in ${gone} of ${had} rows that had it before; the page was not stored`;
    }
    if (this.#quoted >= LEAST_VALUES && this.#far > this.#quoted * MOST_GONE)
      return `the quotes of ${this.#far} of ${this.#quoted} rows are over 50 cents from those before; the page was not stored`;
    return undefined;
  }

  /** Counts the values of an unchanged page, none of which is lost. */
  addUnchanged(had: Readonly<Record<string, number>>): void {
    for (const field of FIELDS) if (!this.#accepted.has(field)) this.#had[field] += had[field] ?? 0;
    this.#quoted += Math.min(had.bid ?? 0, had.ask ?? 0);
  }

  #compare({ market, quote }: ListedMarket, known: KnownMarket | undefined, now: Instant): void {
    if (market.status !== 'active' || known?.status !== 'active') return;
    const { volume, open_interest, closes_at } = market;
    this.#note('volume', known.volume, volume);
    this.#note('open_interest', known.open_interest, open_interest);
    this.#note('closes_at', known.closes_at, closes_at);
    if (!quote) return;
    this.#note('bid', known.bid, quote.prices.bid);
    this.#note('ask', known.ask, quote.prices.ask);
    if (quote.knows_last !== false) this.#note('last', known.last, quote.prices.last);
    const [before, after] = [middleOf(known), middleOf(quote.prices)];
    if (before === undefined || after === undefined || now - (known.book_at ?? 0) > COMPARED_FOR_MS) return;
    this.#quoted++;
    if (Math.abs(after - before) > FAR) this.#far++;
  }

  #note(field: Field, before: number | null | undefined, after: number | undefined): void {
    if (!before || this.#accepted.has(field)) return;
    this.#had[field]++;
    if (!after) this.#gone[field]++;
  }
}

interface Sides {
  bid?: Probability | null;
  ask?: Probability | null;
}

/** The middle of a quote on two sides. */
function middleOf({ bid, ask }: Sides): Probability | undefined {
  return bid && ask ? (bid + ask) / 2 : undefined;
}

/** How many active markets of a page have a value, by field. */
export function countValues(markets: readonly ListedMarket[]): Record<Field, number> {
  const had = noCounts();
  for (const { market, quote } of markets) {
    if (market.status !== 'active') continue;
    for (const field of ['volume', 'open_interest', 'closes_at'] as const) if (market[field]) had[field]++;
    for (const field of ['bid', 'ask', 'last'] as const) if (quote?.prices[field]) had[field]++;
  }
  return had;
}

/**
 * Finds lost values in candles: most hours have neither bid, ask nor trade, in markets that were quoted until now.
 *
 * @returns why they are not to be believed; undefined when they are
 */
export function findCandleDrift(
  reader: Reader,
  batches: readonly { market_key: number; observations: readonly Observation[] }[],
): string | undefined {
  const traded = batches.filter(({ market_key }) => {
    const latest = findLatestQuote(reader, market_key);
    return latest !== undefined && (latest.bid !== null || latest.ask !== null);
  });
  const candles = traded.flatMap(({ observations }) => observations);
  const empty = candles.filter(
    ({ bid, ask, last }) => bid === undefined && ask === undefined && last === undefined,
  );
  if (candles.length < LEAST_VALUES || empty.length <= candles.length * MOST_GONE) return undefined;
  return `${empty.length} of ${candles.length} candles of quoted markets are empty; they were not stored`;
}
