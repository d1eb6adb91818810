import { describe, expect, it } from 'vitest';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { insertReject, upsertFeed } from '../../src/store/feeds.ts';
import { noteLateHistory } from '../../src/store/late-history.ts';
import { insertFetch } from '../../src/store/payloads.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { type Row, rows } from '../helpers/small-app.ts';
import { IDS, NOW, put } from '../helpers/small-store.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('status', () => {
  it('names the backfill for late prices, as a run does, until it has been made', async () => {
    workspace.small.store.write((writer) => noteLateHistory(writer, NOW - 3_600_000, NOW));
    const line =
      /^late +prices arrived for hours that had already been calculated: backfill --from 2026-04-15T11:00:00Z restates them$/m;
    for (const command of ['status', 'ingest']) expect((await workspace.run(command)).out).toMatch(line);
    expect((await workspace.run('backfill', '--from', '2026-04-15T11:00:00Z')).code).toBe(0);
    for (const command of ['status', 'ingest'])
      expect((await workspace.run(command)).out).not.toMatch(/^late/m);
  });

  it('says which contracts have been determined without an outcome, once that is for more than 7 days', async () => {
    const { store } = workspace.small;
    const see = (
      id: string,
      status: CatalogMarket['status'],
      day: number,
      more: Partial<CatalogMarket> = {},
    ) => put(store, { market_id: `venue_a:${id}`, status, ...more }, NOW + day * DAY_MS);
    const at = (days: number) => ['--now', formatInstant(NOW + days * DAY_MS)];
    const awaited = async (days: number) =>
      JSON.parse((await workspace.run(...at(days), '--json', 'status')).out).awaited_outcomes;
    see('LATE-3', 'determined', 0);
    see('LATE-1', 'active', 0);
    see('LATE-1', 'determined', 1);
    // It traded again in between, so that it waits since then.
    see('LATE-1', 'active', 2);
    see('LATE-1', 'determined', 3);
    see('OPEN-1', 'closed', 1);
    see('LATE-2', 'determined', 2);
    // Its venue has another word for it now, and still no outcome.
    see('LATE-2', 'determined', 5, { venue_status: 'finalized', closes_at: NOW });
    see('LATE-3', 'settled', 6, { payout: 1 });
    expect(await awaited(9 - 1 / DAY_MS)).toBeNull();
    const first = { market_id: 'venue_a:LATE-2', since: formatInstant(NOW + 2 * DAY_MS) };
    expect(await awaited(9)).toEqual({ markets: 1, ...first });
    expect(await awaited(10 - 1 / DAY_MS)).toEqual({ markets: 1, ...first });
    expect(await awaited(10)).toEqual({ markets: 2, ...first });
    expect((await workspace.run(...at(8), 'status')).out).not.toMatch(/^outcome/m);
    expect((await workspace.run(...at(9), 'status')).out).toMatch(
      /^outcome {3}venue_a:LATE-2 has been determined without an outcome for more than 7 days, since 2026-04-17T12:00:00Z$/m,
    );
    expect((await workspace.run(...at(10), 'status')).out).toMatch(
      /^outcome {3}2 contracts have been determined without an outcome for more than 7 days, the first venue_a:LATE-2 since 2026-04-17T12:00:00Z$/m,
    );
  });

  it('says which named markets have other terms, each with what has changed and when', async () => {
    const { store } = workspace.small;
    const see = (id: string, question: string, rules: string) =>
      put(store, { market_id: id, question, description: rules, closes_at: NOW + DAY_MS }, NOW);
    const rules =
      'The market pays if the average of one minute before noon is above 100 dollars, else it does not.';
    for (const id of [IDS.steady, 'venue_a:UNNAMED']) see(id, 'Steady above 100?', rules);
    await workspace.run('ingest');
    expect((await workspace.run('status')).out).not.toMatch(/^terms/m);
    for (const id of [IDS.steady, 'venue_a:UNNAMED'])
      see(id, 'Steady above 110?', rules.replace('above 100 dollars', 'at 110 dollars or more'));
    await workspace.run('ingest');
    const { out, code } = await workspace.run('status');
    expect(code).toBe(0);
    expect(out.match(/^terms.*$/gm)).toEqual([
      `terms     ${IDS.steady} has other terms since 2026-04-15T12:00:00Z: ` +
        'question "Steady above 100?" -> "Steady above 110?"; ' +
        'rules "… before noon is above 100 dollars, else it does …" -> "… before noon is at 110 dollars or more, else it does …"',
    ]);
    expect((await workspace.json('status')).changed_terms).toMatchObject([
      {
        market_id: IDS.steady,
        changed_at: '2026-04-15T12:00:00Z',
        changed: [{ term: 'question' }, { before: rules }],
      },
    ]);
  });

  it('[C/1] shows catalog, prints, feeds with their lag, runs, and what was left out; a failed feed exits 1', async () => {
    const { store } = workspace.small;
    expect(await workspace.json('status')).toMatchObject({
      catalog: 'serving',
      counts: { markets: 10 },
      feeds: [],
      left_out: [],
    });
    await workspace.run('publish');
    const cost = { requests: 2, bytes: 2048, seconds: 1.5, day: '2026-04-15' };
    const feed = { feed: 'venue_a/events', rows_read: 3, rows_left_out: 1, ...cost };
    store.write((writer) => {
      const run_id = insertRun(writer, 'ingest', NOW - 60_000);
      const page = { run_id, feed: feed.feed, request: '/events', observed_at: NOW, body: Buffer.from('{}') };
      const fetch_id = insertFetch(writer, page);
      const row = { fetch_id, feed: feed.feed, native_id: null, path: 'price' };
      insertReject(writer, { ...row, position: 1, reason: 'odd' });
      for (const price of [2, 3])
        insertReject(writer, { ...row, position: price, reason: `price must be 0 to 1, got ${price}` });
      // Later runs fetched nothing.
      insertRun(writer, 'compute', NOW - 30_000);
      upsertFeed(writer, { ...feed, tried_at: NOW - 3_600_000, condition: 'good', message: null });
      upsertFeed(writer, { ...feed, tried_at: NOW, condition: 'failed', message: 'HTTP 500' });
    });
    const { code, out } = await workspace.run('status');
    expect(code).toBe(1);
    expect(out).toMatch(/^catalog {3}serving: 5 events, 10 markets$/m);
    expect(out).toMatch(
      /^feed {6}venue_a\/events +failed +good 60 min ago, 1 of 2 good today, 3 rows, 1 left out; 2 requests, 2 KiB, 1.5 s: HTTP 500$/m,
    );
    expect(out).toMatch(/^run {7}\d+ ingest 2026-04-15T11:59:00Z not finished$/m);
    expect(out).toMatch(
      /^left out {2}venue_a\/events +2, the first row 2: price must be 0 to 1, got 2\nleft out {2}venue_a\/events +1 row 1: odd$/m,
    );
    const status = JSON.parse((await workspace.run('--json', 'status')).out) as Row;
    expect(rows(status, 'left_out_reasons')).toMatchObject([{ rows: 2 }, { rows: 1 }]);
    expect(rows(status, 'left_out')).toHaveLength(3);
    expect(rows(status, 'feeds')).toMatchObject([{ good_at: '2026-04-15T11:00:00Z', lag_ms: 3_600_000 }]);
    expect(rows(status, 'runs')[2]).toMatchObject({
      command: 'publish',
      outcome: 'complete',
      finished_at: '2026-04-15T12:00:00Z',
      summary: { as_of: '2026-04-15T12:00:00Z' },
    });
  });

  it('[C/1] tells a feed that was never good or not tried today, one ahead of the clock, and why a run failed', async () => {
    const { store } = workspace.small;
    const cost = { rows_read: 0, rows_left_out: 0, requests: 1, bytes: 1024, seconds: 1 };
    const today = { ...cost, day: '2026-04-15', message: null };
    store.write((writer) => {
      const before = { ...cost, day: '2026-04-14', message: 'HTTP 500' };
      upsertFeed(writer, { ...before, feed: 'news/never', tried_at: NOW - DAY_MS, condition: 'partial' });
      upsertFeed(writer, { ...today, feed: 'news/ahead', tried_at: NOW + HOUR_MS, condition: 'good' });
      upsertFeed(writer, { ...before, feed: 'news/old', tried_at: NOW - 60 * DAY_MS, condition: 'good' });
      const run_id = insertRun(writer, 'run', NOW - 60_000);
      finishRun(writer, run_id, NOW, 'failed', { error: 'the disk is full' });
      const page = { run_id, feed: 'news/ahead', request: '/', observed_at: NOW, body: Buffer.from('{}') };
      const row = { fetch_id: insertFetch(writer, page), feed: page.feed, position: 7, path: 'price' };
      insertReject(writer, { ...row, native_id: 'KX-1', reason: 'odd' });
    });
    const { code, out } = await workspace.run('status');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^feed {6}news\/never +partial never good, 0 of 0 good today, 0 rows, 0 left out; .*: HTTP 500$/m,
    );
    expect(out).toMatch(/^feed {6}news\/ahead +good +good 60 min ahead, 1 of 1 good today, .* 1 s$/m);
    expect(out).toMatch(/^feed {6}news\/old +good +good 60 d ago, 0 of 0 good today, /m);
    expect(out).toMatch(/^run {7}\d+ run 2026-04-15T11:59:00Z failed: the disk is full$/m);
    expect(out).toMatch(/^left out {2}news\/ahead +1 KX-1: odd$/m);
    const { feeds } = JSON.parse((await workspace.run('--json', 'status')).out) as { feeds: Row[] };
    expect(feeds).toMatchObject([
      { feed: 'news/ahead', lag_ms: -HOUR_MS, tries_of_day: 1 },
      { feed: 'news/never', good_at: null, lag_ms: null, tries_of_day: 0, good_of_day: 0 },
      { feed: 'news/old', lag_ms: 60 * DAY_MS },
    ]);
  });
});

