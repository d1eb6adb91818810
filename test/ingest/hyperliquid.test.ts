import { expect, it } from 'vitest';
import { HOUR_MS } from '../../src/model/time.ts';
import { openStore } from '../../src/store/store.ts';
import { raw, startFixtureVenue } from './fixture-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, runIngest } from './run-ingest.ts';

it('an outcome that cannot be asked for, or never settles, keeps no other from being settled', async () => {
  const venue = await startFixtureVenue();
  const store = openStore(':memory:');
  nameMarkets(store, ['venue_c:100', 'venue_c:101'], '2026-11-10T00:00:00Z');
  const spec = (outcome: number) => ({ outcome, name: `Outcome ${outcome}` });
  const all = Array.from({ length: 80 }, (_, i) => spec(100 + i));
  let live = all;
  venue.on('/hyperliquid/info', (_query, body) => {
    const { type, outcome } = JSON.parse(body) as { type: string; outcome?: number };
    if (type === 'outcomeMeta') return { outcomes: live, questions: [] };
    if (type === 'spotMetaAndAssetCtxs') return [{}, []];
    if (type !== 'settledOutcome') return raw('null');
    if (outcome === 100) return raw('Failed to deserialize', 422);
    // Half of the unnamed are never told about.
    const known = outcome === 101 || (outcome ?? 0) >= 170;
    return known ? { spec: spec(outcome ?? 0), settleFraction: '1.0' } : raw('null');
  });
  const run = async (hours: number) =>
    feedOf(
      await runIngest(store, configFor(venue.origin), { now: NOW + hours * HOUR_MS, only: 'venue_c' }),
      'venue_c/outcomes',
    );
  await run(0);
  live = [spec(500)];
  expect(await run(1)).toMatchObject({ condition: 'partial', message: expect.stringContaining('422') });
  await run(2);
  const settled = store.read((reader) =>
    reader.all<{ native_id: string }>(
      "SELECT native_id FROM markets WHERE status = 'settled' ORDER BY market_id",
    ),
  );
  const last = all.slice(70).map(({ outcome }) => String(outcome));
  expect(settled.map((each) => each.native_id)).toEqual(['101', ...last]);
  store.close();
  await venue.close();
});

it('outcomes whose days of trading cannot be read keep no other from being counted', async () => {
  const venue = await startFixtureVenue();
  const store = openStore(':memory:');
  const outcomes = Array.from({ length: 110 }, (_, i) => ({ outcome: 100 + i, name: `Outcome ${100 + i}` }));
  const day = { t: Date.parse('2026-11-09T00:00:00Z'), v: '7' };
  venue.on('/hyperliquid/info', (_query, body) => {
    const { type, req } = JSON.parse(body) as { type: string; req?: { coin: string } };
    if (type === 'outcomeMeta') return { outcomes, questions: [] };
    if (type === 'spotMetaAndAssetCtxs') return [{}, []];
    if (type !== 'candleSnapshot') return raw('null');
    const outcome = Number(req?.coin.slice(1, -1));
    if (outcome % 2 === 0) return raw('Failed to deserialize', 422);
    return [outcome < 200 ? { ...day, v: 'many' } : day];
  });
  for (const hours of [0, 1])
    await runIngest(store, configFor(venue.origin), { now: NOW + hours * HOUR_MS, only: 'venue_c' });
  const counted = store.read((reader) => reader.all('SELECT count(*) AS n FROM markets WHERE volume = 7'));
  expect(counted).toEqual([{ n: 5 }]);
  store.close();
  await venue.close();
});
