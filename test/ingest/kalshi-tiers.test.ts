import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { findSeries } from '../../src/store/catalog/series.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { kalshiCandle, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const BASE = '2026-11-10T00:00:00Z';
const SERIES = {
  ticker: 'KXRAIN',
  title: 'Rain',
  category: 'Climate',
  tags: ['Weather', 'New York'],
  settlement_sources: [{ name: 'National Weather Service', url: 'https://weather.test/' }],
  contract_url: 'https://docs.test/RAIN.pdf',
  contract_terms_url: 'javascript:alert(1)',
};

describe('ingest of Kalshi', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    venue.on('/kalshi/series', () => ({ series: [SERIES] }));
  });

  const run = (now = NOW, settings = configFor(venue.origin)) =>
    runIngest(store, settings, { only: 'venue_a', now });
  const market = (id: string) => store.read((reader) => findMarket(reader, id));
  const asked = (path: string) => venue.requests.filter((each) => each.path === path);

  it('keeps what a series says of its contracts, and its category for the events', async () => {
    await run();
    expect(store.read((reader) => findSeries(reader, 'venue_a', 'KXRAIN'))).toEqual({
      series_id: 'venue_a:KXRAIN',
      family: 'venue_a',
      native_id: 'KXRAIN',
      title: 'Rain',
      category: 'Climate',
      tags: ['Weather', 'New York'],
      settlement_sources: [{ name: 'National Weather Service', url: 'https://weather.test/' }],
      contract_url: 'https://docs.test/RAIN.pdf',
    });
    const event = store.read((reader) => reader.get<{ category: string }>('SELECT category FROM events'));
    expect(event?.category).toBe('Climate');
  });

  it.each([
    ['its event lists alone', {}, 'Rain in **November**'],
    ['had a namesake', { yes_sub_title: 'J. Smith' }, 'Rain'],
  ])('keeps the question of a market that %s after its siblings were moved', async (_case, words, title) => {
    const list = (tickers: readonly string[]) =>
      venue.on('/kalshi/events', () => {
        const markets = tickers.map((each) => kalshiMarket(each, words));
        return { events: [kalshiEvent(markets, { title })], cursor: '' };
      });
    list(['KX-1', 'KX-2']);
    await run();
    const known = market('venue_a:KX-2')?.question;
    expect(known).toMatch(/ – /);
    list(['KX-2']);
    await run(NOW + HOUR_MS);
    expect(market('venue_a:KX-2')).toMatchObject({ question: known, last_seen_at: NOW + HOUR_MS });
  });

  it('requests the events of the series that have a tag, where the settings name tags', async () => {
    const settings = configFor(venue.origin);
    settings.venues.venue_a.tags = ['weather'];
    venue.on('/kalshi/series', () => ({
      series: [SERIES, { ...SERIES, ticker: 'KXCUP', tags: ['Soccer'] }],
    }));
    await run(NOW, settings);
    expect(asked('/kalshi/events').map(({ query }) => query.get('series_ticker'))).toEqual(['KXRAIN']);
  });

  it('reads the configured series, including those after one that the venue does not have', async () => {
    const settings = configFor(venue.origin);
    settings.venues.venue_a.series = ['KXNONE', 'KXRAIN'];
    venue.on('/kalshi/series/KXRAIN', () => ({ series: SERIES }));
    expect(feedOf(await run(NOW, settings), 'venue_a/series')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/KXNONE: answered 404/),
      rows_read: 1,
    });
    expect(asked('/kalshi/series')).toEqual([]);
    expect(store.read((reader) => findSeries(reader, 'venue_a', 'KXRAIN'))?.category).toBe('Climate');
  });

  it('requests the series that changed, and all of them once a week', async () => {
    for (const days of [0, 1, 8]) await run(NOW + days * DAY_MS);
    expect(asked('/kalshi/series').map(({ query }) => query.get('min_updated_ts'))).toEqual([
      null,
      String(NOW / 1000 - 60),
      null,
    ]);
  });

  it('learns outcomes from the settlements stream, at first in windows of six hours, and keeps the question', async () => {
    await run();
    venue.on('/kalshi/markets', (query) => ({
      markets:
        query.get('status') === 'settled' && Number(query.get('max_settled_ts')) > NOW / 1000 + 9 * 3600
          ? [
              kalshiMarket('KX-1', {
                title: 'another title',
                status: 'finalized',
                result: 'yes',
                settlement_ts: new Date(NOW + 9 * HOUR_MS).toISOString(),
              }),
              kalshiMarket('KX-unknown', { status: 'finalized', result: 'no' }),
            ]
          : [],
      cursor: '',
    }));
    listOnKalshi(venue, 'KX-2', 'KX-3');
    const told: unknown[] = [];
    const report = await runIngest(store, configFor(venue.origin), {
      only: 'venue_a',
      now: NOW + 10 * HOUR_MS,
      progress: (...each) => told.push(each),
    });
    expect(feedOf(report, 'venue_a/settlements')).toMatchObject({ condition: 'good', requests: 2 });
    expect(told).toContainEqual(['venue_a/settlements', 6, 11]);
    expect(market('venue_a:KX-1')).toMatchObject({
      status: 'settled',
      payout: 1,
      settled_at: NOW + 9 * HOUR_MS,
      question: 'Rain in November – 1',
      event_slug: 'kxrain',
    });
    expect(market('venue_a:KX-unknown')).toBeUndefined();
  });

  it('needs few requests when nothing settled for years, as after a run whose clock was that far behind', async () => {
    await run(NOW - 5 * 365 * DAY_MS);
    const settled = {
      status: 'finalized',
      result: 'yes',
      settlement_ts: new Date(NOW - HOUR_MS).toISOString(),
    };
    venue.on('/kalshi/markets', (query) => ({
      markets: Number(query.get('max_settled_ts')) >= NOW / 1000 ? [kalshiMarket('KX-1', settled)] : [],
      cursor: '',
    }));
    const { condition, requests } = feedOf(await run(), 'venue_a/settlements');
    expect(condition).toBe('good');
    expect(requests).toBeLessThan(20);
    expect(market('venue_a:KX-1')).toMatchObject({ status: 'settled', payout: 1 });
  });

  it('requests all of a long history again when a part of it failed, and takes none of it as known', async () => {
    const [listed, settled] = ['2025-01-01T00:00:00Z', '2026-08-01T12:00:00Z'];
    const outcome = { status: 'finalized', result: 'no', settlement_ts: settled };
    const moved = kalshiMarket('KX-9', { ...outcome, created_time: listed, open_time: listed });
    venue.on('/kalshi/historical/cutoff', () => ({ market_settled_ts: '2026-09-01T00:00:00Z' }));
    venue.on('/kalshi/historical/markets', () => ({ markets: [moved], cursor: '' }));
    const path = '/kalshi/historical/markets/KX-9/candlesticks';
    let failing: number | undefined = 1;
    venue.on(path, (query) => {
      const starts = [...new Set(asked(path).map((each) => each.query.get('start_ts')))].sort();
      if (failing !== undefined && query.get('start_ts') === starts[failing]) return raw('{}', 400);
      const side = { close: '0.4000' };
      const end_period_ts = Number(query.get('end_ts'));
      return { ticker: 'KX-9', candlesticks: [{ end_period_ts, yes_bid: side, yes_ask: side }] };
    });
    nameMarkets(store, ['venue_a:KX-9'], listed);
    const stretches = new Set<string | null>();
    expect(feedOf(await run(), 'venue_a/candles').condition).toBe('partial');
    for (const { query } of asked(path)) stretches.add(query.get('start_ts'));
    expect(stretches.size).toBe(3);
    failing = undefined;
    await run(NOW + HOUR_MS);
    expect(asked(path)).toHaveLength(6);
    expect(pricesOf(store, 'venue_a:KX-9', 'candle_60')).toHaveLength(3);
    await run(NOW + 2 * HOUR_MS);
    expect(asked(path)).toHaveLength(6);
  });

  it('reads a named market that moved to the historical tier, with its candles, there', async () => {
    const settled = { status: 'finalized', result: 'no', settlement_ts: '2026-08-01T12:00:00Z' };
    const moved = kalshiMarket('KX-9', { ...settled, created_time: '2026-07-01T00:00:00Z' });
    venue.on('/kalshi/historical/cutoff', () => ({ market_settled_ts: '2026-09-01T00:00:00Z' }));
    venue.on('/kalshi/historical/markets', () => ({ markets: [moved], cursor: '' }));
    venue.on('/kalshi/historical/markets/KX-9/candlesticks', () => ({
      ticker: 'KX-9',
      candlesticks: [
        {
          end_period_ts: Date.parse('2026-08-01T10:00:00Z') / 1000,
          yes_bid: { open: '0.1000', high: '0.2000', low: '0.1000', close: '0.1200' },
          yes_ask: { open: '0.3000', high: '0.3000', low: '0.2000', close: '1.0000' },
          price: { open: null, high: null, low: null, close: null, previous: '0.1500' },
          volume: '0.00',
          open_interest: '7.25',
        },
      ],
    }));
    nameMarkets(store, ['venue_a:KX-9'], '2026-07-20T00:00:00Z');
    const report = await run();
    expect(report.feeds.map((each) => each.condition)).toEqual(Array(5).fill('good'));
    expect(market('venue_a:KX-9')).toMatchObject({ status: 'settled', payout: 0 });
    expect(pricesOf(store, 'venue_a:KX-9', 'candle_60')).toMatchObject([
      { observed_at: Date.parse('2026-08-01T10:00:00Z'), bid: 0.12, last: 0.15, open_interest: 7.25 },
    ]);
    expect(asked('/kalshi/markets/candlesticks')).toEqual([]);
  });

  it('requests candles market by market when the venue refuses a batch, and says so', async () => {
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE);
    const whole = { code: 'bad_request', message: 'too many' };
    venue.on('/kalshi/markets/candlesticks', () => raw(JSON.stringify({ error: whole }), 400));
    for (const ticker of ['KX-1', 'KX-2'])
      venue.on(`/kalshi/series/KXRAIN/markets/${ticker}/candlesticks`, () => ({
        ticker,
        candlesticks: [kalshiCandle(NOW / 1000)],
      }));
    expect(feedOf(await run(), 'venue_a/candles')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(
        /^candles are fetched one market at a time, since the request for several failed: .* answered 400 "too many"$/,
      ),
      observations_added: 2,
    });
  });

  it('a market whose candles the venue refuses holds up none of those after it', async () => {
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE);
    for (const path of ['/kalshi/markets/candlesticks', '/kalshi/series/KXRAIN/markets/KX-1/candlesticks'])
      venue.on(path, () => raw('{}', 400));
    venue.on('/kalshi/series/KXRAIN/markets/KX-2/candlesticks', () => ({
      ticker: 'KX-2',
      candlesticks: [kalshiCandle(NOW / 1000)],
    }));
    const { condition, observations_added } = feedOf(await run(), 'venue_a/candles');
    expect([condition, observations_added]).toEqual(['partial', 1]);
  });

  it('says so when the historical tier has no candles of a market that moved there', async () => {
    const created = { created_time: '2026-07-01T00:00:00Z', open_time: '2026-07-01T00:00:00Z' };
    const settled = { ...created, status: 'finalized', result: 'no', settlement_ts: '2026-08-01T12:00:00Z' };
    venue.on('/kalshi/historical/cutoff', () => ({ market_settled_ts: '2026-09-01T00:00:00Z' }));
    venue.on('/kalshi/historical/markets', (query) => ({
      markets: query.get('tickers') === 'KX-9' ? [kalshiMarket('KX-9', settled)] : [],
      cursor: '',
    }));
    nameMarkets(store, ['venue_a:KX-9'], '2026-07-20T00:00:00Z');
    expect(feedOf(await run(), 'venue_a/candles')).toMatchObject({
      condition: 'partial',
      message: 'the venue knows no candles of KX-9, though a definition names it',
    });
  });

  it('says so when the answer lacks the candles of an active market', async () => {
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE);
    venue.on('/kalshi/markets/candlesticks', () => ({
      markets: [{ market_ticker: 'KX-1', candlesticks: [kalshiCandle(NOW / 1000)] }],
    }));
    expect(feedOf(await run(), 'venue_a/candles')).toMatchObject({
      condition: 'partial',
      message: 'the answer has no candles of 1 of 2 markets, such as KX-2',
      observations_added: 1,
    });
  });

  it('[F4] between full crawls requests only changes and named markets', async () => {
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    await run(NOW, settings);
    venue.on('/kalshi/markets', (query) => {
      const rows = query.has('min_updated_ts')
        ? [kalshiMarket('KX-2', { status: 'inactive' }), kalshiMarket('KX-old', { status: 'finalized' })]
        : query.get('tickers') === 'KX-1'
          ? [kalshiMarket('KX-1', { yes_bid_dollars: '0.3500' })]
          : [];
      return { markets: rows, cursor: '' };
    });
    venue.requests.length = 0;
    const light = await run(NOW + 10 * 60_000, settings);
    expect(light.feeds.map((each) => each.condition)).toEqual(Array(5).fill('good'));
    expect(asked('/kalshi/events')).toEqual([]);
    expect(market('venue_a:KX-2')).toMatchObject({
      status: 'paused',
      question: 'Rain in November – 2',
      event_slug: 'kxrain',
    });
    expect(market('venue_a:KX-old')).toBeUndefined();
    expect(pricesOf(store, 'venue_a:KX-1', 'quote').at(-1)).toMatchObject({ bid: 0.35 });
    await run(NOW + 60 * 60_000, settings);
    expect(asked('/kalshi/events')).toHaveLength(1);
  });

  it('requests changes that were rejected once more', async () => {
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    const tickers = Array.from({ length: 30 }, (_, i) => `KX-A${i}`);
    listOnKalshi(venue, ...tickers);
    await run(NOW, settings);
    const change = (changes: Record<string, unknown>) =>
      venue.on('/kalshi/markets', (query) => ({
        markets: query.has('min_updated_ts') ? tickers.map((ticker) => kalshiMarket(ticker, changes)) : [],
        cursor: '',
      }));
    change({ open_interest_fp: undefined });
    await run(NOW + 10 * 60_000, settings);
    change({ close_time: '2026-12-02T05:00:00Z' });
    await run(NOW + 20 * 60_000, settings);
    await run(NOW + 30 * 60_000, settings);
    const since = asked('/kalshi/markets').flatMap(({ query }) => query.get('min_updated_ts') ?? []);
    expect(since.map((each) => Number(each) - NOW / 1000 + 60)).toEqual([0, 0, 20 * 60]);
    expect(market('venue_a:KX-A0')?.closes_at).toBe(Date.parse('2026-12-02T05:00:00Z'));
  });

  it('a full crawl counts though markets could not be looked up, and closes none of them', async () => {
    nameMarkets(store, ['venue_a:KX-9'], BASE);
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    listOnKalshi(venue, 'KX-1', 'KX-2');
    await run(NOW - HOUR_MS, settings);
    listOnKalshi(venue, 'KX-1');
    venue.on('/kalshi/historical/markets', () => raw('{"error":{"message":"no such route"}}', 400));
    for (const hours of [0, 1, 2]) {
      venue.requests.length = 0;
      const events = feedOf(await run(NOW + hours * HOUR_MS, settings), 'venue_a/events');
      expect(events).toMatchObject({
        condition: 'partial',
        message: expect.stringContaining('no such route'),
      });
      expect(asked('/kalshi/events')).toHaveLength(1);
      await run(NOW + (hours + 0.5) * HOUR_MS, settings);
      expect(asked('/kalshi/events')).toHaveLength(1);
    }
    expect(market('venue_a:KX-2')?.status).toBe('active');
  });

  it('[F5][F12] closes a market that two full crawls and its own address lack, and opens it again', async () => {
    const only = (...tickers: string[]) => listOnKalshi(venue, ...tickers);
    const states: (string | undefined)[] = [];
    for (const [hour, tickers] of [
      ['KX-1', 'KX-2', 'KX-3'],
      ['KX-1', 'KX-2'],
      ['KX-1', 'KX-2'],
      [],
    ].entries()) {
      only(...tickers);
      await run(NOW + hour * HOUR_MS);
      states.push(market('venue_a:KX-3')?.venue_status);
    }
    expect(states).toEqual(['active', 'active', 'not listed', 'not listed']);
    expect(market('venue_a:KX-1')?.status).toBe('active');
    only('KX-1', 'KX-2', 'KX-3');
    await run(NOW + 5 * HOUR_MS);
    expect(market('venue_a:KX-3')).toMatchObject({ status: 'active', venue_status: 'active' });
  });

  it('[F12] also closes vanished markets when more have vanished than a run looks up', async () => {
    const only = (tickers: readonly string[]) => listOnKalshi(venue, ...tickers);
    const many = Array.from({ length: 1100 }, (_, i) => `KX-A${i}`);
    only(['KX-1', 'KX-2', ...many]);
    await run();
    only(['KX-1', 'KX-2']);
    for (const hours of [1, 2, 3]) await run(NOW + hours * HOUR_MS);
    only(['KX-1']);
    for (const hours of [4, 5]) await run(NOW + hours * HOUR_MS);
    const open = store.read((reader) =>
      reader.all<{ native_id: string }>("SELECT native_id FROM markets WHERE status = 'active'"),
    );
    expect(open.map((each) => each.native_id)).toEqual(['KX-1']);
  });

  it('[F12] closes no market that its ticker still finds, even when the answer is rejected', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `KX-A${i}`);
    listOnKalshi(venue, 'KX-1', ...many);
    await run();
    listOnKalshi(venue, 'KX-1');
    const lost = { yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000', last_price_dollars: '0.0000' };
    venue.on('/kalshi/markets', (query) => ({
      markets: (query.get('tickers')?.split(',') ?? []).map((ticker) => kalshiMarket(ticker, lost)),
      cursor: '',
    }));
    for (const hours of [1, 2, 3])
      expect(feedOf(await run(NOW + hours * HOUR_MS), 'venue_a/events').message).toBe(
        'bid is zero or missing in 30 of 31 rows that had it before; the page was not stored',
      );
    expect(market('venue_a:KX-A0')).toMatchObject({ status: 'active', venue_status: 'active' });
  });

  it('keeps the dates of an event whose markets have all been moved, or cannot be read', async () => {
    await run();
    const event = () =>
      store.read((reader) =>
        reader.all<{ closes_at: number | null }>('SELECT listed_at, closes_at FROM events'),
      );
    const known = event();
    expect(known[0]?.closes_at).toBeGreaterThan(NOW);
    for (const markets of [[], [{ ticker: 7 }]]) {
      listOnKalshi(venue, ...markets);
      await run(NOW + HOUR_MS);
      expect(event()).toEqual(known);
    }
  });

  it('[F9] a market whose row cannot be read still counts as listed', async () => {
    await run();
    const odd = kalshiMarket('KX-2', { yes_bid_dollars: 62 });
    listOnKalshi(venue, 'KX-1', odd);
    for (const hour of [1, 2, 3]) await run(NOW + hour * HOUR_MS);
    expect(market('venue_a:KX-2')).toMatchObject({ status: 'active', last_seen_at: NOW });
  });

  it('[F5] considers nothing gone after a crawl with less than half of the rows before', async () => {
    const events = (count: number) =>
      venue.on('/kalshi/events', () => ({
        events: Array.from({ length: count }, (_, i) =>
          kalshiEvent([kalshiMarket(`KX-${i}`, { event_ticker: `EV-${i}` })], { event_ticker: `EV-${i}` }),
        ),
        cursor: '',
      }));
    events(8);
    await run();
    events(3);
    for (const hour of [1, 2, 3])
      expect(feedOf(await run(NOW + hour * HOUR_MS), 'venue_a/events').message).toBe(
        'the venue listed 3 rows after 8 in the full crawl before; markets missing from it are not closed',
      );
    expect(market('venue_a:KX-7')?.status).toBe('active');
    // A list that is as short a day later has become so.
    for (const hour of [24, 25])
      expect(feedOf(await run(NOW + hour * HOUR_MS), 'venue_a/events').condition).toBe('good');
    expect(market('venue_a:KX-7')).toMatchObject({ status: 'closed', venue_status: 'not listed' });
    events(0);
    for (const hour of [26, 60])
      expect(feedOf(await run(NOW + hour * HOUR_MS), 'venue_a/events').message).toBe(
        'the venue listed nothing',
      );
  });
});
