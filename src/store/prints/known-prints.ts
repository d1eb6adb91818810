import type { SeriesId, SeriesKind } from '../../model/constituent-id.ts';
import { formatInstant } from '../../model/time.ts';
import type { EasternDay, Instant } from '../../model/units.ts';
import type { Reader, Value } from '../store.ts';

/** Later than every instant; as a bound it excludes nothing. */
export const EVER: Instant = Number.MAX_SAFE_INTEGER;

/** The table with the prints of each kind, and the column with their values. */
export const PRINTS = {
  index: { table: 'index_prints', value: 'level' },
  rate: { table: 'rate_prints', value: 'price' },
} as const satisfies Record<SeriesKind, object>;

/** SQL condition: the row `print` is the newest revision of its instant that was known at `@known`. */
export function isNewestKnown(table: 'index_prints' | 'rate_prints'): string {
  return `print.recorded_at <= @known AND NOT EXISTS (
    SELECT 1 FROM ${table} AS newer WHERE newer.ticker = print.ticker AND newer.at = print.at
      AND newer.revision > print.revision AND newer.recorded_at <= @known)`;
}

/**
 * Makes the functions that read the prints of a kind. Spans include both ends, and results are in time order; `known`
 * leaves out what was recorded later.
 *
 * @param columns columns of a print in a list, besides its instant and revision
 * @param whole the SELECT and FROM clauses for prints with their receipts, from a table aliased `print`
 * @param read turns such a row into a print
 */
export function printReads<Listed, Row, Print>(
  kind: SeriesKind,
  columns: readonly (keyof Listed & string)[],
  whole: string,
  read: (reader: Reader, row: Row) => Print,
) {
  const { table } = PRINTS[kind];
  const isKnown = isNewestKnown(table);
  // With max(), SQLite takes the other columns from the row with the maximum; here in one walk over the index.
  const newest = `SELECT at, max(revision) AS revision, ${columns.join(', ')}
    FROM ${table} WHERE ticker = ? AND at BETWEEN ? AND ? GROUP BY at ORDER BY at`;
  const select = `${whole} WHERE print.ticker = +@ticker`;
  const atOrBefore = `${select} AND print.at <= +@at AND ${isKnown} ORDER BY print.at DESC LIMIT 1`;
  const inSpan = `${select} AND print.at BETWEEN @from AND @until`;
  const readAll = (reader: Reader, sql: string, values: Record<string, Value>) =>
    reader.all<Row>(sql, values).map((row) => read(reader, row));
  return {
    /** The newest revisions of a ticker's prints in a span, without their receipts. */
    list: (reader: Reader, ticker: string, from: Instant, until: Instant): Listed[] =>
      reader.all(newest, ticker, from, until),
    /** The last print of a ticker at or before an instant. */
    find(reader: Reader, ticker: string, at: Instant, known = EVER): Print | undefined {
      const row = reader.get<Row>(atOrBefore, { ticker, at, known });
      return row && read(reader, row);
    },
    /** The prints of a ticker in a span. */
    select: (reader: Reader, ticker: string, from: Instant, until: Instant, known = EVER): Print[] =>
      readAll(reader, `${inSpan} AND ${isKnown} ORDER BY print.at`, { ticker, from, until, known }),
    /** The prints of a ticker in a span as they were first recorded, without later revisions. */
    selectFirst: (reader: Reader, ticker: string, from: Instant, until: Instant): Print[] =>
      readAll(reader, `${inSpan} AND revision = 0 ORDER BY print.at`, { ticker, from, until }),
  };
}

/**
 * The levels of an index, or the prices of a rate, from one instant to another, and the last before, as first recorded:
 * these are the values that indices calculated at the same instants have used.
 *
 * @param known leaves out what was recorded later
 */
export function listFirstValues(
  reader: Reader,
  { kind, ticker }: SeriesId,
  from: Instant,
  until: Instant,
  known = EVER,
): { at: Instant; value: number; recorded_at: Instant }[] {
  const { table, value } = PRINTS[kind];
  return reader.all(
    `SELECT at, ${value} AS value, recorded_at FROM (
       SELECT at, ${value}, recorded_at, min(revision) FROM ${table} WHERE ticker = @ticker AND at <= @until
         AND recorded_at <= @known AND at >= coalesce((
           SELECT max(at) FROM ${table} WHERE ticker = @ticker AND at < @from AND recorded_at <= @known), 0)
       GROUP BY at)
     ORDER BY at`,
    { ticker, from, until, known },
  );
}

