import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { markCatalog } from '../../src/compute/mark-catalog.ts';
import { selectNamedMarkets } from '../../src/ingest/named-markets.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { findNote } from '../../src/store/notes.ts';
import { findLatestQuote } from '../../src/store/prices/latest-quotes.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { adopt } from '../helpers/small-store.ts';
import { raw } from './fixture-venue.ts';
import { configFor, factsOf, feedOf, NOW, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const BASE = '2026-11-10T00:00:00Z';
const NAMED = `venue_b:${conditionId(1)}`;

it('of a market that several definitions name, the earliest start of each kind counts, and its trades if one counts them', () => {
  const store = memoryStore();
  const start = (hours: number) => NOW - hours * HOUR_MS;
  const index = (...ids: string[]) => ({
    ticker: 'BOTH',
    name: 'Both',
    visibility: 'public',
    methodology: 'gauge',
    quote_convention: 'probability',
    interval_minutes: 60,
    base_at: formatInstant(start(20)),
    weighting: { scheme: 'equal' },
    constituents: ids.map((market_id) => ({ market_id })),
  });
  const rate = (ticker: string, start_at: number, more: object) => ({
    ticker,
    name: ticker,
    visibility: 'public',
    interval_minutes: 60,
    start_at: formatInstant(start_at),
    sources: [{ market_id: 'venue_a:KX-1' }],
    ...more,
  });
  const counted = rate('R.COUNTED', start(30), { methodology: 'robust_median' });
  const plain = rate('R.PLAIN', start(10), { methodology: 'event_contract' });
  const named = () =>
    store
      .read(selectNamedMarkets)
      .map((each) => [
        each.native_id,
        ...[each.history_from + 8 * DAY_MS, each.named_since, each.priced_from].map(
          (at) => (NOW - at) / HOUR_MS,
        ),
        each.counts_trades,
      ]);
  adopt(store, [index('venue_a:KX-1', 'venue_a:KX-2')], [], start(9));
  adopt(store, [index('venue_a:KX-1', 'venue_a:KX-2')], [counted, plain], start(8));
  expect(named()).toEqual([
    ['KX-1', 30, 9, 30, true],
    ['KX-2', 20, 9, 20, undefined],
  ]);
  // What changes is calculated from then on.
  adopt(store, [index('venue_a:KX-1', 'venue_a:KX-2', 'venue_a:KX-3')], [counted, plain], start(7));
  expect(named()).toEqual([
    ['KX-1', 30, 8, 30, true],
    ['KX-2', 20, 7, 7, undefined],
    ['KX-3', 20, 7, 7, undefined],
  ]);
});

describe('ingest of named markets', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
  });

  const run = (options: Parameters<typeof runIngest>[2] = {}) =>
    runIngest(store, configFor(venue.origin), options);
  const market = (id: string) => store.read((reader) => findMarket(reader, id));
  const latest = (id: string) =>
    store.read((reader) => findLatestQuote(reader, findMarket(reader, id)?.market_key ?? 0));
  // A candle of the same instant takes precedence in the latest quote.
  const lastQuote = (id: string) =>
    pricesOf(store, id, 'quote')
      .map(({ observed_at, bid, ask, last }) => ({ observed_at, bid, ask, last }))
      .at(-1);

  it('writes an unchanged quote only after 90 minutes, but that of a named market in every run', async () => {
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    const quotes = (id: string) =>
      store.read((reader) =>
        reader
          .all<{ observed_at: number }>(
            `SELECT observed_at FROM price_tail WHERE series = 'quote' AND market_key = ? ORDER BY observed_at`,
            findMarket(reader, id)?.market_key ?? 0,
          )
          .map((each) => (each.observed_at - NOW) / 60_000),
      );
    for (const minutes of [0, 15, 61, 91, 105]) await run({ only: 'venue_a', now: NOW + minutes * 60_000 });
    expect(quotes('venue_a:KX-1')).toEqual([0, 15, 61, 91, 105]);
    expect(quotes('venue_a:KX-2')).toEqual([0, 91]);
    listOnKalshi(venue, kalshiMarket('KX-2', { yes_bid_size_fp: '0.00', yes_ask_size_fp: '0.00' }));
    await run({ only: 'venue_a', now: NOW + 110 * 60_000 });
    expect(quotes('venue_a:KX-2')).toEqual([0, 91, 110]);
    expect(latest('venue_a:KX-2')).toMatchObject({ bid: null, ask: null, last: 0.42 });
  });

  it('[2.5.2/2] records once that an active market has no quote and no trade: that marks it at half a cent', async () => {
    const unquoted = { yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000', last_price_dollars: '0.0000' };
    listOnKalshi(venue, kalshiMarket('KX-3', unquoted));
    for (const minutes of [0, 91, 200]) await run({ only: 'venue_a', now: NOW + minutes * 60_000 });
    const { market_key = 0 } = market('venue_a:KX-3') ?? {};
    const quotes = store.read((reader) =>
      reader.all('SELECT observed_at, bid, ask, last FROM price_tail WHERE market_key = ?', market_key),
    );
    expect(quotes).toEqual([{ observed_at: NOW, bid: null, ask: null, last: null }]);
    store.write((writer) => markCatalog(writer, NOW, undefined));
    const mark = store.read((reader) =>
      reader.get('SELECT price, basis FROM market_marks WHERE market_key = ?', market_key),
    );
    expect(mark).toEqual({ price: 0.005, basis: 'floor' });
  });

  it('requests the book of a named market that the catalog shows without one', async () => {
    const empty = { yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000', yes_bid_size_fp: '0.00' };
    const markets = [kalshiMarket('KX-1', empty), kalshiMarket('KX-2', empty), kalshiMarket('KX-3', empty)];
    listOnKalshi(venue, ...markets);
    venue.on('/kalshi/markets/orderbooks', (query) => ({
      orderbooks: query
        .getAll('tickers')
        .filter((ticker) => ticker === 'KX-1')
        .map((ticker) => ({
          ticker,
          orderbook_fp: { yes_dollars: [['0.30', '1.00']], no_dollars: [['0.60', '2.00']] },
        })),
    }));
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE);
    expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/books')).toMatchObject({
      condition: 'partial',
      message: '1 of 2 active markets have no book, such as KX-2',
    });
    expect(lastQuote('venue_a:KX-1')).toEqual({ observed_at: NOW, bid: 0.3, ask: 0.4, last: 0.42 });
    expect(lastQuote('venue_a:KX-2')).toEqual({ observed_at: NOW, last: 0.42 });
    expect(
      venue.requests
        .filter((each) => each.path.endsWith('orderbooks'))
        .map((each) => each.query.getAll('tickers')),
    ).toEqual([['KX-1', 'KX-2']]);
  });

  it('does not treat a price without a book as an empty book', async () => {
    const { bestBid: _bid, bestAsk: _ask, ...row } = gammaMarket(2);
    const { bestBid: _b, bestAsk: _a, ...named } = gammaMarket(1);
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([named, row])] }));
    venue.on('/clob/books', (_, body) =>
      JSON.parse(body).map(({ token_id }: { token_id: string }) => ({
        asset_id: token_id,
        bids: [{ price: '0.3', size: '1' }],
        asks: [],
      })),
    );
    nameMarkets(store, [NAMED], BASE);
    await run({ only: 'venue_b_global' });
    expect(latest(`venue_b:${conditionId(2)}`)).toEqual({
      book_at: null,
      bid: null,
      ask: null,
      last: null,
      last_at: null,
      point: 0.41,
    });
    expect(latest(NAMED)).toMatchObject({ book_at: NOW, bid: 0.3, ask: null, last: 0.41 });
  });

  it('asks the order book host for history that the data host does not give', async () => {
    venue.on('/clob/prices-history', (query) => ({
      history: [{ t: Number(query.get('startTs')) + 60, p: 0.37 }],
    }));
    nameMarkets(store, [NAMED], BASE);
    for (const answer of [raw('', 500), { data: [] }]) {
      const fresh = memoryStore();
      nameMarkets(fresh, [NAMED], BASE);
      venue.on('/data/v2/prices-history', () => answer);
      const report = await runIngest(fresh, configFor(venue.origin), { only: 'venue_b_global' });
      expect(feedOf(report, 'venue_b_global/history').observations_added).toBe(1);
    }
  });

  it('requests what is new, and never overwrites with an empty history', async () => {
    nameMarkets(store, ['venue_a:KX-1', NAMED], BASE);
    await run();
    const history = () => factsOf(store) as { tail: { series: string }[] };
    const before = history().tail.filter((each) => each.series !== 'quote');
    venue.on('/kalshi/markets/candlesticks', () => ({
      markets: [{ market_ticker: 'KX-1', candlesticks: [] }],
    }));
    venue.on('/data/v2/prices-history', () => ({ data: [] }));
    venue.requests.length = 0;
    await run({ now: NOW + 3 * HOUR_MS });
    const asked = venue.requests.filter((each) => each.path.endsWith('candlesticks'));
    expect(
      asked.map(({ query }) => [query.get('start_ts'), query.get('end_ts'), query.get('period_interval')]),
    ).toEqual([[String(NOW / 1000 - 2 * 3600), String(NOW / 1000 + 3 * 3600), '60']]);
    expect(history().tail.filter((each) => each.series !== 'quote')).toEqual(before);
  });

  it('an invalid id keeps no other named market from being looked up', async () => {
    nameMarkets(store, ['venue_b:553826', 'venue_b:0xAB', NAMED], BASE);
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(7)])] }));
    venue.on('/gamma/markets/keyset', (query) => {
      const ids = query.getAll('condition_ids');
      if (!ids.every((id) => /^0x[0-9a-f]{64}$/.test(id)))
        return raw('{"type":"validation error","error":"id is invalid"}', 422);
      const row = { ...gammaMarket(1), closed: true, outcomePrices: '["1", "0"]' };
      return { markets: query.get('closed') === 'true' ? [row] : [] };
    });
    const { message } = feedOf(await run(), 'venue_b_global/events');
    expect(message).toBe('not listed, though a definition names it: 553826, 0xAB');
    expect(store.read((reader) => findMarket(reader, NAMED))).toMatchObject({ status: 'settled', payout: 1 });
  });

  it('reads an hour that arrived later than the tick just after it', async () => {
    nameMarkets(store, [NAMED], BASE);
    const point = (at: number, price: number, resolution_seconds: number) => ({
      timestamp: at / 1000,
      price,
      resolution_seconds,
    });
    const points = [point(NOW - HOUR_MS, 0.4, 3600), point(NOW + 60_000, 0.43, 0)];
    venue.on('/data/v2/prices-history', (query) => ({
      data: points.filter(({ timestamp }) => timestamp >= Number(query.get('start'))),
    }));
    venue.on('/clob/prices-history', () => ({ history: [] }));
    await run({ now: NOW + 2 * 60_000 });
    points.splice(1, 1, point(NOW, 0.42, 3600), point(NOW + HOUR_MS, 0.44, 3600));
    await run({ now: NOW + HOUR_MS + 60_000 });
    expect(pricesOf(store, NAMED, 'history').map(({ observed_at, last }) => [observed_at, last])).toEqual([
      [NOW - HOUR_MS, 0.4],
      [NOW, 0.42],
      [NOW + 60_000, 0.43],
      [NOW + HOUR_MS, 0.44],
    ]);
  });

  it('looks up named markets that are not open, with the questions of their events', async () => {
    const settled = { status: 'finalized', result: 'yes', settlement_ts: '2026-11-09T12:00:00Z' };
    const markets = [kalshiMarket('KX-9', settled), kalshiMarket('KX-8')];
    venue.on('/kalshi/markets', (query) => ({
      markets: query.get('tickers') === 'KX-9,KX-none' ? [markets[0]] : [],
      cursor: '',
    }));
    venue.on('/kalshi/events', (query) => ({
      events: query.has('tickers')
        ? [kalshiEvent(markets)]
        : [kalshiEvent([kalshiMarket('KX-1')], { event_ticker: 'E' })],
      cursor: '',
    }));
    venue.on('/gamma/markets/keyset', (query) => ({
      markets:
        query.get('closed') === 'true' ? [gammaMarket(7, { closed: true, outcomePrices: '["0","1"]' })] : [],
    }));
    nameMarkets(store, ['venue_a:KX-9', 'venue_a:KX-none', `venue_b:${conditionId(7)}`], BASE);
    const report = await run();
    expect(market('venue_a:KX-9')).toMatchObject({
      status: 'settled',
      payout: 1,
      question: 'Rain in November – 9',
    });
    expect(market(`venue_b:${conditionId(7)}`)).toMatchObject({ status: 'settled', payout: 0 });
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'partial',
      message: 'not listed, though a definition names it: KX-none',
    });
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
  });

  it('lists the event of a named market that it first sees closed, and leaves a known one as it is', async () => {
    const events = [{ id: '77', slug: 'rain-77', title: 'Rain in July', endDate: '2026-07-31T00:00:00Z' }];
    const closed = (n: number) => gammaMarket(n, { closed: true, outcomePrices: '["0","1"]', events });
    const asked = [closed(7), closed(8), gammaMarket(9, { closed: true, events: [{ id: '78' }] })];
    const names = [7, 8, 9].map((n) => `venue_b:${conditionId(n)}`);
    venue.on('/gamma/markets/keyset', (query) => ({
      markets: query.get('closed') === 'true' ? asked : [],
    }));
    nameMarkets(store, names, BASE);
    await run();
    const listed = () =>
      store.read((reader) =>
        reader.all(`SELECT event_id, title, slug, closes_at FROM events WHERE native_id IN ('77', '78')`),
      );
    const event = {
      event_id: 'venue_b:77',
      title: 'Rain in July',
      slug: 'rain-77',
      closes_at: Date.parse('2026-07-31T00:00:00Z'),
    };
    expect(listed()).toEqual([event]);
    expect(names.map((name) => market(name)?.event_id)).toEqual(['venue_b:77', 'venue_b:77', 'venue_b:78']);
    const later = gammaMarket(10, { closed: true, events: [{ id: '77', title: 'Said shortly' }] });
    asked.push(later);
    nameMarkets(store, [...names, `venue_b:${conditionId(10)}`], BASE);
    await run({ now: NOW + HOUR_MS });
    expect(market(`venue_b:${conditionId(10)}`)?.event_id).toBe('venue_b:77');
    expect(listed()).toEqual([event]);
  });

  it('says that the row of a named market cannot be read, and not that it is missing', async () => {
    listOnKalshi(venue, 'KX-1', kalshiMarket('KX-2', { status: null }));
    venue.on('/kalshi/markets', () => ({ markets: [], cursor: '' }));
    nameMarkets(store, ['venue_a:KX-2'], BASE);
    expect(feedOf(await run(), 'venue_a/events')).toMatchObject({
      condition: 'partial',
      message: 'cannot be read, though a definition names it: KX-2',
    });
  });

  it.each([
    ['venue_a', '/kalshi/events', '/kalshi/markets', 'venue_a:KX-1', [kalshiMarket('KX-1')]],
    ['venue_b_global', '/gamma/events/keyset', '/gamma/markets/keyset', NAMED, [gammaMarket(1)]],
  ] as const)('asks %s for them where its list fails', async (only, list, lookUp, id, markets) => {
    nameMarkets(store, [id], BASE);
    await run({ only, now: NOW - HOUR_MS });
    venue.on(list, () => raw('{}', 400));
    venue.on(lookUp, (query) => ({ markets: query.get('closed') === 'true' ? [] : markets, cursor: '' }));
    expect(feedOf(await run({ only }), `${only}/events`)).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('answered 400'),
    });
    expect(latest(id)).toMatchObject({ book_at: NOW });
    const crawl = store.read((reader) => findNote(reader, `${only}/events`, 'full_crawl', z.unknown()));
    expect(crawl).toMatchObject({ at: NOW - HOUR_MS });
  });

  it('requests books one by one when the venue refuses several, and says so', async () => {
    const bookless = { bestBid: null, bestAsk: null };
    venue.on('/gamma/events/keyset', () => ({
      events: [gammaEvent([gammaMarket(1, bookless), gammaMarket(2, bookless)])],
    }));
    venue.on('/clob/books', () => raw('{"error":"No orderbook exists for one of them"}', 404));
    venue.on('/clob/book', (query) =>
      query.get('token_id')?.startsWith('1')
        ? {
            asset_id: query.get('token_id'),
            bids: [{ price: '0.20', size: '5' }],
            asks: [{ price: '0.24', size: '5' }],
          }
        : undefined,
    );
    nameMarkets(store, [NAMED, `venue_b:${conditionId(2)}`], BASE);
    const report = await run({ only: 'venue_b_global' });
    expect(feedOf(report, 'venue_b_global/books')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(
        /^books are fetched one by one, since the request for several failed: .* answered 404/,
      ),
    });
    expect(latest(NAMED)).toMatchObject({ book_at: NOW, bid: 0.2, ask: 0.24 });
  });

  it.each([401, 403])(
    'asks no further for books that want a key (%d), and takes the quotes of the catalog',
    async (status) => {
      const crossed = { yes_bid_dollars: '0.6000', yes_ask_dollars: '0.5000' };
      const tickers = ['KX-1', 'KX-2', 'KX-3'];
      listOnKalshi(venue, ...tickers.map((ticker) => kalshiMarket(ticker, crossed)));
      const refused = () => raw('{"error":{"code":"unauthorized","message":"no key"}}', status);
      venue.on('/kalshi/markets/orderbooks', refused);
      for (const ticker of tickers) venue.on(`/kalshi/markets/${ticker}/orderbook`, refused);
      nameMarkets(
        store,
        tickers.map((each) => `venue_a:${each}`),
        BASE,
      );
      expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/books')).toMatchObject({
        condition: 'failed',
        requests: 2,
        message: expect.stringContaining(`answered ${status} "no key"`),
      });
      for (const each of tickers) expect(lastQuote(`venue_a:${each}`)).toMatchObject({ bid: 0.6, ask: 0.5 });
    },
  );

  it('requests books of Kalshi one by one too, in the integer cents of old', async () => {
    const bookless = { yes_bid_size_fp: '0.00', yes_ask_size_fp: '0.00' };
    listOnKalshi(venue, ...['KX-1', 'KX-2'].map((ticker) => kalshiMarket(ticker, bookless)));
    venue.on('/kalshi/markets/orderbooks', () => raw('{"error":"too many"}', 400));
    venue.on('/kalshi/markets/KX-1/orderbook', () => ({
      orderbook: {
        yes: [[20, 5]],
        no: [
          [76, 5],
          [70, 9],
        ],
      },
    }));
    nameMarkets(store, ['venue_a:KX-1', 'venue_a:KX-2'], BASE);
    expect(feedOf(await run({ only: 'venue_a' }), 'venue_a/books')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(
        /^books are fetched one by one, since the request for several failed: .* answered 400/,
      ),
    });
    expect(lastQuote('venue_a:KX-1')).toMatchObject({ observed_at: NOW, bid: 0.2, ask: 0.24 });
    expect(lastQuote('venue_a:KX-2')).toEqual({ observed_at: NOW, last: 0.42 });
  });

  it('[F4] between full crawls asks Gamma only for new events and named markets', async () => {
    nameMarkets(store, [NAMED], BASE);
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    const at = (minutes: number) =>
      runIngest(store, settings, { only: 'venue_b_global', now: NOW + minutes * 60_000 });
    await at(0);
    venue.requests.length = 0;
    venue.on('/gamma/events/keyset', () => ({ events: [] }));
    venue.on('/gamma/markets/keyset', (query) => ({
      markets: query.get('closed') === 'false' ? [gammaMarket(1, { bestBid: 0.31 })] : [],
    }));
    const report = await at(10);
    expect(report.feeds.map((each) => each.condition)).toEqual(['good', 'good', 'good']);
    const [first] = venue.requests.filter((each) => each.path === '/gamma/events/keyset');
    expect(first?.query.get('start_date_min')).toBe(new Date(NOW - 24 * HOUR_MS).toISOString());
    expect(latest(NAMED)).toMatchObject({ bid: 0.31 });
  });
});
