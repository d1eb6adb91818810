import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/model/time.ts';
import { UsageRecorder } from '../../../src/serve/callers/usage-recorder.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../../helpers/small-app.ts';
import { NOW, openSmallStore } from '../../helpers/small-store.ts';

let usage: UsageRecorder;
const app = ofEachTest(() => {
  const small = openSmallStore();
  usage = new UsageRecorder((work) => small.store.write(work));
  return openSmallApp(small, undefined, { usage, keyBudget: { requests: 50, window_ms: 10_000 } });
});

describe('usage', () => {
  it('[2.10/1][4.7/1] counts what an account requested, by day and by path template, errors apart', async () => {
    const { acme, other } = app.small.keys;
    await app.get('/api/v1/indices/SMALL', bearer(acme));
    await app.get('/api/v1/indices/GAUGE.K', bearer(acme));
    await app.get('/api/v1/indices/NOPE', bearer(acme));
    await app.get('/api/v1/markets?page=0', bearer(acme));
    await app.get('/api/v1/indices/SMALL', bearer(other));
    await app.get('/api/v1/indices/SMALL', bearer(app.small.keys.filingsOnly));
    await app.get('/api/v1/indices/SMALL');
    await app.get('/api/v1/public/indices/SMALL', bearer(acme));
    const report = await app.member('/usage');
    expect(report).toMatchObject({ total_requests: 5, successful_requests: 2, error_requests: 3 });
    expect(report.by_endpoint).toEqual([
      { endpoint: '/api/v1/indices/{id}', total_requests: 4, successful_requests: 2, error_requests: 2 },
      { endpoint: '/api/v1/markets', total_requests: 1, successful_requests: 0, error_requests: 1 },
    ]);
    expect(await app.member('/usage', other)).toMatchObject({ total_requests: 1 });
  });

  it('[4.7/1][5/4] is open to every key, whatever its scopes, and tells of its organization', async () => {
    const { acme, filingsOnly, other } = app.small.keys;
    await app.get('/api/v1/filings', bearer(filingsOnly));
    expect(await app.member('/usage', filingsOnly)).toMatchObject({ successful_requests: 1 });
    expect(await app.member('/usage', acme)).toMatchObject({ successful_requests: 2 });
    expect(await app.member('/usage', other)).toMatchObject({ total_requests: 0 });
  });

  it('[4.7/1][8/1] is for 1 to 90 UTC days, 30 by default, ending today', async () => {
    const daily = async (query: string) => (await app.member(`/usage${query}`)).daily as { day: string }[];
    expect(await daily('')).toHaveLength(30);
    expect((await daily('?days=1')).map((row) => row.day)).toEqual(['2026-04-15']);
    expect((await daily('?days=90'))[0]?.day).toBe('2026-01-16');
    for (const days of ['0', '91', '1.5', '-1', 'x', '', '1&days=2'])
      expect((await app.get(`/api/v1/usage?days=${days}`, bearer(app.small.keys.acme))).status, days).toBe(
        400,
      );
    app.clock.now = NOW + DAY_MS;
    await app.get('/api/v1/indices', bearer(app.small.keys.other));
    const report = await app.member('/usage?days=2', app.small.keys.other);
    expect((report.daily as object[]).map((row) => Object.values(row)[1])).toEqual([0, 1]);
  });

  it('[4.7/1] counts by days of UTC, whatever day it is elsewhere', async () => {
    for (const at of ['2026-04-15T23:59:59.999Z', '2026-04-16T00:00:00Z', '2026-04-16T03:00:00Z']) {
      app.clock.now = Date.parse(at);
      await app.get('/api/v1/indices', bearer(app.small.keys.acme));
    }
    expect((await app.member('/usage?days=2')).daily).toMatchObject([
      { day: '2026-04-15', total_requests: 1 },
      { day: '2026-04-16', total_requests: 2 },
    ]);
  });

  it('[2.10/1] leaves out what the budget refused, and is never cacheable', async () => {
    let refused = 0;
    for (let i = 0; i < 60; i++)
      if ((await app.get('/api/v1/indices/SMALL', bearer(app.small.keys.other))).status === 429) refused++;
    expect(refused).toBeGreaterThan(0);
    app.clock.now = NOW + 10_000;
    const answer = await app.get('/api/v1/usage', bearer(app.small.keys.other));
    expect(answer.body.total_requests).toBe(60 - refused);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('waits in memory while the store is locked, and is written once', () => {
    const counted: number[] = [];
    let held = true;
    const recorder = new UsageRecorder((work) => {
      if (held) throw new Error('held');
      return app.small.store.write((writer) => {
        counted.push(1);
        return work(writer);
      });
    });
    const request = { organization: 'third', day: '2026-04-15', endpoint: '/x' };
    recorder.record(request, true);
    expect(recorder.flush()).toBe('held');
    recorder.record(request, false);
    held = false;
    expect([recorder.flush(), recorder.flush()]).toEqual([undefined, undefined]);
    expect(counted).toHaveLength(1);
    const sql = 'SELECT successful, failed FROM request_counts WHERE organization = ?';
    expect(app.small.store.read((reader) => reader.all(sql, 'third'))).toEqual([
      { successful: 1, failed: 1 },
    ]);
  });
});
