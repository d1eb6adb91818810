import { describe, expect, it } from 'vitest';
import { listFeeds, upsertFeed } from '../../src/store/feeds.ts';
import { finishRun, insertRun, listRuns } from '../../src/store/runs.ts';
import { openStore } from '../../src/store/store.ts';

describe('feeds', () => {
  it('have the time of their last complete answer; a partial or failed one leaves it', () => {
    const store = openStore(':memory:');
    const note = (tried_at: number, condition: 'good' | 'partial' | 'failed') =>
      store.write((writer) => {
        const cost = { requests: 1, bytes: 1, seconds: 1, day: '1970-01-01' };
        const rows = { rows_read: 1, rows_left_out: 0 };
        upsertFeed(writer, { feed: 'f', tried_at, condition, message: null, ...rows, ...cost });
        return listFeeds(writer)[0]?.good_at;
      });
    expect([
      note(1, 'partial'),
      note(2, 'good'),
      note(3, 'partial'),
      note(4, 'failed'),
      note(5, 'good'),
    ]).toEqual([null, 2, 2, 2, 5]);
  });

  it('show how a run ended', () => {
    const store = openStore(':memory:');
    store.write((writer) => {
      finishRun(writer, insertRun(writer, 'ingest', 1), 9, 'complete', { ok: true });
      expect(listRuns(writer, 5)).toMatchObject([
        { started_at: 1, finished_at: 9, outcome: 'complete', summary: '{"ok":true}' },
      ]);
    });
  });
});
