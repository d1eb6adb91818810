import type { SeriesId } from '../model/constituent-id.ts';
import type { Instant } from '../model/units.ts';
import { PRINTS } from './prints/known-prints.ts';
import { linkRecord } from './record-links.ts';
import type { Reader, Writer } from './store.ts';

export type RestatementReason = 'half_cent_replaced' | 'late_settlement' | 'revised_price' | 'backfill';

/** A restated print. The values are levels of an index, or fractions for a rate. */
export interface Restatement {
  at: Instant;
  revision: number;
  old_value: number;
  new_value: number;
  reason: RestatementReason;
  recorded_at: Instant;
}

/** Records that a print has a newer revision, and why. */
export function insertRestatement(writer: Writer, { kind, ticker }: SeriesId, restated: Restatement): void {
  writer.run(
    `INSERT INTO restatements (kind, ticker, at, revision, old_value, new_value, reason, recorded_at)
     VALUES (@kind, @ticker, @at, @revision, @old_value, @new_value, @reason, @recorded_at)`,
    { ...restated, kind, ticker },
  );
}

/** A restatement beside the print that it replaces. */
export interface ListedRestatement extends Restatement {
  /** The revision that was replaced; null where there was no print, and the old value is what the series stood at. */
  replaces: number | null;
}

/** The restatements of the prints in a span, both ends included: by instant, then by revision. */
export function eachRestatement(
  reader: Reader,
  { kind, ticker }: SeriesId,
  from: Instant,
  until: Instant,
): Iterable<ListedRestatement> {
  const { table } = PRINTS[kind];
  return reader.iterate(
    `SELECT at, revision, (
       SELECT max(print.revision) FROM ${table} AS print
       WHERE print.ticker = said.ticker AND print.at = said.at AND print.revision < said.revision) AS replaces,
       old_value, new_value, reason, recorded_at
     FROM restatements AS said WHERE kind = ? AND ticker = ? AND at BETWEEN ? AND ? ORDER BY at, revision`,
    kind,
    ticker,
    from,
    until,
  );
}

/** The restatements of the print at an instant, oldest first. */
export function listRestatements(reader: Reader, series: SeriesId, at: Instant): ListedRestatement[] {
  return [...eachRestatement(reader, series, at, at)];
}

/** The recalculation of a span of a series. */
export interface Recalculation extends SeriesId {
  from_at: Instant;
  until_at: Instant;
  /** The recalculation also prints at the multiples of this interval, up to `grid_until`. */
  every_minutes: number | null;
  grid_until: Instant | null;
  reason: Exclude<RestatementReason, 'half_cent_replaced'>;
  /** Also the vintage: only what was known at this instant is used. */
  recorded_at: Instant;
}

/** Records a recalculation. @returns its id, greater than those of all before it */
export function insertRecalculation(writer: Writer, recalculation: Recalculation): number {
  const { key } = writer.run(
    `INSERT INTO recalculations
       (kind, ticker, from_at, until_at, every_minutes, grid_until, reason, recorded_at)
     VALUES (@kind, @ticker, @from_at, @until_at, @every_minutes, @grid_until, @reason, @recorded_at)`,
    { ...recalculation },
  );
  linkRecord(writer, 'recalculation', key);
  return key;
}

/** The recalculations of a series, oldest first. */
export function listRecalculations(reader: Reader, { kind, ticker }: SeriesId): Recalculation[] {
  return reader.all(
    `SELECT kind, ticker, from_at, until_at, every_minutes, grid_until, reason, recorded_at
     FROM recalculations WHERE kind = ? AND ticker = ? ORDER BY recalculation_id`,
    kind,
    ticker,
  );
}

/** The instant of the last run that calculated or recalculated anything; undefined when none did. */
export function findLastCalculation(reader: Reader): Instant | undefined {
  // The newest recalculation is also the last by its instant. This is asked for each batch of prices.
  const sql = `SELECT max(at) FROM (
    SELECT max(calculated_at) AS at FROM calculations UNION ALL
    SELECT * FROM (SELECT recorded_at FROM recalculations ORDER BY recalculation_id DESC LIMIT 1))`;
  return reader.value(sql);
}

/**
 * The instant to record something under now: later than every calculation and recalculation so far, which were made
 * without it, also when one of them was made at this same instant.
 */
export function recordingInstant(reader: Reader, now: Instant): Instant {
  return Math.max(now, (findLastCalculation(reader) ?? Number.NEGATIVE_INFINITY) + 1);
}

/** An input that prints should have used. */
export interface LateInput {
  market_id: string;
  /** The first instant whose prints should have used it. */
  valid_at: Instant;
  reason: 'late_settlement' | 'revised_price';
}

/** Records an input that arrived or changed late. It is ignored if nothing was calculated at or after `validAt`. */
export function noteLateInput(
  writer: Writer,
  marketKey: number,
  validAt: Instant,
  reason: LateInput['reason'],
): void {
  writer.run(
    `INSERT INTO late_inputs (market_key, valid_at, reason)
     SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM calculations WHERE calculated_at >= ?)`,
    marketKey,
    validAt,
    reason,
    validAt,
  );
}

/** Returns the late inputs that no run has handled yet, and deletes them. */
export function takeLateInputs(writer: Writer): LateInput[] {
  const inputs = writer.all<LateInput>(
    `SELECT market_id, valid_at, reason FROM late_inputs JOIN market_names USING (market_key)
     ORDER BY late_input_id`,
  );
  writer.run('DELETE FROM late_inputs');
  return inputs;
}

/** A series to be restated from an instant on, because inputs arrived or changed late. */
export interface LateSeries extends SeriesId {
  from_at: Instant;
  reason: LateInput['reason'];
}

/** Records that a series is to be restated. */
export function noteLateSeries(writer: Writer, late: LateSeries): void {
  const sql = `INSERT INTO late_series (kind, ticker, from_at, reason) VALUES (@kind, @ticker, @from_at, @reason)`;
  writer.run(sql, { ...late });
}

/** The series that are still to be restated. */
export function listLateSeries(reader: Reader): LateSeries[] {
  return reader.all('SELECT kind, ticker, from_at, reason FROM late_series');
}

/** Deletes the entries of a series that was restated, or will not be. */
export function dropLateSeries(writer: Writer, { kind, ticker }: SeriesId): void {
  writer.run('DELETE FROM late_series WHERE kind = ? AND ticker = ?', kind, ticker);
}
