import { expect, it } from 'vitest';
import { insertFetch } from '../../src/store/payloads.ts';
import { findLastEnd, finishRun, forgetSummaries, insertRun, listRuns } from '../../src/store/runs.ts';
import { openStore, type Writer } from '../../src/store/store.ts';

/** Some kilobytes, as in the report of a run on all its feeds. */
const summary = { feeds: 'of each what it cost. '.repeat(300) };

it('the space of old run reports is reused, and the runs themselves stay listed', () => {
  const store = openStore(':memory:');
  const oneRun = (writer: Writer, at: number) => {
    forgetSummaries(writer, at - 10);
    const run_id = insertRun(writer, 'run', at);
    const answer = { run_id, feed: 'venue_a/events', request: 'GET /', observed_at: at };
    insertFetch(writer, { ...answer, body: Buffer.from('{}') });
    finishRun(writer, run_id, at, 'complete', summary);
  };
  const pages = () => store.read((reader) => reader.value<number>('PRAGMA page_count') as number);
  for (let at = 1; at <= 50; at++) store.write((writer) => oneRun(writer, at));
  const before = pages();
  for (let at = 51; at <= 250; at++) store.write((writer) => oneRun(writer, at));
  expect(pages() - before).toBeLessThan(20);
  const runs = store.read((reader) => listRuns(reader, 1000));
  expect(runs).toHaveLength(250);
  expect(runs.every((each) => each.outcome === 'complete' && each.finished_at === each.run_id)).toBe(true);
  expect(runs.filter((each) => each.summary !== null).map((each) => each.run_id)).toEqual(
    Array.from({ length: 11 }, (_none, i) => 250 - i),
  );
});

it('the last end is that of the newest run that did not fail and had begun by then', () => {
  const store = openStore(':memory:');
  const lastEnd = (until: number) => store.read((reader) => findLastEnd(reader, until));
  expect(lastEnd(100)).toBeUndefined();
  store.write((writer) => {
    for (const [at, outcome] of [
      [10, 'complete'],
      [20, 'partial'],
      [30, 'failed'],
    ] as const)
      finishRun(writer, insertRun(writer, 'run', at - 5), at, outcome, {});
    insertRun(writer, 'run', 35);
  });
  expect([100, 19, 15, 14, 5, 4].map(lastEnd)).toEqual([20, 20, 20, 10, 10, undefined]);
});
