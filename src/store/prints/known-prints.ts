import type { SeriesKind } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';

/** Leaves nothing out. */
export const EVER: Instant = Number.MAX_SAFE_INTEGER;

/** A condition in SQL: the row called `print` is the newest revision of its instant that was known at `@known`. */
export function isNewestKnown(table: 'index_prints' | 'rate_prints'): string {
  return `print.recorded_at <= @known AND NOT EXISTS (
    SELECT 1 FROM ${table} AS newer WHERE newer.ticker = print.ticker AND newer.at = print.at
      AND newer.revision > print.revision AND newer.recorded_at <= @known)`;
}

/** Where the prints of each kind lie, and the column of their values. */
export const PRINTS = {
  index: { table: 'index_prints', value: 'level' },
  rate: { table: 'rate_prints', value: 'price' },
} as const satisfies Record<SeriesKind, object>;

/**
 * The levels of an index, or the prices of a rate, from one instant to another, and the last before, as first
 * recorded: that is what an index of the same instant was made from.
 *
 * @param known leaves out what was recorded later
 */
export function listFirstValues(
  reader: Reader,
  { kind, ticker }: { kind: SeriesKind; ticker: string },
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
 * The hash, in hex, of the print recorded last among those of instants up to one, revisions too. It covers those
 * recorded before: as long as it is the same, so is all that was printed until then, in whichever store. Undefined
 * without a print.
 */
export function findLastPrintHash(
  reader: Reader,
  kind: SeriesKind,
  ticker: string,
  until: Instant,
): string | undefined {
  const { table } = PRINTS[kind];
  const sql = `SELECT lower(hex(hash)) FROM ${table}
    WHERE print_id = (SELECT max(print_id) FROM ${table} WHERE ticker = ? AND at <= ?)`;
  return reader.value(sql, ticker, until);
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
