import { expect, it } from 'vitest';
import { Feed } from '../../src/ingest/feed.ts';
import type { Rejection } from '../../src/ingest/wire/wire-rows.ts';
import { insertRun } from '../../src/store/runs.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { NOW } from './run-ingest.ts';

/** What a feed says of a page with so many rows, some of them unreadable. */
function saidOf(read: number, unreadable: number, more: Partial<Rejection> = {}): string | null {
  const store = memoryStore();
  const runId = store.write((writer) => insertRun(writer, 'ingest', NOW));
  const feed = new Feed({ store, runId, now: NOW, progress: () => {} }, () => Promise.reject(), 'venue/page');
  const rejections = Array.from({ length: unreadable }, (_, position) => ({
    position,
    native_id: null,
    path: '',
    reason: 'odd',
    ...more,
  }));
  feed.keep({ request: 'GET /page', body: Buffer.from('{}'), json: {} }, { read, rejections });
  return feed.report.message;
}

it.each([
  [20, 10, false],
  [20, 11, true],
  [19, 14, false],
  [19, 15, true],
  [8, 6, false],
  [5, 4, true],
  [4, 4, false],
])(
  'of a page of %d rows, %d of them unreadable, a feed says that the format changed: %s',
  (read, unreadable, said) => {
    const message = `${unreadable} of ${read} rows could not be read; has the format changed?`;
    expect(saidOf(read, unreadable)).toBe(said ? message : null);
    expect(saidOf(read, unreadable, { expected: true })).toBeNull();
  },
);
