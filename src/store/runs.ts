import type { Instant } from '../model/units.ts';
import { makeListIndexes } from './catalog/list-indexes.ts';
import type { Reader, Writer } from './store.ts';

/** A run of a command that writes to the store. */
export interface RunRow {
  run_id: number;
  command: string;
  pid: number;
  started_at: Instant;
  finished_at: Instant | null;
  /** complete, partial (something was left out or failed), or failed; null while running or when killed. */
  outcome: 'complete' | 'partial' | 'failed' | null;
  /** Its summary as JSON; null while running, when killed, and once it was deleted. */
  summary: string | null;
}

/** Records the start of a run. @returns its id */
export function insertRun(writer: Writer, command: string, startedAt: Instant): number {
  const sql = 'INSERT INTO runs (command, pid, started_at) VALUES (?, ?, ?)';
  return writer.run(sql, command, process.pid, startedAt).key;
}

/** Records the end of a run. */
export function finishRun(
  writer: Writer,
  runId: number,
  finishedAt: Instant,
  outcome: NonNullable<RunRow['outcome']>,
  summary: object,
): void {
  writer.run('UPDATE runs SET finished_at = ?, outcome = ? WHERE run_id = ?', finishedAt, outcome, runId);
  writer.run('INSERT INTO run_summaries (run_id, summary) VALUES (?, ?)', runId, JSON.stringify(summary));
}

/** Summaries deleted in one run at most: a store that has kept everything until now shrinks over some days. */
const FORGOTTEN_A_RUN = 2000;

/** Deletes the oldest summaries of runs that started before an instant; the runs and their outcomes stay. */
export function forgetSummaries(writer: Writer, before: Instant): void {
  writer.run(
    `DELETE FROM run_summaries WHERE run_id IN
       (SELECT run_id FROM run_summaries JOIN runs USING (run_id) WHERE started_at < ? ORDER BY run_id LIMIT ?)`,
    before,
    FORGOTTEN_A_RUN,
  );
}

/** The newest runs, newest first; only those that started before an instant if one is given. */
export function listRuns(reader: Reader, limit: number, before = Number.MAX_SAFE_INTEGER): RunRow[] {
  return reader.all(
    `SELECT runs.*, summary FROM runs LEFT JOIN run_summaries USING (run_id) WHERE started_at < ?
     ORDER BY run_id DESC LIMIT ?`,
    before,
    limit,
  );
}

/**
 * When the first run of all started, which distinguishes a store and its copies from other stores; undefined before it.
 */
export function findFirstRun(reader: Reader): Instant | undefined {
  return reader.value('SELECT started_at FROM runs ORDER BY run_id LIMIT 1');
}

/** Whether a run of this store that began after one instant was under way, or was killed, at another. */
export function wasRunning(reader: Reader, after: Instant, at: Instant): boolean {
  const sql =
    'SELECT 1 FROM runs WHERE started_at > ? AND started_at <= ? AND (finished_at IS NULL OR finished_at >= ?)';
  return reader.get(sql, after, at, at) !== undefined;
}

/**
 * When the last run that did not fail ended, of those that began up to an instant; undefined if none did. Its end may be later,
 * if the clock that asks is a little behind.
 */
export function findLastEnd(reader: Reader, until: Instant): Instant | undefined {
  // From the newest on, since there are tens of thousands a year; each ends before the next begins.
  const sql = `SELECT finished_at FROM runs WHERE outcome <> 'failed' AND finished_at IS NOT NULL AND started_at <= ?
     ORDER BY run_id DESC LIMIT 1`;
  return reader.value(sql, until);
}

/** Whether the list catalog can be served or is being rebuilt. */
export function findCatalogState(reader: Reader): 'serving' | 'rebuilding' {
  return reader.value('SELECT state FROM catalog_state') ?? 'rebuilding';
}

/** Whether the catalog was ever filled. */
export function hasServedCatalog(reader: Reader): boolean {
  return reader.get('SELECT 1 FROM catalog_state WHERE since > 0') !== undefined;
}

/** Sets the state of the list catalog, and creates its indexes before it is served. */
export function setCatalogState(writer: Writer, state: 'serving' | 'rebuilding', since: Instant): void {
  if (state === 'serving') makeListIndexes(writer);
  writer.run('UPDATE catalog_state SET state = ?, since = ?', state, since);
}
