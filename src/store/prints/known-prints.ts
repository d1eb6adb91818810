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

const VALUES = {
  index: { table: 'index_prints', value: 'level' },
  rate: { table: 'rate_prints', value: 'price' },
} as const;

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
  const { table, value } = VALUES[kind];
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
