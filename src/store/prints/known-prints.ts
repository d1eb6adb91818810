import type { SeriesId, SeriesKind } from '../../model/constituent-id.ts';
import { formatInstant } from '../../model/time.ts';
import type { EasternDay, Instant } from '../../model/units.ts';
import type { Reader, Value } from '../store.ts';

/** Later than every instant: as a bound it leaves nothing out. */
export const EVER: Instant = Number.MAX_SAFE_INTEGER;

/** Where the prints of each kind lie, and the column of their values. */
export const PRINTS = {
  index: { table: 'index_prints', value: 'level' },
  rate: { table: 'rate_prints', value: 'price' },
} as const satisfies Record<SeriesKind, object>;

/** A condition in SQL: the row called `print` is the newest revision of its instant that was known at `@known`. */
export function isNewestKnown(table: 'index_prints' | 'rate_prints'): string {
  return `print.recorded_at <= @known AND NOT EXISTS (
    SELECT 1 FROM ${table} AS newer WHERE newer.ticker = print.ticker AND newer.at = print.at
      AND newer.revision > print.revision AND newer.recorded_at <= @known)`;
}

/**
 * What reads the prints of a kind. Spans have both ends in them, and are in time order; `known` leaves out what was
 * recorded later.
 *
 * @param columns of a print in a list, beside its instant and revision
 * @param whole what is selected of a print with all that entered it, from a table called `print`
 * @param read makes a print of such a row
 */
export function printReads<Listed, Row, Print>(
  kind: SeriesKind,
  columns: readonly (keyof Listed & string)[],
  whole: string,
  read: (reader: Reader, row: Row) => Print,
) {
  const { table } = PRINTS[kind];
  const isKnown = isNewestKnown(table);
  // Of a group SQLite gives the row that has the highest, here in one walk over the index.
  const newest = `SELECT at, max(revision) AS revision, ${columns.join(', ')}
    FROM ${table} WHERE ticker = ? AND at BETWEEN ? AND ? GROUP BY at ORDER BY at`;
  const select = `${whole} WHERE print.ticker = +@ticker`;
  const atOrBefore = `${select} AND print.at <= +@at AND ${isKnown} ORDER BY print.at DESC LIMIT 1`;
  const inSpan = `${select} AND print.at BETWEEN @from AND @until`;
  const readAll = (reader: Reader, sql: string, values: Record<string, Value>) =>
    reader.all<Row>(sql, values).map((row) => read(reader, row));
  return {
    /** The newest revisions of a ticker's prints of a span, without what entered them. */
    list: (reader: Reader, ticker: string, from: Instant, until: Instant): Listed[] =>
      reader.all(newest, ticker, from, until),
    /** The last print of a ticker at or before an instant. */
    find(reader: Reader, ticker: string, at: Instant, known = EVER): Print | undefined {
      const row = reader.get<Row>(atOrBefore, { ticker, at, known });
      return row && read(reader, row);
    },
    /** The prints of a ticker of a span. */
    select: (reader: Reader, ticker: string, from: Instant, until: Instant, known = EVER): Print[] =>
      readAll(reader, `${inSpan} AND ${isKnown} ORDER BY print.at`, { ticker, from, until, known }),
    /** The prints of a ticker of a span as the runs first recorded them, revisions left out. */
    selectFirst: (reader: Reader, ticker: string, from: Instant, until: Instant): Print[] =>
      readAll(reader, `${inSpan} AND revision = 0 ORDER BY print.at`, { ticker, from, until }),
  };
}

/**
 * The levels of an index, or the prices of a rate, from one instant to another, and the last before, as first
 * recorded: that is what an index of the same instant was made from.
 *
 * @param known leaves out what was recorded later
 */
export function listFirstValues(
  reader: Reader,
  { kind, ticker }: SeriesId,
  from: Instant,
  until: Instant,
  known = EVER,
): { at: Instant; value: number }[] {
  const { table, value } = PRINTS[kind];
  return reader.all(
    `SELECT at, ${value} AS value FROM (
       SELECT at, ${value}, min(revision) FROM ${table} WHERE ticker = @ticker AND at <= @until
         AND recorded_at <= @known AND at >= coalesce((
           SELECT max(at) FROM ${table} WHERE ticker = @ticker AND at < @from AND recorded_at <= @known), 0)
       GROUP BY at)
     ORDER BY at`,
    { ticker, from, until, known },
  );
}

/**
 * The levels of an index, or the prices of a rate, from one instant to another, both included, in time order: of each
 * instant the newest revision. Nothing else of a print is read, so that a long series costs a tenth of its prints.
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

/**
 * The levels or prices of the last closes of an index or rate whose day was over before a day, in order. What else was
 * printed is not read.
 */
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
 * What the prints of instants up to one are known by, revisions too: as long as it is the same so are they, in whichever
 * store. It is the hash, in hex, of the one recorded last, which covers those recorded before, and the last instant: of
 * two days the same may have been recorded last, an earlier one's restatement. Undefined without a print.
 */
export function findPrintsDigest(
  reader: Reader,
  kind: SeriesKind,
  ticker: string,
  until: Instant,
): string | undefined {
  const { table } = PRINTS[kind];
  // The plus has it walk back from the newest, past those of later instants alone.
  const sql = `SELECT lower(hex(hash)) FROM ${table} WHERE ticker = ? AND +at <= ? ORDER BY print_id DESC LIMIT 1`;
  const hash = reader.value<string>(sql, ticker, until);
  const last = reader.value<Instant>(
    `SELECT max(at) FROM ${table} WHERE ticker = ? AND at <= ?`,
    ticker,
    until,
  );
  return last === undefined ? undefined : `${hash} ${formatInstant(last)}`;
}

/** Prints of a ticker that were made by one version of the methodology. */
export interface PrintsOfVersion {
  methodology_version: string;
  prints: number;
  /** When the last of them was recorded. */
  last_recorded_at: Instant;
}

/** The versions of the methodology that made the prints of a ticker, revisions among them. */
export function listPrintVersions(reader: Reader, kind: SeriesKind, ticker: string): PrintsOfVersion[] {
  const sql = `SELECT methodology_version, count(*) AS prints, max(recorded_at) AS last_recorded_at
    FROM ${PRINTS[kind].table} WHERE ticker = ? GROUP BY methodology_version ORDER BY methodology_version`;
  return reader.all(sql, ticker);
}
