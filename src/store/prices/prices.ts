import { getOrInsert } from '../../model/memoized.ts';
import {
  type Observation,
  type ObservationBatch,
  PRICE_COLUMNS,
  type PriceColumn,
  type SeenPrices,
  type Series,
} from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import { RowInsertion } from '../many-rows.ts';
import { findLastCalculation, noteLateInput, recordingInstant } from '../restatements.ts';
import type { Reader, Value, Writer } from '../store.ts';
import {
  findLatestInstants,
  listSeenSince,
  marketsByKey,
  newestInstant,
  updateLastTrade,
  updateLatestFromTail,
  updateLatestQuote,
} from './latest-quotes.ts';
import { hasChunks, insertChunks } from './price-chunks.ts';
import { observationsOf, selectPrices, type TailRow } from './price-reads.ts';

/**
 * A batch of at least this many points is written directly as a chunk, instead of row by row to the tail. A batch that
 * revises points is not: of two values that one run recorded for an instant, the one in the tail counts, even after
 * compaction.
 */
const CHUNK_FROM = 200;
/** The same limit for the first batch of a series, which has no open chunk to be merged with later. */
const FIRST_CHUNK_FROM = 48;

const tailRows = new RowInsertion({
  table: 'price_tail',
  columns: ['observed_at', ...PRICE_COLUMNS],
  constant: ['market_key', 'series', 'recorded_at'],
  otherwise: `ON CONFLICT DO UPDATE SET ${PRICE_COLUMNS.map((each) => `${each} = excluded.${each}`).join(', ')}`,
});

/**
 * Stores observations of one market. Known ones with the same values are skipped. One with other values is stored as a
 * revision with its own recorded_at; it replaces a revision of the same run.
 *
 * @returns the number of new observations and revisions
 */
export function insertObservations(
  writer: Writer,
  marketKey: number,
  { series, observations }: ObservationBatch,
  now: Instant,
): number {
  const latest = findLatestInstants(writer, marketKey);
  const newest = newestInstant(latest, series);
  const { fresh, revises } = newObservations(writer, marketKey, series, observations, newest);
  if (fresh.length === 0) return 0;
  const recordedAt = recordingInstant(writer, now);
  const isFirst = () => newest === undefined || !hasChunks(writer, marketKey, series);
  const isLong = fresh.length >= CHUNK_FROM || (fresh.length >= FIRST_CHUNK_FROM && isFirst());
  if (isLong && !revises) insertChunks(writer, marketKey, series, fresh, () => recordedAt);
  else
    tailRows.insert(
      writer,
      fresh.flatMap((each) => [each.observed_at, ...PRICE_COLUMNS.map((column) => each[column] ?? null)]),
      [marketKey, series, recordedAt],
    );
  const lastAt = updateLatestQuote(writer, marketKey, { series, observations: fresh }, latest);
  if (lastAt !== undefined && fresh.some((each) => each.observed_at === lastAt && each.last === undefined))
    updateLastTrade(writer, marketKey, lastAt);
  return fresh.length;
}

/** The book and the last trade of a market, as seen at some instant. */
export interface SeenQuote {
  market_key: number;
  prices: SeenPrices;
}

/**
 * Stores quotes of many markets from one instant, which is also when they became known. The result is the same as with
 * {@link insertObservations} one by one, but quotes newer than all known books of their market, as most are, are
 * inserted together.
 *
 * @returns the number of new observations and revisions
 */
export function insertQuotes(writer: Writer, quotes: readonly SeenQuote[], seenAt: Instant): number {
  const markets = marketsByKey(quotes.map((each) => each.market_key));
  const known = new Set(listSeenSince(writer, markets, seenAt));
  const columns = columnsOf(quotes);
  const values: Value[] = [];
  const others: SeenQuote[] = [];
  for (const quote of quotes) {
    const { market_key, prices } = quote;
    if (known.has(market_key)) {
      others.push(quote);
      continue;
    }
    known.add(market_key);
    values.push(market_key);
    for (const column of columns) values.push(prices[column] ?? null);
  }
  const recorded_at = recordingInstant(writer, seenAt);
  quoteRows(columns).insert(writer, values, [seenAt, 'quote', recorded_at]);
  updateLatestFromTail(writer, markets, { seen_at: seenAt, recorded_at });
  let added = quotes.length - others.length;
  for (const { market_key, prices } of others) {
    const observations = [{ observed_at: seenAt, ...prices }];
    added += insertObservations(writer, market_key, { series: 'quote', observations }, seenAt);
  }
  return added;
}

