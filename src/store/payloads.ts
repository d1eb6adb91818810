import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../model/units.ts';
import type { Reader, Store, Writer } from './store.ts';

/**
 * Stores the raw body of an answer, compressed, so that it can be parsed again. Equal bodies are stored once.
 *
 * @returns the key of the fetch
 */
export function insertFetch(
  writer: Writer,
  fetched: { run_id: number; feed: string; request: string; observed_at: Instant; body: Buffer },
): number {
  const digest = hash('sha256', fetched.body, 'buffer');
  const known = writer.get('SELECT 1 FROM payloads WHERE digest = ?', digest) !== undefined;
  if (!known)
    writer.run(
      'INSERT INTO payloads (digest, bytes, body) VALUES (?, ?, ?)',
      digest,
      fetched.body.byteLength,
      zstdCompressSync(fetched.body),
    );
  return writer.run(
    'INSERT INTO fetches (run_id, feed, request, observed_at, digest) VALUES (?, ?, ?, ?, ?)',
    fetched.run_id,
    fetched.feed,
    fetched.request,
    fetched.observed_at,
    digest,
  ).key;
}

/** The raw body of an answer, by its SHA-256; undefined when it is not stored any more. */
export function findPayload(reader: Reader, digest: Buffer): Buffer | undefined {
  const body = reader.value<Buffer>('SELECT body FROM payloads WHERE digest = ?', digest);
  return body && zstdDecompressSync(body);
}

/** The run and the instant of the last fetch; undefined before the first. */
export function findLastFetch(reader: Reader): { run_id: number; observed_at: Instant } | undefined {
  return reader.get('SELECT run_id, observed_at FROM fetches ORDER BY fetch_id DESC LIMIT 1');
}

/** Answers deleted in one transaction. */
const BATCH = 100;
/** Answers that any run may delete: a store that has kept everything until now shrinks over some days. */
const MOST = 2000;

/**
 * Deletes the raw answers from before an instant, with their rejected rows: the oldest first, at most some thousands a
 * run or twice what the last run fetched, and none of the last run that fetched anything. Attachments stay, and so does
 * the data that was parsed from the answers.
 *
 * @returns the number of deleted answers
 */
export function forgetAnswers(store: Store, before: Instant): number {
  // Where each run fetches more than that, they would pile up.
  const most = Math.max(MOST, 2 * store.read(countLastFetches));
  let forgotten = 0;
  while (forgotten < most) {
    const removed = store.write((writer) => removeOldest(writer, before));
    forgotten += removed;
    if (removed < BATCH) break;
  }
  return forgotten;
}

/** How many answers were fetched by the last run that fetched any; no other rows are read. */
function countLastFetches(reader: Reader): number {
  const last = findLastFetch(reader);
  if (last === undefined) return 0;
  const before = reader.value<number>(
    'SELECT fetch_id FROM fetches WHERE run_id <> ? ORDER BY fetch_id DESC LIMIT 1',
    last.run_id,
  );
  return reader.value<number>('SELECT count(*) FROM fetches WHERE fetch_id > ?', before ?? 0) ?? 0;
}

function removeOldest(writer: Writer, before: Instant): number {
  const last = findLastFetch(writer);
  const oldest = writer.all<{ fetch_id: number; observed_at: Instant; digest: string }>(
    'SELECT fetch_id, observed_at, hex(digest) AS digest FROM fetches ORDER BY fetch_id LIMIT ?',
    BATCH,
  );
  const old = oldest.filter((each) => each.observed_at < Math.min(before, last?.observed_at ?? before));
  if (old.length === 0) return 0;
  const ids = JSON.stringify(old.map((each) => each.fetch_id));
  writer.run('DELETE FROM rejects WHERE fetch_id IN (SELECT value FROM json_each(?))', ids);
  writer.run('DELETE FROM fetches WHERE fetch_id IN (SELECT value FROM json_each(?))', ids);
  writer.run(
    `DELETE FROM payloads WHERE digest IN (SELECT unhex(value) FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM fetches WHERE fetches.digest = payloads.digest)
       AND NOT EXISTS (SELECT 1 FROM filing_documents WHERE filing_documents.digest = payloads.digest)`,
    JSON.stringify(old.map((each) => each.digest)),
  );
  return old.length;
}
