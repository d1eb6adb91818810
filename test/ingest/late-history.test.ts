import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { raw } from './fixture-venue.ts';
import { configFor, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { kalshiCandle, kalshiMarket } from './wire-fixtures.ts';

const BASE = '2026-11-10T00:00:00Z';
const CANDLES = '/kalshi/markets/candlesticks';
const hour = (hours: number) => NOW + hours * HOUR_MS;

describe('prices that arrive after their hours were calculated', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    answerCandles();
  });

  const answerCandles = () =>
    venue.on(CANDLES, (query) => ({
      markets: (query.get('market_tickers') ?? '').split(',').map((market_ticker) => {
        const [from, to] = ['start_ts', 'end_ts'].map((name) => Number(query.get(name)));
        const candlesticks: object[] = [];
        for (let end = Math.ceil((from ?? 0) / 3600) * 3600; end <= (to ?? 0); end += 3600)
          candlesticks.push(kalshiCandle(end));
        return { market_ticker, candlesticks };
      }),
    }));
  const refuseCandles = () => venue.on(CANDLES, () => raw('{}', 400));
  /** A run of ingest and compute. @returns from when on prices came late */
  const run = async (now: number) => {
    const { late_from } = await runIngest(store, configFor(venue.origin), { only: 'venue_a', now });
    compute(store, now, () => {});
    return late_from;
  };

  it('[F6] are reported with the first such hour, until a backfill from there has used them', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    expect(await run(hour(0))).toBeNull();
    refuseCandles();
    for (const hours of [1, 2]) expect(await run(hour(hours))).toBeNull();
    answerCandles();
    for (const hours of [3, 4]) expect(await run(hour(hours))).toBe(formatInstant(hour(1)));
    const wish = { tickers: [], to: hour(4) };
    backfill(store, { ...wish, from: hour(2) }, hour(4), () => {});
    expect(await run(hour(5))).toBe(formatInstant(hour(1)));
    backfill(store, { ...wish, from: hour(1) }, hour(5), () => {});
    expect(await run(hour(6))).toBeNull();
  });

  it('are printed by that backfill, at the hours in which nothing of the venue was seen', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    await run(hour(0));
    const printed = () =>
      store.read((reader) =>
        selectIndexPrints(reader, 'TEST', hour(0), hour(3)).map(({ at }) => (at - NOW) / HOUR_MS),
      );
    const lists = ['/kalshi/events', '/kalshi/markets', '/kalshi/series'];
    for (const path of [CANDLES, ...lists]) venue.on(path, () => raw('{}', 500));
    for (const hours of [1, 2]) await run(hour(hours));
    answerAsTwoVenues(venue);
    answerCandles();
    expect(await run(hour(3))).toBe(formatInstant(hour(1)));
    expect(printed()).toEqual([0, 3]);
    backfill(store, { tickers: [], from: hour(1), to: hour(3) }, hour(3), () => {});
    expect(printed()).toEqual([0, 1, 2, 3]);
  });

  it('are forgotten a week after they came', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    await run(hour(0));
    refuseCandles();
    await run(hour(1));
    answerCandles();
    await run(hour(2));
    expect(await run(hour(2) + 7 * DAY_MS)).toBe(formatInstant(hour(1)));
    expect(await run(hour(3) + 7 * DAY_MS)).toBeNull();
  });

  it('include all prices of a market if the run that calculated first had none of them', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    refuseCandles();
    expect(await run(hour(0))).toBeNull();
    answerCandles();
    expect(await run(hour(1))).toBe(BASE);
  });

  it('exclude those of an hour that began between a run that was answered and its calculation', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    for (const hours of [0, 1]) {
      const now = hour(hours) - 300_000;
      const { late_from } = await runIngest(store, configFor(venue.origin), { only: 'venue_a', now });
      expect(late_from).toBeNull();
      compute(store, hour(hours) + 60_000, () => {});
    }
  });

  it('exclude those of a newly named market, and of hours without a run', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    await run(hour(0));
    expect(await run(hour(9))).toBeNull();
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE, hour(10));
    expect(await run(hour(10))).toBeNull();
    expect(await run(hour(11))).toBeNull();
    const listed = ['KX-1', 'KX-2', 'KX-3'].map((ticker) => kalshiMarket(ticker));
    listOnKalshi(venue, ...listed);
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2', 'venue_a:KX-3'], BASE, hour(12));
    compute(store, hour(12), () => {});
    expect(await run(hour(13))).toBeNull();
  });
});