/** The columns that at least one of the quotes has. */
function columnsOf(quotes: readonly SeenQuote[]): PriceColumn[] {
  const names = new Set<string>();
  for (const { prices } of quotes) for (const name in prices) names.add(name);
  return PRICE_COLUMNS.filter((column) => names.has(column));
}

/** By columns: only those in use are written, since a null costs as much as a value. */
const QUOTE_ROWS = new Map<string, RowInsertion>();

function quoteRows(columns: readonly PriceColumn[]): RowInsertion {
  const constant = ['observed_at', 'series', 'recorded_at'];
  return getOrInsert(
    QUOTE_ROWS,
    columns.join(),
    () => new RowInsertion({ table: 'price_tail', columns: ['market_key', ...columns], constant }),
  );
}

/** The columns that marks are made of. Revised volumes or other columns of a candle restate nothing. */
const MARK_COLUMNS = ['bid', 'ask', 'last'] as const;

function newObservations(
  writer: Writer,
  marketKey: number,
  series: Series,
  observations: readonly Observation[],
  newest: Instant | undefined,
): { fresh: readonly Observation[]; revises: boolean } {
  const sorted = inOrder(observations);
  const first = sorted[0];
  const last = sorted.at(-1);
  // Observations newer than all that are known need no comparison.
  if (!first || !last || newest === undefined || newest < first.observed_at)
    return { fresh: sorted, revises: false };
  const tail = new Map([[marketKey, selectTail(writer, marketKey, series, sorted)]]);
  const span = { series, from: first.observed_at, until: last.observed_at };
  const knownBy = (knownAt: Instant) => {
    const known = observationsOf(selectPrices(writer, marketKey, { ...span, knownAt }, tail));
    return new Map(known.map((each) => [each.observed_at, each]));
  };
  const before = knownBy(Number.POSITIVE_INFINITY);
  const isRevised = (each: Observation, known: ReadonlyMap<Instant, Observation>) => {
    const then = known.get(each.observed_at);
    return then !== undefined && MARK_COLUMNS.some((column) => then[column] !== each[column]);
  };
  const revised = sorted.filter((each) => isRevised(each, before));
  if (revised.length > 0) {
    // Values recorded since the last calculation were not used in any.
    const calculated = knownBy(findLastCalculation(writer) ?? Number.NEGATIVE_INFINITY);
    const wrong = revised.find((each) => isRevised(each, calculated));
    if (wrong) noteLateInput(writer, marketKey, wrong.observed_at, 'revised_price');
  }
  const fresh = sorted.filter((each) => {
    const then = before.get(each.observed_at);
    return then === undefined || PRICE_COLUMNS.some((column) => then[column] !== each[column]);
  });
  return { fresh, revises: fresh.some((each) => before.has(each.observed_at)) };
}

// In time order, one per instant: the last given counts. Most venues answer in order, so that nothing is sorted.
function inOrder(observations: readonly Observation[]): readonly Observation[] {
  const isInOrder = observations.every(
    ({ observed_at }, i) => i === 0 || observed_at > (observations[i - 1] as Observation).observed_at,
  );
  if (isInOrder) return observations;
  const byInstant = new Map(observations.map((each) => [each.observed_at, each]));
  return [...byInstant.values()].sort((a, b) => a.observed_at - b.observed_at);
}

// The tail is ordered by time first, so that a time span holds rows of all markets: each point is looked up by instant.
const SELECT_TAIL = `SELECT price_tail.* FROM json_each(?) AS wanted CROSS JOIN price_tail ON observed_at = wanted.value
  WHERE market_key = +? AND series = +? ORDER BY observed_at, recorded_at`;

function selectTail(
  reader: Reader,
  marketKey: number,
  series: Series,
  sorted: readonly Observation[],
): TailRow[] {
  const instants = JSON.stringify(sorted.map((each) => each.observed_at));
  return reader.all<TailRow>(SELECT_TAIL, instants, marketKey, series);
}
