import { describe, expect, it } from 'vitest';
import { parseEventsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { listFeeds, listRejects } from '../../src/store/feeds.ts';
import { findLatestQuote } from '../../src/store/prices/latest-quotes.ts';
import { findCatalogState, setCatalogState } from '../../src/store/runs.ts';
import { fetchedBody } from '../helpers/fetched-body.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { type FixtureVenue, Raw, raw } from './fixture-venue.ts';
import { answerOutcomes } from './hyperliquid-venue.ts';
import { configFor, factsOf, feedOf, NOW, nameMarkets, runIngest, testEffects } from './run-ingest.ts';
import { withLimit } from './time-limits.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, kalshiCandle, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const BASE = '2026-11-10T00:00:00Z';
const NAMED = `venue_b:${conditionId(1)}`;

/** One market of each venue that it does not list. */
const unknownNames = {
  venue_a: 'venue_a:KX-NONE',
  venue_b_global: `venue_b:${conditionId(9)}`,
  venue_c: 'venue_c:9',
  venue_c_forecastex: 'venue_c:NONE_111026_1',
};

/** The columns of a daily file that are read. */
const DAILY_HEAD =
  'event_contract,subtype,expiration_date,start_price,high_price,low_price,end_price,settlement_price,pair_quantity,open_interest\n';

/** An outcome of Hyperliquid, and a day of ForecastEx. */
function answerAsThirdVenues(venue: FixtureVenue): void {
  answerOutcomes(venue, { outcomeMeta: () => ({ outcomes: [{ outcome: 1, name: 'One' }] }) });
  venue.on('/forecastex/prices/daily_prices_20261109.csv', () =>
    raw(`${DAILY_HEAD}A_111526_1,YES,2026-11-15T15:00:00-06:00,0.5,0.5,0.5,0.5,,3,3\n`, 200, {
      'content-type': 'text/csv',
    }),
  );
}

describe('ingest', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
  });

  const run = (options: Parameters<typeof runIngest>[2] = {}) =>
    runIngest(store, configFor(venue.origin), options);
  const market = (id: string) => store.read((reader) => findMarket(reader, id));
  const latest = (id: string) =>
    store.read((reader) => findLatestQuote(reader, findMarket(reader, id)?.market_key ?? 0));
  const count = (table: string) =>
    store.read((reader) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n);

  /** Parts that a search goes through. */
  const partsOf = (kind: string) => count(`(SELECT DISTINCT segid FROM ${kind}_words_idx)`);

  it('waits for the disk once at its end, not page by page, and has the list indexes built then', async () => {
    const seen = () => [
      store.read((reader) => reader.value('SELECT synchronous FROM pragma_synchronous')),
      count("sqlite_schema WHERE type = 'index'"),
    ];
    const before = seen();
    const during: unknown[] = [];
    await run({ progress: (feed) => feed === 'venue_a/events' && during.push(seen()) });
    expect(during).toEqual([[1, (before[1] as number) - 6]]);
    expect([before, seen()]).toEqual([[2, before[1]], before]);
  });

  it('ends when the disk is full, without waiting for what another venue owes', async () => {
    const asked = Promise.withResolvers<void>();
    venue.on('/gamma/events/keyset', () => new Raw(() => asked.resolve()));
    const many = Array.from({ length: 300 }, (_, i) => kalshiMarket(`KX-${i}`));
    const page = raw(JSON.stringify({ events: [kalshiEvent(many)], cursor: '' }));
    venue.on(
      '/kalshi/events',
      () =>
        new Raw(async (response, request) => {
          await asked.promise;
          store.read((reader) => reader.get('PRAGMA max_page_count = 1'));
          page.handle(response, request);
        }),
    );
    await expect(run()).rejects.toMatchObject({ code: 'store_unusable' });
    expect(venue.requests.filter(({ path }) => path === '/gamma/events/keyset')).toHaveLength(1);
  });

  it('fills an empty store from both venues and makes the catalog ready to serve', async () => {
    nameMarkets(store, ['venue_a:KX-1', NAMED], BASE);
    const report = await run();
    expect(report.feeds.map(({ feed, condition, rows_read }) => [feed, condition, rows_read])).toEqual([
      ['venue_a/series', 'good', 1],
      ['venue_a/events', 'good', 3],
      ['venue_a/candles', 'good', 2],
      ['venue_a/books', 'good', 0],
      ['venue_a/settlements', 'good', 0],
      ['venue_b_global/events', 'good', 3],
      ['venue_b_global/history', 'good', 1],
      ['venue_b_global/books', 'good', 0],
    ]);
    expect(report.first_fill).toBe(true);
    expect(store.read(findCatalogState)).toBe('serving');
    expect([count('events'), count('markets')]).toEqual([2, 4]);
    expect([partsOf('event'), partsOf('market')]).toEqual([1, 1]);
    expect(latest('venue_a:KX-1')).toMatchObject({ book_at: NOW, bid: 0.41, ask: 0.43, last: 0.42 });
    expect(store.read(listFeeds).map((each) => each.good_at)).toEqual(Array(8).fill(NOW));
  });

  it.each<keyof typeof unknownNames>(['venue_a', 'venue_b_global', 'venue_c', 'venue_c_forecastex'])(
    'a market that a definition names but %s does not list is reported, and does not hold its catalog back',
    async (only) => {
      nameMarkets(store, [unknownNames[only]], BASE);
      answerAsThirdVenues(venue);
      const report = await run({ only });
      expect(report.feeds.find((each) => each.message !== null)?.message).toMatch(/^not listed, though/);
      expect(report.first_fill).toBe(true);
      expect(store.read(findCatalogState)).toBe('serving');
    },
  );

  it.each(['venue_a', 'venue_b_global', 'venue_b_us', 'venue_c_forecastex'] as const)(
    'a complete list of %s is served after the next run, even if this one was killed before its end',
    async (only) => {
      answerAsThirdVenues(venue);
      venue.on('/us/v1/events', (query) =>
        query.get('offset') === '0' ? { events: [usEvent([usMarket('a')])] } : { events: [] },
      );
      const config = configFor(venue.origin, { full_crawl_minutes: 60 });
      await runIngest(store, config, { only });
      store.write((writer) => setCatalogState(writer, 'rebuilding', 0));
      const report = await runIngest(store, config, { only });
      expect([report.first_fill, store.read(findCatalogState)]).toEqual([true, 'serving']);
    },
  );

  it('a daily file that was read makes the catalog ready to serve, though a later one fails', async () => {
    answerAsThirdVenues(venue);
    const row = 'A_111526_1,YES,2026-11-15T15:00:00-06:00,0.5,0.5,0.5,0.5,,3,3\n';
    venue.on('/forecastex/prices/daily_prices_20261106.csv', () =>
      raw(DAILY_HEAD + row, 200, { 'content-type': 'text/csv' }),
    );
    venue.on('/forecastex/prices/daily_prices_20261109.csv', () => raw('{}', 403));
    const report = await run({ only: 'venue_c_forecastex' });
    expect([feedOf(report, 'venue_c_forecastex/prices').condition, report.first_fill]).toEqual([
      'partial',
      true,
    ]);
  });

  it('adds nothing when the same run is made again', async () => {
    const newest = { timestamp: NOW / 1000 - 3600, price: 0.4, resolution_seconds: 3600 };
    venue.on('/data/v2/prices-history', () => ({ data: [newest], pagination: { next_cursor: null } }));
    nameMarkets(store, ['venue_a:KX-1', NAMED], BASE);
    await run();
    const before = factsOf(store);
    const report = await run();
    expect(report.feeds.map((each) => [each.rows_changed, each.observations_added])).toEqual(
      Array(8).fill([0, 0]),
    );
    expect(factsOf(store)).toEqual(before);
    expect(report.first_fill).toBe(false);
  });

  it('keeps each raw answer once, so that it can be parsed again', async () => {
    await run({ only: 'venue_a' });
    await run({ only: 'venue_a' });
    expect([count('fetches'), count('payloads')]).toEqual([5, 3]);
    const body = store.read((reader) => fetchedBody(reader, 2));
    const again = parseEventsPage(JSON.parse(body?.toString('utf8') ?? ''));
    expect(again.markets.map((each) => each.market.market_id)).toEqual(['venue_a:KX-1', 'venue_a:KX-2']);
  });

  it('keeps raw answers for as long as configured, and everything parsed from them', async () => {
    const days = (keep_answers_days: number) =>
      runIngest(store, configFor(venue.origin, { keep_answers_days }), {
        now: NOW + 8 * DAY_MS,
        only: 'venue_a',
      });
    await run({ only: 'venue_a' });
    const kept = count('fetches');
    expect((await days(9)).answers_forgotten).toBe(0);
    expect((await days(7)).answers_forgotten).toBe(kept);
    expect(market('venue_a:KX-1')).toBeDefined();
  });

  it('names a row left out, with its place, its id and the reason', async () => {
    const markets = [kalshiMarket('KX-1', { yes_bid_dollars: 1.7 }), kalshiMarket(''), kalshiMarket('KX-3')];
    listOnKalshi(venue, ...markets);
    const events = feedOf(await run({ only: 'venue_a' }), 'venue_a/events');
    expect(events).toMatchObject({
      condition: 'good',
      rows_read: 4,
      rows_left_out: 2,
      first_reasons: ['KX-1: yes_bid_dollars must be 0 to 1, got 1.7', 'row 0: ticker must be an id, got ""'],
    });
    expect(store.read((reader) => listRejects(reader, 1, 10))).toMatchObject([
      { position: 0, native_id: 'KX-1', path: 'markets.0.yes_bid_dollars' },
      { position: 0, native_id: null, path: 'markets.1.ticker' },
    ]);
    expect(market('venue_a:KX-3')?.question).toBe('Rain in November – 3');
  });

  it('says so when most rows of a page cannot be read', async () => {
    const markets = Array.from({ length: 30 }, (_, i) => kalshiMarket(`KX-${i}`, { status: undefined }));
    listOnKalshi(venue, ...markets);
    expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/events')).toMatchObject({
      condition: 'partial',
      message: '30 of 31 rows could not be read; has the format changed?',
    });
  });

  it('reads every page, and stops where a cursor repeats', async () => {
    const page = (cursor: string | null, next: string) => ({
      events: [kalshiEvent([kalshiMarket(`KX-${cursor}`)], { event_ticker: `EV-${cursor}` })],
      cursor: next,
    });
    const pages = new Map([
      [null, page('1', 'b')],
      ['b', page('2', 'c')],
      ['c', page('3', 'b')],
    ]);
    venue.on('/kalshi/events', (query) => pages.get(query.get('cursor')));
    const report = await run({ only: 'venue_a' });
    expect(feedOf(report, 'venue_a/events')).toMatchObject({ condition: 'partial', rows_read: 6 });
    expect([count('events'), report.first_fill]).toEqual([3, false]);
    pages.set('c', page('3', ''));
    expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/events').condition).toBe('good');
  });

  it('reports one venue that is down and reads the other', async () => {
    venue.on('/kalshi/events', () => raw('<html>', 503, { 'content-type': 'text/html' }));
    const report = await run();
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: expect.stringMatching(/answered 503 \(3 tries\)$/),
      requests: 9,
    });
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
    expect(store.read(listFeeds).find((each) => each.feed === 'venue_a/events')).toMatchObject({
      condition: 'failed',
      good_at: null,
    });
  });

  it('keeps the complete pages before one that fails', async () => {
    const first = { events: [kalshiEvent([kalshiMarket('KX-1')])], cursor: 'b' };
    venue.on('/kalshi/events', (query) => (query.has('cursor') ? raw('{"events":[{"event_tick') : first));
    expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/events')).toMatchObject({
      condition: 'partial',
      rows_read: 2,
      message: expect.stringContaining('cut off'),
    });
    expect(market('venue_a:KX-1')).toBeDefined();
  });

  it('gives up at the deadline and when told to stop, with a report', async () => {
    const stop = new AbortController();
    venue.on('/kalshi/events', () => {
      stop.abort();
      return raw('', 503);
    });
    const report = await run({ signal: stop.signal });
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: 'stopped before its end',
    });
    venue.on('/kalshi/events', () => raw('', 503));
    const settings = configFor(venue.origin, { deadline_seconds: 300 });
    const late = await withLimit(300_000, (all) => {
      const sleep = (_: number, signal?: AbortSignal) => {
        const slept = untilAborted(signal);
        all.abort();
        return slept;
      };
      return runIngest(store, settings, { only: 'venue_a', effects: { ...testEffects(), sleep } });
    });
    expect(feedOf(late, 'venue_a/events').message).toBe('gave up after 300 s');
  });

  it('takes nothing that was answered after the machine was suspended for what was seen before', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    let clock = NOW;
    const effects = { ...testEffects(), now: () => clock };
    const wake: typeof fetch = async (...asked) => {
      const response = await fetch(...asked);
      clock = NOW + 8 * HOUR_MS;
      return response;
    };
    const settings = configFor(venue.origin);
    const woken = await runIngest(store, settings, { only: 'venue_a', effects: { ...effects, fetch: wake } });
    expect(feedOf(woken, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: 'gave up, since the clock went on by more than 600 s while it was asked',
    });
    expect([count('fetches'), latest('venue_a:KX-1')]).toEqual([0, undefined]);
    await runIngest(store, settings, { only: 'venue_a', effects, now: clock });
    expect(latest('venue_a:KX-1')).toMatchObject({ book_at: clock, bid: 0.41 });
  });

  it('leaves time for markets that definitions name when a list is slow or endless', async () => {
    nameMarkets(store, ['venue_a:KX-9'], BASE);
    venue.on('/kalshi/markets', (query) => ({
      markets: query.get('tickers') === 'KX-9' ? [kalshiMarket('KX-9')] : [],
      cursor: '',
    }));
    const settings = configFor(venue.origin, { deadline_seconds: 600 });
    // Three quarters are for lists.
    const report = await withLimit(450_000, (listing) => {
      let page = 0;
      venue.on('/kalshi/events', (query) => {
        if (query.has('tickers')) return { events: [], cursor: '' };
        if (++page === 9) listing.abort();
        return { events: [kalshiEvent([], { event_ticker: `EV-${page}` })], cursor: String(page) };
      });
      return runIngest(store, settings, { only: 'venue_a' });
    });
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/^ingest.deadline_seconds leaves no time for page 10/),
    });
    expect(feedOf(report, 'venue_a/candles')).toMatchObject({ condition: 'good', observations_added: 2 });
  });

  it('leaves time for them too when there are more settlements to catch up with than fit in a run', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    const settings = configFor(venue.origin, { deadline_seconds: 300 });
    await runIngest(store, settings, { only: 'venue_a', now: NOW - 30 * HOUR_MS });
    const report = await withLimit(300_000, (all) => {
      let page = 0;
      venue.on('/kalshi/markets', (query) => {
        const isSettled = query.get('status') === 'settled';
        if (isSettled && page >= 9) all.abort();
        return { markets: isSettled ? [kalshiMarket(`KX-S${page}`)] : [], cursor: String(page++) };
      });
      return runIngest(store, settings, { only: 'venue_a' });
    });
    expect(feedOf(report, 'venue_a/settlements').message).toBe('gave up after 300 s');
    expect(feedOf(report, 'venue_a/candles')).toMatchObject({ condition: 'good', observations_added: 2 });
  });

  it('gives the same tables whatever the order and repetition of rows', async () => {
    const events = [
      kalshiEvent([kalshiMarket('KX-1'), kalshiMarket('KX-2')]),
      kalshiEvent([kalshiMarket('KX-3', { event_ticker: 'EV-2' })], { event_ticker: 'EV-2' }),
    ];
    const candles = [1, 2, 3, 4].map((hours) => kalshiCandle(NOW / 1000 - hours * 3600));
    const factsWith = async (listed: unknown[], hours: unknown[]) => {
      const fresh = memoryStore();
      nameMarkets(fresh, ['venue_a:KX-1'], BASE);
      venue.on('/kalshi/events', () => ({ events: listed, cursor: '' }));
      venue.on('/kalshi/markets/candlesticks', () => ({
        markets: [{ market_ticker: 'KX-1', candlesticks: hours }],
      }));
      await runIngest(fresh, configFor(venue.origin), { only: 'venue_a' });
      return factsOf(fresh);
    };
    const reference = await factsWith(events, candles);
    expect(await factsWith(events.toReversed(), candles.toReversed())).toEqual(reference);
    expect(await factsWith([...events, ...events], [...candles, ...candles])).toEqual(reference);
  });

  it('accepts ids that are JavaScript keywords', async () => {
    const ids = ['__proto__', 'constructor', 'hasOwnProperty'];
    venue.on('/kalshi/events', () => ({
      events: ids.map((id) => kalshiEvent([kalshiMarket(id, { event_ticker: id })], { event_ticker: id })),
      cursor: '',
    }));
    nameMarkets(
      store,
      ids.map((id) => `venue_a:${id}`),
      BASE,
    );
    const report = await run({ only: 'venue_a' });
    expect(report.feeds.map((each) => each.condition)).toEqual(Array(5).fill('good'));
    for (const id of ids) expect(latest(`venue_a:${id}`)).toMatchObject({ bid: 0.41 });
  });

  describe('of a venue that lists eight markets', () => {
    const list = (changes: Record<string, unknown>) => {
      const markets = Array.from({ length: 8 }, (_, i) => kalshiMarket(`KX-${i}`, changes));
      listOnKalshi(venue, ...markets);
    };
    const events = async (hours: number) =>
      feedOf(await run({ only: 'venue_a', now: NOW + hours * HOUR_MS }), 'venue_a/events');
    const empty = { yes_bid_dollars: '0.0000', yes_ask_dollars: '0.0000' };

    it('[F9] believes that all of them lost their quotes, but not their last trades too', async () => {
      list({});
      await events(0);
      list(empty);
      expect(await events(1)).toMatchObject({ condition: 'good' });
      expect(latest('venue_a:KX-1')).toMatchObject({ bid: null, last: 0.42 });
      list({ ...empty, last_price_dollars: '0.0000' });
      expect(await events(2)).toMatchObject({
        condition: 'partial',
        message: 'last is zero or missing in 8 of 8 rows that had it before; the page was not stored',
        rows_changed: 0,
      });
    });

    it('[F9] does not believe, for a day, that most of many turned to their opposites', async () => {
      const quoted = (yes_bid_dollars: string, yes_ask_dollars: string) => {
        const markets = Array.from({ length: 20 }, (_, i) =>
          kalshiMarket(`KX-${i}`, { yes_bid_dollars, yes_ask_dollars }),
        );
        listOnKalshi(venue, ...markets);
      };
      quoted('0.9200', '0.9400');
      await events(0);
      quoted('0.0600', '0.0800');
      expect(await events(1)).toMatchObject({
        condition: 'partial',
        message: 'the quotes of 20 of 20 rows are over 50 cents from those before; the page was not stored',
      });
      expect(latest('venue_a:KX-1')).toMatchObject({ bid: 0.92, ask: 0.94 });
      expect(await events(25)).toMatchObject({ condition: 'good' });
      expect(latest('venue_a:KX-1')).toMatchObject({ bid: 0.06, ask: 0.08 });
    });

    it('[F9] asks whether the format changed when none of them can be read', async () => {
      list({ status: null });
      expect(await events(0)).toMatchObject({
        condition: 'partial',
        message: '8 of 9 rows could not be read; has the format changed?',
      });
    });
  });

  it('reads the CLOB listing in place of the events when configured', async () => {
    venue.on('/clob/markets', (query) => ({
      data: query.has('next_cursor') ? [] : [clobMarket(1)],
      next_cursor: query.has('next_cursor') ? 'LTE=' : 'MTAwMA==',
    }));
    const settings = configFor(venue.origin);
    settings.venues.venue_b_global.catalog = 'clob';
    const report = await runIngest(store, settings, { only: 'venue_b_global' });
    expect(feedOf(report, 'venue_b_global/markets')).toMatchObject({
      condition: 'good',
      rows_read: 1,
      requests: 2,
    });
    expect([market(NAMED)?.question, report.first_fill]).toEqual(['Will it?', true]);
  });

  it.each([
    ['that is empty', [], 'the venue listed nothing'],
    [
      'in which no market has its date any more',
      Array.from({ length: 20 }, (_, i) => clobMarket(i + 1)),
      'closes_at is zero or missing in 20 of 20 rows that had it before; the page was not stored',
    ],
  ])('does not consider a CLOB listing %s complete', async (_, data, message) => {
    const settings = configFor(venue.origin);
    settings.venues.venue_b_global.catalog = 'clob';
    const listed = Array.from({ length: 20 }, (_, i) => ({
      ...clobMarket(i + 1),
      end_date_iso: '2026-12-01T00:00:00Z',
    }));
    venue.on('/clob/markets', () => ({ data: listed, next_cursor: 'LTE=' }));
    const whole = await runIngest(store, settings, { only: 'venue_b_global' });
    expect(feedOf(whole, 'venue_b_global/markets')).toMatchObject({ condition: 'good', catalog_whole: true });
    venue.on('/clob/markets', () => ({ data, next_cursor: 'LTE=' }));
    const report = await runIngest(store, settings, { only: 'venue_b_global', now: NOW + HOUR_MS });
    expect(feedOf(report, 'venue_b_global/markets')).toMatchObject({
      condition: 'partial',
      message,
      catalog_whole: false,
    });
  });
});

async function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

/** A market of the CLOB's own listing. */
function clobMarket(number: number): object {
  return {
    condition_id: conditionId(number),
    question: 'Will it?',
    active: true,
    closed: false,
    tokens: [{ token_id: `${number}1` }, { token_id: `${number}2` }],
  };
}
