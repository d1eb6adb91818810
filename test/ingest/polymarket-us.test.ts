import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import {
  configFor,
  factsOf,
  feedOf,
  NOW,
  nameMarkets,
  pricesOf,
  runIngest,
  testEffects,
} from './run-ingest.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';

const SLUG = 'aec-nfl-car-ari-2026-11-15';
const ID = `venue_b:us:${SLUG}`;
const EVENTS = '/us/v1/events';
const HISTORY = '/us/v1/price-history';

describe('ingest of Polymarket US', () => {
  withVenueAndStore(() => {
    list([usEvent([usMarket(SLUG)])]);
    venue.on('/us/v1/markets', () => ({ markets: [] }));
    venue.on(HISTORY, () => ({
      history: [{ timestamp: NOW / 1000 - 60, longPrice: 0.43, shortPrice: 0.59 }],
    }));
  });

  const list = (events: unknown[]) =>
    venue.on(EVENTS, (query) => ({ events: events.slice(Number(query.get('offset'))).slice(0, 1) }));
  const run = (options: Parameters<typeof runIngest>[2] = {}, settings = configFor(venue.origin)) =>
    runIngest(store, settings, { only: 'venue_b_us', ...options });
  const name = () => nameMarkets(store, [ID], '2026-11-10T00:00:00Z');
  const market = () => store.read((reader) => findMarket(reader, ID));
  // A candle of the same instant takes precedence in the latest quote.
  const lastQuote = (id = ID) =>
    pricesOf(store, id, 'quote')
      .map(({ observed_at, bid, ask, last }) => ({ observed_at, bid, ask, last }))
      .at(-1);
  const asked = (path: string) => venue.requests.filter((each) => each.path === path);

  it('walks short pages to the empty one', async () => {
    list(['a', 'b', 'c'].map((slug) => usEvent([usMarket(slug)], { slug: `event-${slug}` })));
    const report = await run();
    expect(asked(EVENTS).map(({ query }) => query.get('offset'))).toEqual(['0', '1', '2', '3']);
    expect(feedOf(report, 'venue_b_us/events')).toMatchObject({ condition: 'good', rows_read: 6 });
  });

  it('requests the configured boards of leagues and topics, and then not the list', async () => {
    for (const path of ['/us/v2/leagues/nfl/events', '/us/v2/tags/fed/events'])
      venue.on(path, (query) => ({
        events: query.get('offset') === '0' ? [usEvent([usMarket(path.split('/')[4] ?? '')])] : [],
      }));
    const settings = configFor(venue.origin);
    Object.assign(settings.venues.venue_b_us, {
      leagues: ['nfl'],
      tags: ['fed'],
      market_types: ['moneyline'],
    });
    await run({}, settings);
    expect(asked(EVENTS)).toEqual([]);
    const [first] = asked('/us/v2/leagues/nfl/events');
    expect(first?.query.getAll('marketTypes')).toEqual(['moneyline']);
    expect(asked('/us/v2/tags/fed/events')).toHaveLength(2);
  });

  it('reads the boards after one that the venue does not have, and says so', async () => {
    venue.on('/us/v2/leagues/nfl/events', (query) => ({
      events: query.get('offset') === '0' ? [usEvent([usMarket(SLUG)])] : [],
    }));
    const settings = configFor(venue.origin);
    settings.venues.venue_b_us.leagues = ['none', 'nfl'];
    expect(feedOf(await run({}, settings), 'venue_b_us/events')).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/leagues\/none\/events.* answered 404/),
      catalog_whole: false,
    });
    expect(market()?.status).toBe('active');
  });

  it('does not follow a repeated page, and says so', async () => {
    venue.on(EVENTS, () => ({ events: [usEvent([usMarket(SLUG)])] }));
    expect(feedOf(await run(), 'venue_b_us/events')).toMatchObject({
      condition: 'partial',
      message: 'page 2 repeats page 1; the rest of the list was not read',
    });
  });

  it('waits out a refusal in HTML without a pause, and does not read it as JSON', async () => {
    let refusals = 1;
    venue.on(EVENTS, (query) =>
      refusals-- > 0
        ? raw('<html>slow down</html>', 429, { 'content-type': 'text/html', 'retry-after': '0' })
        : { events: query.get('offset') === '0' ? [usEvent([usMarket(SLUG)])] : [] },
    );
    const effects = testEffects();
    const report = await run({ effects });
    expect(feedOf(report, 'venue_b_us/events').condition).toBe('good');
    expect(Math.max(...effects.slept)).toBeGreaterThanOrEqual(1000);
  });

  it('keeps display prices as candles with bid and ask and requests only what is missing', async () => {
    name();
    await run();
    await run({ now: NOW + HOUR_MS });
    const starts = asked(HISTORY).map(({ query }) => query.get('timestamp.startTimestamp'));
    expect(starts.at(-1)).toBe(String((NOW - 2 * HOUR_MS) / 1000));
    const rows = store.read((reader) => reader.all("SELECT * FROM price_tail WHERE series = 'candle_60'"));
    expect(rows).toMatchObject([{ observed_at: NOW, bid: 0.41, ask: 0.43, last: null, volume: null }]);
  });

  it('does not accept an empty history as none: it requests all of it until it comes', async () => {
    name();
    let recovered = false;
    venue.on(HISTORY, (query) =>
      recovered || !query.has('fixedInterval')
        ? {
            history: [
              {
                timestamp: NOW / 1000 - (query.has('fixedInterval') ? 5 * 86_400 : 60),
                longPrice: 0.4,
                shortPrice: 0.7,
              },
            ],
          }
        : { history: [] },
    );
    const intervals = () => asked(HISTORY).map(({ query }) => query.get('fixedInterval'));
    expect(feedOf(await run(), 'venue_b_us/price-history').condition).toBe('good');
    expect(intervals()).toEqual(['INTERVAL_1M', null]);
    recovered = true;
    await run({ now: NOW + HOUR_MS });
    expect(intervals()).toEqual(['INTERVAL_1M', null, 'INTERVAL_1M', null]);
    const points = store.read((reader) => reader.all("SELECT 1 FROM price_tail WHERE series = 'candle_60'"));
    expect(points).toHaveLength(2);
    await run({ now: NOW + 2 * HOUR_MS });
    expect(intervals().slice(4)).toEqual([null]);
  });

  it('an empty history removes nothing', async () => {
    name();
    await run();
    const before = factsOf(store) as { tail: unknown[] };
    venue.on(HISTORY, () => ({ history: [] }));
    await run();
    expect((factsOf(store) as { tail: unknown[] }).tail).toEqual(before.tail);
  });

  it('requests the last trade of a named market with one side only, and no other', async () => {
    name();
    const oneSide = { bestBidQuote: null };
    list([usEvent([usMarket(SLUG, oneSide), usMarket('other', oneSide)])]);
    venue.on(`/us/v1/markets/${SLUG}/bbo`, () => ({
      marketData: { marketSlug: SLUG, bestAsk: { value: '0.430' }, lastTradePx: { value: '0.425' } },
    }));
    await run();
    expect(lastQuote()).toEqual({ observed_at: NOW, ask: 0.43, last: 0.425 });
    expect(venue.requests.filter(({ path }) => path.endsWith('/bbo'))).toHaveLength(1);
  });

  it('requests the book of a named market whose catalog row has its bid above its ask, and mixes the two in no way', async () => {
    name();
    list([usEvent([usMarket(SLUG, { bestBidQuote: { value: '0.500' }, bestAskQuote: { value: '0.430' } })])]);
    const book = (sides: object) =>
      venue.on(`/us/v1/markets/${SLUG}/bbo`, () => ({ marketData: { marketSlug: SLUG, ...sides } }));
    book({ bestBid: { value: '0.440' }, bestAsk: { value: '0.460' } });
    await run();
    expect(lastQuote()).toMatchObject({ bid: 0.44, ask: 0.46 });
    book({ bestBid: { value: '0.420' }, lastTradePx: { value: '0.425' } });
    await run({ now: NOW + HOUR_MS });
    expect(lastQuote()).toEqual({ observed_at: NOW + HOUR_MS, bid: 0.42, last: 0.425 });
  });

  it('a market without a quote keeps no other from being asked for', async () => {
    nameMarkets(store, ['venue_b:us:aec-none', ID], '2026-11-10T00:00:00Z');
    const oneSide = { bestBidQuote: null };
    list([usEvent([usMarket('aec-none', oneSide), usMarket(SLUG, oneSide)])]);
    venue.on(`/us/v1/markets/${SLUG}/bbo`, () => ({
      marketData: { marketSlug: SLUG, bestAsk: { value: '0.430' }, lastTradePx: { value: '0.425' } },
    }));
    expect(feedOf(await run(), 'venue_b_us/quotes')).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('aec-none/bbo: answered 404'),
    });
    expect(lastQuote()).toEqual({ observed_at: NOW, ask: 0.43, last: 0.425 });
    expect(lastQuote('venue_b:us:aec-none')).toMatchObject({ ask: 0.43 });
  });

  describe('a resolved market', () => {
    const settlement = `/us/v1/markets/${SLUG}/settlement`;
    const resolved = usMarket(SLUG, { status: 'MARKET_STATUS_RESOLVED', closed: true });

    it("is settled at the venue's payout, and stays so", async () => {
      name();
      list([usEvent([resolved, usMarket('other')])]);
      venue.on(settlement, () => ({ slug: SLUG, settlement: 0.4 }));
      await run();
      expect(market()).toMatchObject({ status: 'settled', payout: 0.4, settled_at: NOW });
      venue.on(settlement, () => raw('{"code":5,"message":"Settlement not found","details":[]}', 404));
      await run({ now: NOW + DAY_MS });
      expect(market()).toMatchObject({ status: 'settled', payout: 0.4, settled_at: NOW });
      await run({ now: NOW + 8 * DAY_MS });
      expect(market()?.status).toBe('settled');
      expect(asked(settlement)).toHaveLength(2);
    });

    it('is only determined while the venue is silent, which is no fault', async () => {
      name();
      list([usEvent([resolved])]);
      venue.on(settlement, () => raw('{"code":5,"message":"Settlement not found","details":[]}', 404));
      const report = await run();
      expect(market()).toMatchObject({ status: 'determined', payout: null });
      expect(feedOf(report, 'venue_b_us/events').condition).toBe('good');
    });

    it('whose payout cannot be fetched leaves its neighbours as listed, and is retried', async () => {
      name();
      list([usEvent([resolved, usMarket('other')])]);
      venue.on(settlement, () => raw('{"code":13,"message":"broken"}', 500));
      expect(feedOf(await run(), 'venue_b_us/events')).toMatchObject({ condition: 'partial', rows_read: 3 });
      expect(market()).toMatchObject({ status: 'determined', payout: null });
      expect(store.read((reader) => findMarket(reader, 'venue_b:us:other'))?.status).toBe('active');
      venue.on(settlement, () => ({ slug: SLUG, settlement: 1 }));
      await run({ now: NOW + HOUR_MS });
      expect(market()).toMatchObject({ status: 'settled', payout: 1 });
    });

    it('is not settled by an answer about another market, and the row is named', async () => {
      name();
      list([usEvent([resolved])]);
      venue.on(settlement, () => ({ slug: 'other', settlement: 1 }));
      expect(feedOf(await run(), 'venue_b_us/events').first_reasons).toEqual([
        `other: slug must be ${SLUG}, got other`,
      ]);
      expect(market()).toMatchObject({ status: 'determined', payout: null });
    });

    it('is found by its event when the list of open ones has dropped it', async () => {
      name();
      await run();
      list([usEvent([usMarket('other')], { slug: 'another' })]);
      venue.on('/us/v1/events/slug/nfl-car-ari-2026-11-15', () => ({
        event: usEvent([resolved], { closed: true, closedTime: '2026-11-10T11:00:00Z' }),
      }));
      venue.on(settlement, () => ({ slug: SLUG, settlement: 1 }));
      await run();
      expect(market()).toMatchObject({ status: 'settled', payout: 1, settled_at: NOW - HOUR_MS });
    });

    it('that was never seen before has its event and its instant where its name states the game', async () => {
      const spread = `asc-nfl-car-ari-2026-11-15-pos-7pt5`;
      nameMarkets(store, [ID, `venue_b:us:${spread}`, 'venue_b:us:tec-cup'], '2026-11-10T00:00:00Z');
      list([usEvent([usMarket('other')], { slug: 'another' })]);
      venue.on('/us/v1/events/slug/nfl-car-ari-2026-11-15', () => ({
        event: usEvent([resolved, { ...resolved, slug: spread }, { ...resolved, slug: 'tsc-unnamed' }], {
          closed: true,
          closedTime: '2026-11-10T11:00:00Z',
        }),
      }));
      for (const slug of [SLUG, spread])
        venue.on(`/us/v1/markets/${slug}/settlement`, () => ({ slug, settlement: 1 }));
      await run();
      expect(store.read((reader) => findMarket(reader, `venue_b:us:${spread}`))).toMatchObject({
        event_slug: 'nfl-car-ari-2026-11-15',
        status: 'settled',
        settled_at: NOW - HOUR_MS,
      });
      expect(market()?.settled_at).toBe(NOW - HOUR_MS);
      expect(asked('/us/v1/events/slug/nfl-car-ari-2026-11-15')).toHaveLength(1);
      // Of a game that is over nothing else is taken in.
      expect(store.read((reader) => findMarket(reader, 'venue_b:us:tsc-unnamed'))).toBeUndefined();
    });

    it('keeps its event, and the rules and the end that it has from it, when only the market itself is still answered', async () => {
      const bare = { description: null, endDate: null };
      name();
      list([usEvent([usMarket(SLUG, bare)])]);
      await run();
      list([usEvent([usMarket('other')], { slug: 'another' })]);
      const closed = { ...resolved, ...bare };
      venue.on('/us/v1/markets', (query) => ({ markets: query.get('closed') === 'true' ? [closed] : [] }));
      venue.on(settlement, () => ({ slug: SLUG, settlement: 0 }));
      await run();
      expect(market()).toMatchObject({
        status: 'settled',
        payout: 0,
        event_slug: 'nfl-car-ari-2026-11-15',
        rules_primary: 'Who wins?',
        closes_at: Date.parse('2026-12-01T05:00:00Z'),
      });
    });
  });

  it('names a named market that the venue does not know', async () => {
    nameMarkets(store, ['venue_b:us:nowhere'], '2026-11-10T00:00:00Z');
    expect(feedOf(await run(), 'venue_b_us/events')).toMatchObject({
      condition: 'partial',
      message: 'not listed, though a definition names it: nowhere',
    });
  });
});