/** When the print of a ticker at an instant was first recorded; undefined if it has none. */
export function findFirstRecording(
  reader: Reader,
  { kind, ticker }: SeriesId,
  at: Instant,
): Instant | undefined {
  const sql = `SELECT recorded_at FROM ${PRINTS[kind].table} WHERE ticker = ? AND at = ? ORDER BY revision LIMIT 1`;
  return reader.value(sql, ticker, at);
}

/**
 * The newest revisions of an index's levels, or a rate's prices, from one instant to another, both inclusive, in time
 * order. Nothing else is read, so that a long series costs a tenth of reading its prints.
 */
export function listValues(
  reader: Reader,
  { kind, ticker }: SeriesId,
  from: Instant,
  until: Instant,
): { at: Instant; revision: number; value: number }[] {
  const { table, value } = PRINTS[kind];
  const sql = `SELECT at, max(revision) AS revision, ${value} AS value FROM ${table}
    WHERE ticker = ? AND at BETWEEN ? AND ? GROUP BY at ORDER BY at`;
  return reader.all(sql, ticker, from, until);
}

/** The level or price of the last print of an index or rate at or before an instant. */
export function findLastValue(
  reader: Reader,
  { kind, ticker }: SeriesId,
  at: Instant,
): { at: Instant; value: number } | undefined {
  const { table, value } = PRINTS[kind];
  const sql = `SELECT at, ${value} AS value FROM ${table} AS print
    WHERE ticker = +@ticker AND at <= +@at AND ${isNewestKnown(table)} ORDER BY at DESC LIMIT 1`;
  return reader.get(sql, { ticker, at, known: EVER });
}

/** The levels or prices of the last daily closes of an index or rate before a day, in order. Reads no other prints. */
export function listCloseValues(
  reader: Reader,
  { kind, ticker }: SeriesId,
  before: EasternDay,
  limit = Number.MAX_SAFE_INTEGER,
): { day: EasternDay; at: Instant; value: number }[] {
  const { table, value } = PRINTS[kind];
  const sql = `SELECT day, close.at, ${value} AS value
    FROM daily_closes AS close CROSS JOIN ${table} AS print ON print.ticker = close.ticker AND print.at = close.at
    WHERE kind = @kind AND close.ticker = @ticker AND day < @before AND ${isNewestKnown(table)}
    ORDER BY day DESC LIMIT @limit`;
  const wanted = { kind, ticker, before, limit, known: EVER };
  return reader.all<{ day: EasternDay; at: Instant; value: number }>(sql, wanted).reverse();
}

/**
 * A fingerprint of all prints of instants up to a given one, revisions included: while it is the same so are they, also
 * in another store. It consists of the hash in hex of the print recorded last, which covers those recorded before, and
 * of the last instant, since for two such spans the print recorded last may be the same restatement of an earlier
 * instant.
 *
 * @returns undefined when there are no prints
 */
export function findPrintsDigest(
  reader: Reader,
  { kind, ticker }: SeriesId,
  until: Instant,
): string | undefined {
  const { table } = PRINTS[kind];
  // The plus makes SQLite walk back from the newest print, skipping only those of later instants.
  const sql = `SELECT lower(hex(hash)) FROM ${table} WHERE ticker = ? AND +at <= ? ORDER BY print_id DESC LIMIT 1`;
  const hash = reader.value<string>(sql, ticker, until);
  const last = reader.value<Instant>(
    `SELECT max(at) FROM ${table} WHERE ticker = ? AND at <= ?`,
    ticker,
    until,
  );
  return last === undefined ? undefined : `${hash} ${formatInstant(last)}`;
}

/** The prints of a ticker made by one version of the methodology. */
export interface PrintsOfVersion {
  methodology_version: string;
  prints: number;
  /** When the last of them was recorded. */
  last_recorded_at: Instant;
}

/** The versions of the methodology that made the prints of a ticker, revisions included. */
export function listPrintVersions(reader: Reader, { kind, ticker }: SeriesId): PrintsOfVersion[] {
  const sql = `SELECT methodology_version, count(*) AS prints, max(recorded_at) AS last_recorded_at
    FROM ${PRINTS[kind].table} WHERE ticker = ? GROUP BY methodology_version ORDER BY methodology_version`;
  return reader.all(sql, ticker);
}
