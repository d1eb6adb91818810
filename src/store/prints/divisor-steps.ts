import type { DivisorStep } from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { parseTexts } from '../read-record.ts';
import { linkRecord } from '../record-links.ts';
import type { Reader, Value, Writer } from '../store.ts';
import { EVER } from './known-prints.ts';

/** Adds a line to the continuity ledger of an index. @param recalculationId 0 for the first calculation */
export function insertDivisorStep(
  writer: Writer,
  ticker: string,
  step: DivisorStep,
  recalculationId = 0,
): void {
  const { key } = writer.run(
    `INSERT INTO divisor_steps (ticker, at, reason, market_ids, level_before, level_after, divisor_before,
       divisor_after, recalculation_id)
     VALUES (@ticker, @at, @reason, @market_ids, @level_before, @level_after, @divisor_before,
       @divisor_after, @recalculation_id)`,
    { ...step, ticker, market_ids: JSON.stringify(step.market_ids), recalculation_id: recalculationId },
  );
  linkRecord(writer, 'step', key);
}

/**
 * The continuity ledger of an index, oldest first; recalculated spans have only the lines of the last recalculation.
 */
export function listDivisorSteps(reader: Reader, ticker: string, from = 0, until = EVER): DivisorStep[] {
  const standing = 'standing_divisor_steps WHERE ticker = @ticker AND at BETWEEN @from AND @until';
  return selectSteps(reader, standing, { ticker, from, until });
}

// As known at an instant: without the lines of later recalculations, or those that one known by then has replaced.
const KNOWN_STEPS = `divisor_steps AS step
  WHERE ticker = @ticker AND at <= @until AND NOT EXISTS (
    SELECT 1 FROM recalculations AS done WHERE done.kind = 'index' AND done.ticker = @ticker
      AND iif(done.recorded_at > @known,
        done.recalculation_id = step.recalculation_id,
        done.recalculation_id > step.recalculation_id AND step.at BETWEEN done.from_at AND done.until_at))`;

/** The continuity ledger of an index up to an instant, as known at another instant, oldest first. */
export function listKnownSteps(
  reader: Reader,
  ticker: string,
  until: Instant,
  known: Instant,
): DivisorStep[] {
  return selectSteps(reader, KNOWN_STEPS, { ticker, until, known });
}

/** Whether any step ever moved the level of an index, be it in the last digits. */
export function hasMovingSteps(reader: Reader, ticker: string): boolean {
  const sql = 'SELECT 1 FROM divisor_steps WHERE ticker = ? AND level_before <> level_after LIMIT 1';
  return reader.value(sql, ticker) !== undefined;
}

/**
 * Since when an index has prints that count, as known at an instant: earlier ones remain from before a restatement by
 * which it begins later. Undefined if it has no beginning.
 */
export function findBeginning(reader: Reader, ticker: string, known: Instant): Instant | undefined {
  const sql = `SELECT min(at) FROM ${KNOWN_STEPS} AND reason = 'base'`;
  return reader.value(sql, { ticker, until: EVER, known });
}

/**
 * The start of the series that an index is in at an instant: a live team index starts a new series at each
 * reconstitution, and levels are not compared across series. Undefined before the first print.
 */
export function findSeriesStart(reader: Reader, ticker: string, at: Instant): Instant | undefined {
  const sql = `SELECT max(at) FROM standing_divisor_steps
    WHERE ticker = ? AND at <= ? AND reason = 'base'`;
  return reader.value(sql, ticker, at);
}

type StepRow = Omit<DivisorStep, 'market_ids'> & { market_ids: string };

function selectSteps(
  reader: Reader,
  from: string,
  values: { ticker: string } & Record<string, Value>,
): DivisorStep[] {
  const rows = reader.all<StepRow>(
    `SELECT at, reason, market_ids, level_before, level_after, divisor_before, divisor_after
     FROM ${from} ORDER BY at, step_id`,
    values,
  );
  const nameOf = ({ at }: StepRow) => `the ledger of ${values.ticker} at ${formatInstant(at)}`;
  return rows.map((row) => ({ ...row, market_ids: parseTexts(row.market_ids, nameOf(row)) }));
}