describe('status --within', () => {
  const later = (minutes: number) => ['--now', new Date(NOW + minutes * 60_000).toISOString()];

  it('exits 1 where no run ended well in so many minutes: failed and killed ones do not count', async () => {
    const { store } = workspace.small;
    const none = await workspace.run('status', '--within', '60');
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining('within 60 minutes: none ever has'),
    });
    await workspace.run('publish');
    store.write((writer) => {
      insertRun(writer, 'run', NOW + 30 * 60_000);
      finishRun(writer, insertRun(writer, 'run', NOW + 40 * 60_000), NOW + 50 * 60_000, 'failed', {});
    });
    expect((await workspace.run(...later(60), 'status', '--within', '60')).code).toBe(0);
    const late = await workspace.run(...later(61), 'status', '--within', '60');
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('the last finished 61 min ago') });
    expect((await workspace.run(...later(61), 'status')).code).toBe(0);
  });

  it('counts the last run by a clock a second behind its end', async () => {
    const { store } = workspace.small;
    store.write((writer) => {
      for (const minutes of [0, 61]) {
        const at = NOW + minutes * 60_000;
        finishRun(writer, insertRun(writer, 'run', at), at + 60_000, 'complete', {});
      }
    });
    const now = ['--now', new Date(NOW + 62 * 60_000 - 1000).toISOString()];
    expect(await workspace.run(...now, 'status', '--within', '60')).toMatchObject({ code: 0 });
  });

  it('exits 1 after a run whose clock was ahead, since every other is refused', async () => {
    await workspace.run(...later(4000), 'compute');
    const { code, err } = await workspace.run(...later(0), 'status', '--within', '60');
    expect(code).toBe(1);
    expect(err).toContain('every run is refused until');
    expect(err).toContain('none ever has');
    expect((await workspace.run(...later(4000), 'status', '--within', '60')).code).toBe(0);
  });
});
