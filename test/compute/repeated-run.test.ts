import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { readDefinitionFiles } from '../../src/store/definitions/definition-files.ts';
import { openStore } from '../../src/store/store.ts';
import { configForWorld, runIngest } from '../ingest/run-ingest.ts';
import { KALSHI, type OpenWorld, openWorld } from '../world/open-world.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const START = formatInstant(NOW - 36 * HOUR_MS);

/** A composite with its members and a total return; rates of a venue, of two, of trades, of a chain. */
const WANTED = new Set([
  'SIMFEDEASE',
  'SIMFEDEASE.TR',
  'SIMHOTCPI',
  'SIMCOINS.G',
  'SIM.FED.2026-12.HOLD',
  'SIM.FED.2026-12.HOLD.M',
  'SIM.FED.2026-12.HOLD.V',
  'SIM.FED.NEXT.HOLD',
]);
const { indices, rates } = readDefinitionFiles(join(import.meta.dirname, '../../data/simulated'));
const DEFINED = {
  indices: indices.filter((each) => WANTED.has(each.ticker)).map((each) => ({ ...each, base_at: START })),
  rates: rates.filter((each) => WANTED.has(each.ticker)).map((each) => ({ ...each, start_at: START })),
};

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld({ now: NOW, days: 3, topics: ['central-banks', 'economy', 'crypto'] });
});
afterAll(() => open.served.close());

describe('a run repeated at its own instant, after a venue failed the first time, verifies', () => {
  it.each(['/kalshi', `${KALSHI}/markets`, '/gamma'])('%s', async (path_prefix) => {
    const settings = configForWorld(open);
    settings.venues.venue_c.enabled = true;
    const store = openStore(':memory:');
    const run = async (now: number, fails: boolean) => {
      open.world.setNow(now);
      await open.clearFaults();
      if (fails) await open.setFaults({ path_prefix, kind: 'status', code: 400, times: 1e6 });
      store.write((writer) => adoptDefinitions(writer, DEFINED, now, { keepMissing: false }));
      const { feeds } = await runIngest(store, settings, { now });
      expect(compute(store, now, () => {}).failures).toEqual([]);
      return feeds.filter((each) => each.condition !== 'good').length;
    };
    for (const hours of [0, 1]) {
      const now = NOW + hours * HOUR_MS;
      expect(await run(now, true)).toBeGreaterThan(await run(now, false));
    }
    const report = store.read((reader) => verify(reader, []));
    expect(report.differences).toEqual([]);
    expect(report.recalculated).toBeGreaterThan(100);
  });
});

it('a run at the instant of a backfill, with prices that the backfill did not have, verifies', async () => {
  const settings = configForWorld(open);
  const store = openStore(':memory:');
  const run = async (now: number, fails: boolean) => {
    open.world.setNow(now);
    await open.clearFaults();
    if (fails) await open.setFaults({ path_prefix: '/', kind: 'status', code: 400, times: 1e6 });
    store.write((writer) => adoptDefinitions(writer, DEFINED, now, { keepMissing: false }));
    await runIngest(store, settings, { now });
    compute(store, now, () => {});
  };
  const later = NOW + 2 * HOUR_MS;
  await run(NOW, false);
  await run(NOW + HOUR_MS, true);
  const wish = { tickers: [], from: NOW - HOUR_MS, to: later, every_minutes: 30 };
  expect(backfill(store, wish, later, () => {}).failures).toEqual([]);
  await run(later, false);
  expect(store.read((reader) => verify(reader, [])).differences).toEqual([]);
});

it('definitions whose texts change at the instant of a run or of a backfill, after it, verify', async () => {
  const settings = configForWorld(open);
  const store = openStore(':memory:');
  let changes = 0;
  const changeTexts = (now: number) => {
    const name = `name ${++changes}`;
    const defined = {
      indices: DEFINED.indices.map((each) => ({ ...each, name })),
      rates: DEFINED.rates.map((each) => ({ ...each, name })),
    };
    store.write((writer) => adoptDefinitions(writer, defined, now, { keepMissing: false }));
    expect(store.read((reader) => verify(reader, [])).differences).toEqual([]);
  };
  changeTexts(NOW);
  for (const now of [NOW, NOW + HOUR_MS]) {
    open.world.setNow(now);
    await runIngest(store, settings, { now });
    expect(compute(store, now, () => {}).index_prints).toBeGreaterThan(0);
    changeTexts(now);
    const wish = { tickers: [], from: now - HOUR_MS, to: now, every_minutes: 30 };
    expect(backfill(store, wish, now, () => {}).failures).toEqual([]);
    changeTexts(now);
  }
  store.close();
});
