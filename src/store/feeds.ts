import type { EasternDay, Instant } from '../model/units.ts';
import type { Reader, Writer } from './store.ts';

/** How a feed did when it was last asked. */
export interface FeedRow {
  feed: string;
  tried_at: Instant;
  /** The last time it answered whole. */
  good_at: Instant | null;
  condition: 'good' | 'partial' | 'failed';
  message: string | null;
  rows_read: number;
  rows_left_out: number;
  /** What it cost. */
  requests: number;
  bytes: number;
  seconds: number;
  /** The US Eastern day of the last try, with its tries and the good ones among them. */
  day: EasternDay | null;
  tries_of_day: number;
  good_of_day: number;
}

/** Notes how a feed did. Its last good time stays when it did not answer whole. */
export function upsertFeed(
  writer: Writer,
  feed: Omit<FeedRow, 'good_at' | 'tries_of_day' | 'good_of_day'>,
): void {
  writer.run(
    `INSERT INTO feeds (feed, tried_at, good_at, condition, message, rows_read, rows_left_out,
       requests, bytes, seconds, day, tries_of_day, good_of_day)
     VALUES (@feed, @tried_at, iif(@condition = 'good', @tried_at, NULL), @condition, @message, @rows_read,
       @rows_left_out, @requests, @bytes, @seconds, @day, 1, @condition = 'good')
     ON CONFLICT (feed) DO UPDATE SET
       tried_at = excluded.tried_at, good_at = coalesce(excluded.good_at, good_at), condition = excluded.condition,
       message = excluded.message, rows_read = excluded.rows_read, rows_left_out = excluded.rows_left_out,
       requests = excluded.requests, bytes = excluded.bytes, seconds = excluded.seconds, day = excluded.day,
       tries_of_day = iif(day = excluded.day, tries_of_day, 0) + 1,
       good_of_day = iif(day = excluded.day, good_of_day, 0) + excluded.good_of_day`,
    { ...feed },
  );
}

/** When a feed was last asked; undefined where it never was. */
export function findFeedTriedAt(reader: Reader, feed: string): Instant | undefined {
  return reader.value('SELECT tried_at FROM feeds WHERE feed = ?', feed);
}

/** Forgets how feeds did that were not asked since an instant: the settings ask for them no longer. */
export function forgetFeeds(writer: Writer, before: Instant): void {
  writer.run('DELETE FROM feeds WHERE tried_at < ?', before);
}

/** All feeds, by name. */
export function listFeeds(reader: Reader): FeedRow[] {
  return reader.all('SELECT * FROM feeds ORDER BY feed');
}

/** A row of an answer that was left out, and why. */
export interface RejectRow {
  fetch_id: number;
  feed: string;
  /** Place in the page, from 0. */
  position: number;
  native_id: string | null;
  path: string;
  reason: string;
}

/** Notes a row that was left out. */
export function insertReject(writer: Writer, reject: RejectRow): void {
  writer.run(
    `INSERT INTO rejects (fetch_id, feed, position, native_id, path, reason)
     VALUES (@fetch_id, @feed, @position, @native_id, @path, @reason)`,
    { ...reject },
  );
}

/** Why rows of a feed were left out, with the first of them. */
export interface RejectReason {
  feed: string;
  rows: number;
  position: number;
  native_id: string | null;
  reason: string;
}

/** Why a run left rows out, by feed, the most frequent first; the offending value is no part of a reason. */
export function countRejects(reader: Reader, runId: number): RejectReason[] {
  return reader.all(
    `SELECT rejects.feed, count(*) AS rows, position, native_id, reason
     FROM rejects JOIN fetches USING (fetch_id) WHERE run_id = ?
     GROUP BY rejects.feed, substr(reason, 1, instr(reason || ', got ', ', got '))
     ORDER BY rejects.feed, rows DESC, min(reject_id)`,
    runId,
  );
}

/** The rows that a run left out, in order. */
export function listRejects(reader: Reader, runId: number, limit: number): RejectRow[] {
  return reader.all(
    `SELECT rejects.* FROM rejects JOIN fetches USING (fetch_id) WHERE run_id = ? ORDER BY reject_id LIMIT ?`,
    runId,
    limit,
  );
}
