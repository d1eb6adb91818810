import type { SeriesId, SeriesKind } from '../model/constituent-id.ts';
import type { Instant } from '../model/units.ts';
import type { Reader, Writer } from './store.ts';

/** Why a print was restated. */
export type RestatementReason = 'half_cent_replaced' | 'late_settlement' | 'revised_price' | 'backfill';

/** What a restatement changed: levels of an index, fractions of a rate. */
export interface Restatement {
  at: Instant;
  revision: number;
  old_value: number;
  new_value: number;
  reason: RestatementReason;
  recorded_at: Instant;
}

/** Records that a newer revision stands beside a print, and why. */
export function insertRestatement(
  writer: Writer,
  kind: SeriesKind,
  ticker: string,
  restated: Restatement,
): void {
  writer.run(
    `INSERT INTO restatements (kind, ticker, at, revision, old_value, new_value, reason, recorded_at)
     VALUES (@kind, @ticker, @at, @revision, @old_value, @new_value, @reason, @recorded_at)`,
    { ...restated, kind, ticker },
  );
}

/** The restatements of the print of an instant, the first one first. */
export function listRestatements(
  reader: Reader,
  kind: SeriesKind,
  ticker: string,
  at: Instant,
): Restatement[] {
  return reader.all(
    `SELECT at, revision, old_value, new_value, reason, recorded_at FROM restatements
     WHERE kind = ? AND ticker = ? AND at = ? ORDER BY revision`,
    kind,
    ticker,
    at,
  );
}

/** A span of a series that is or was calculated once more. */
export interface Recalculation extends SeriesId {
  from_at: Instant;
  until_at: Instant;
  /** Also calculated at the whole steps of this interval, up to an instant. */
  every_minutes: number | null;
  grid_until: Instant | null;
  reason: Exclude<RestatementReason, 'half_cent_replaced'>;
  /** Also the vintage: only what was known at this instant entered. */
  recorded_at: Instant;
}

/** Records a recalculation. @returns its id; ids grow */
export function insertRecalculation(writer: Writer, recalculation: Recalculation): number {
  return writer.run(
    `INSERT INTO recalculations
       (kind, ticker, from_at, until_at, every_minutes, grid_until, reason, recorded_at)
     VALUES (@kind, @ticker, @from_at, @until_at, @every_minutes, @grid_until, @reason, @recorded_at)`,
    { ...recalculation },
  ).key;
}

/** The recalculations of a series in their order. */
export function listRecalculations(reader: Reader, kind: SeriesKind, ticker: string): Recalculation[] {
  return reader.all(
    `SELECT kind, ticker, from_at, until_at, every_minutes, grid_until, reason, recorded_at
     FROM recalculations WHERE kind = ? AND ticker = ? ORDER BY recalculation_id`,
    kind,
    ticker,
  );
}

/** The instant of the last run that calculated or recalculated anything; undefined when none did. */
export function findLastCalculation(reader: Reader): Instant | undefined {
  const sql = `SELECT max(at) FROM (
    SELECT max(calculated_at) AS at FROM calculations UNION ALL SELECT max(recorded_at) FROM recalculations)`;
  return reader.value(sql);
}

/** The instant under which something is recorded now: after every calculation before it. */
export function recordingInstant(reader: Reader, now: Instant): Instant {
  return Math.max(now, (findLastCalculation(reader) ?? Number.NEGATIVE_INFINITY) + 1);
}

/**
 * The instant since which an input is known that comes now: where a run is repeated at its own instant, what it calculated
 * the first time did not rest on it.
 */
export function knownSince(reader: Reader, now: Instant): Instant {
  const isCalculated = reader.get('SELECT 1 FROM calculations WHERE calculated_at = ?', now);
  return isCalculated ? recordingInstant(reader, now) : now;
}

/** An input that prints should have rested on. */
export interface LateInput {
  market_id: string;
  /** From this instant on. */
  valid_at: Instant;
  reason: 'late_settlement' | 'revised_price';
}

/** Notes an input that came or changed late; one that no calculation missed is passed over. */
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

/** Returns the late inputs that no run has dealt with, and clears them. */
export function takeLateInputs(writer: Writer): LateInput[] {
  const inputs = writer.all<LateInput>(
    `SELECT market_id, valid_at, reason FROM late_inputs JOIN market_names USING (market_key)
     ORDER BY late_input_id`,
  );
  writer.run('DELETE FROM late_inputs');
  return inputs;
}

/** A series that is to be restated from an instant on, because of inputs that came or changed late. */
export interface LateSeries extends SeriesId {
  from_at: Instant;
  reason: LateInput['reason'];
}

/** Notes that a series is to be restated. */
export function noteLateSeries(writer: Writer, late: LateSeries): void {
  const sql = `INSERT INTO late_series (kind, ticker, from_at, reason) VALUES (@kind, @ticker, @from_at, @reason)`;
  writer.run(sql, { ...late });
}

/** The series that are still to be restated. */
export function listLateSeries(reader: Reader): LateSeries[] {
  return reader.all('SELECT kind, ticker, from_at, reason FROM late_series ORDER BY kind, ticker');
}

/** Notes that a series was restated, or will not be. */
export function dropLateSeries(writer: Writer, { kind, ticker }: SeriesId): void {
  writer.run('DELETE FROM late_series WHERE kind = ? AND ticker = ?', kind, ticker);
}
