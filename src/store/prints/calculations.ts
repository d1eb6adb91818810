import type { SeriesId } from '../../model/constituent-id.ts';
import { ForemarkError } from '../../model/errors.ts';
import { greatestOf } from '../../model/extremes.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { findLastFetch } from '../payloads.ts';
import { linkRecord } from '../record-links.ts';
import type { Reader, Writer } from '../store.ts';

/** The record of which run calculated what. */

/** A run that did not calculate a series up to its own instant: it was interrupted, or the calculation failed. */
export interface UnfinishedCalculation {
  calculated_at: Instant;
  /** The last instant calculated so far; null if none. */
  reached_at: Instant | null;
}

/** Records that a run calculated up to its instant. */
export function insertCalculation(writer: Writer, at: Instant): void {
  const sql = 'INSERT INTO calculations (calculated_at) VALUES (?) ON CONFLICT DO NOTHING';
  if (writer.run(sql, at).changes > 0) linkRecord(writer, 'run', at);
}

/** The instants of the runs that calculated, from one on, in order. */
export function* eachCalculation(reader: Reader, from: Instant): Generator<Instant> {
  const sql = 'SELECT calculated_at FROM calculations WHERE calculated_at >= ? ORDER BY calculated_at';
  for (const row of reader.iterate<{ calculated_at: Instant }>(sql, from)) yield row.calculated_at;
}

/** The runs that calculated before an instant, back to another one, the last first. */
export function* eachCalculationBefore(reader: Reader, before: Instant, from: Instant): Generator<Instant> {
  const sql = `SELECT calculated_at FROM calculations WHERE calculated_at < ? AND calculated_at >= ?
    ORDER BY calculated_at DESC`;
  for (const row of reader.iterate<{ calculated_at: Instant }>(sql, before, from)) yield row.calculated_at;
}

/** The instant of the last run that calculated; undefined before the first. */
export function findLastRun(reader: Reader): Instant | undefined {
  return reader.value('SELECT max(calculated_at) FROM calculations');
}

/** The instant of the last ingest or calculation; undefined before the first. */
export function findLastInstant(reader: Reader): Instant | undefined {
  return greatestOf([findLastRun(reader), findLastFetch(reader)?.observed_at]);
}

/**
 * Refuses to run at an earlier instant than the store's last ingest or calculation. Otherwise new records would count
 * as known earlier than they were, and a calculation would use later observations.
 *
 * @throws ForemarkError invalid_configuration when `now` is before it
 */
export function refuseEarlier(reader: Reader, now: Instant): void {
  const last = findLastInstant(reader) ?? now;
  if (now < last)
    throw new ForemarkError(
      'invalid_configuration',
      `now must not be before the last run into this store, at ${formatInstant(last)}, got ${formatInstant(now)}`,
    );
}

/** Records that a run did not calculate a series up to its own instant. */
export function insertUnfinished(
  writer: Writer,
  { kind, ticker }: SeriesId,
  { calculated_at, reached_at }: UnfinishedCalculation,
): void {
  const { key: id } = writer.run(
    'INSERT INTO unfinished_calculations (kind, ticker, calculated_at, reached_at) VALUES (?, ?, ?, ?)',
    kind,
    ticker,
    calculated_at,
    reached_at,
  );
  linkRecord(writer, 'unfinished', id);
}

/** The runs that did not calculate a series up to their own instant, in order. */
export function listUnfinished(reader: Reader, { kind, ticker }: SeriesId): UnfinishedCalculation[] {
  return reader.all(
    `SELECT calculated_at, reached_at FROM unfinished_calculations WHERE kind = ? AND ticker = ?
     ORDER BY calculated_at`,
    kind,
    ticker,
  );
}
