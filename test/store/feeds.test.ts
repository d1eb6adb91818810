import { describe, expect, it } from 'vitest';
import { forgetFeeds, listFeeds, upsertFeed } from '../../src/store/feeds.ts';
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

  it('count the tries of a day and the good ones, and are forgotten once they were not tried', () => {
    const store = openStore(':memory:');
    const note = (tried_at: number, day: string, condition: 'good' | 'failed') =>
      store.write((writer) => {
        const cost = { requests: 1, bytes: 1, seconds: 1, day };
        const rows = { rows_read: 1, rows_left_out: 0 };
        upsertFeed(writer, { feed: 'f', tried_at, condition, message: null, ...rows, ...cost });
        return listFeeds(writer).map(({ tries_of_day, good_of_day }) => [tries_of_day, good_of_day])[0];
      });
    expect([
      note(1, '1970-01-01', 'good'),
      note(2, '1970-01-01', 'failed'),
      note(3, '1970-01-01', 'good'),
      note(4, '1970-01-02', 'failed'),
    ]).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [1, 0],
    ]);
    const left = (before: number) =>
      store.write((writer) => {
        forgetFeeds(writer, before);
        return listFeeds(writer).length;
      });
    expect([left(4), left(5)]).toEqual([1, 0]);
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
