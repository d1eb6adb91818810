import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const BASE = '2026-11-10T00:00:00Z';
/** More than a request asks for. */
const TICKERS = Array.from({ length: 150 }, (_, i) => `KX-N${String(i).padStart(3, '0')}`);
const ODD = 'KX-N041';

describe('look-ups of markets by their ids', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
  });

  const run = (only: 'venue_a' | 'venue_b_global', now = NOW) =>
    runIngest(store, configFor(venue.origin), { only, now });
  const market = (id: string) => store.read((reader) => findMarket(reader, id));
  const known = (ids: readonly string[]) => ids.filter((id) => market(id) !== undefined);
  const asked = (path: string) => venue.requests.filter((each) => each.path === path);

  /** Kalshi, with what it answers where the odd ticker is among those asked for. */
  const answerTickers = (odd: () => unknown) => {
    venue.on('/kalshi/markets', (query) => {
      const tickers = query.get('tickers')?.split(',') ?? [];
      if (tickers.includes(ODD)) return odd();
      return { markets: tickers.map((ticker) => kalshiMarket(ticker)), cursor: '' };
    });
    venue.on('/kalshi/historical/markets', () => ({ markets: [], cursor: '' }));
    nameMarkets(
      store,
      TICKERS.map((ticker) => `venue_a:${ticker}`),
      BASE,
    );
  };
  const others = TICKERS.filter((ticker) => ticker !== ODD).map((ticker) => `venue_a:${ticker}`);

  it.each([
    ['refuses', () => raw('{"error":{"code":"bad_request","message":"no such thing"}}', 400), 'answered 400'],
    ['answers with something else', () => ({ error: 'none' }), 'markets must be'],
  ])('where a venue %s for one id, all others are read, and the feed says so', async (_, odd, said) => {
    answerTickers(odd);
    const feed = feedOf(await run('venue_a'), 'venue_a/events');
    expect(known(others)).toEqual(others);
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining(said) });
    expect(asked('/kalshi/markets').length).toBeLessThan(20);
  });

  it('an id that a venue answers with 404 is one that it does not list', async () => {
    answerTickers(() => raw('{"error":{"code":"not_found","message":"not found"}}', 404));
    const feed = feedOf(await run('venue_a'), 'venue_a/events');
    expect(known(others)).toEqual(others);
    expect(feed.message).toBe(`not listed, though a definition names it: ${ODD}`);
    const moved = asked('/kalshi/historical/markets').map((each) => each.query.get('tickers'));
    expect(moved.filter((each) => each !== null)).toEqual([ODD]);
  });

  it('ids that a venue fails at hold up no later requests, and their batch is not split', async () => {
    answerTickers(() => raw('{}', 500));
    const feed = feedOf(await run('venue_a'), 'venue_a/events');
    expect(known(others)).toEqual(others.slice(99));
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining('answered 500') });
  });

  it('a market whose event a venue fails at keeps no other from being read', async () => {
    const eventOf = (ticker: string) => `EV-${ticker.slice(3)}`;
    const row = (ticker: string) => kalshiMarket(ticker, { event_ticker: eventOf(ticker) });
    const [bad = '', ...good] = TICKERS.slice(0, 4);
    nameMarkets(
      store,
      [bad, ...good].map((ticker) => `venue_a:${ticker}`),
      BASE,
    );
    venue.on('/kalshi/markets', (query) => ({
      markets: (query.get('tickers') ?? '').split(',').map(row),
      cursor: '',
    }));
    venue.on('/kalshi/events', (query) => {
      const tickers = query.get('tickers')?.split(',');
      if (!tickers) return { events: [kalshiEvent([kalshiMarket('KX-1')])], cursor: '' };
      if (tickers.includes(eventOf(bad))) return raw('{}', 500);
      const events = good.filter((ticker) => tickers.includes(eventOf(ticker)));
      return {
        events: events.map((ticker) => kalshiEvent([row(ticker)], { event_ticker: eventOf(ticker) })),
        cursor: '',
      };
    });
    const feed = feedOf(await run('venue_a'), 'venue_a/events');
    expect(known([bad, ...good].map((ticker) => `venue_a:${ticker}`))).toEqual(
      good.map((ticker) => `venue_a:${ticker}`),
    );
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining('answered 500') });
  });

  it('a market whose row has no text keeps the question of its event, and settles', async () => {
    const untold = { title: '', yes_sub_title: null };
    const settled = { status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' };
    listOnKalshi(venue, kalshiMarket('KX-1', untold));
    nameMarkets(store, ['venue_a:KX-1'], BASE);
    await run('venue_a');
    listOnKalshi(venue, 'KX-2');
    venue.on('/kalshi/markets', (query) => ({
      markets: query.get('tickers') === 'KX-1' ? [kalshiMarket('KX-1', { ...untold, ...settled })] : [],
      cursor: '',
    }));
    const feed = feedOf(await run('venue_a', NOW + HOUR_MS), 'venue_a/events');
    expect(market('venue_a:KX-1')).toMatchObject({ question: 'Rain in November', payout: 1 });
    expect(feed.condition).toBe('good');
  });

  it('a moved market whose siblings a venue fails to list keeps no other from being read', async () => {
    const eventOf = (ticker: string) => `EV-${ticker.slice(3)}`;
    const row = (ticker: string) => kalshiMarket(ticker, { event_ticker: eventOf(ticker) });
    const [bad = '', ...good] = TICKERS.slice(0, 4);
    const ids = (tickers: readonly string[]) => tickers.map((ticker) => `venue_a:${ticker}`);
    nameMarkets(store, ids([bad, ...good]), BASE);
    venue.on('/kalshi/markets', () => ({ markets: [], cursor: '' }));
    venue.on('/kalshi/historical/markets', (query) => {
      if (query.get('event_ticker') === eventOf(bad)) return raw('{}', 500);
      return { markets: (query.get('tickers') ?? '').split(',').filter(Boolean).map(row), cursor: '' };
    });
    venue.on('/kalshi/events', (query) => {
      const tickers = query.get('tickers')?.split(',');
      if (!tickers) return { events: [kalshiEvent([kalshiMarket('KX-1')])], cursor: '' };
      return { events: tickers.map((event_ticker) => kalshiEvent([], { event_ticker })), cursor: '' };
    });
    const feed = feedOf(await run('venue_a'), 'venue_a/events');
    expect(known(ids([bad, ...good]))).toEqual(ids(good));
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining('answered 500') });
  });

  it('a change whose event a venue fails at is requested until it is read', async () => {
    let fails = true;
    const since: (string | null)[] = [];
    const eventOf = (ticker: string) => `EV-${ticker}`;
    const row = (ticker: string) => kalshiMarket(ticker, { event_ticker: eventOf(ticker) });
    venue.on('/kalshi/markets', (query) => {
      if (!query.has('min_updated_ts')) return { markets: [], cursor: '' };
      since.push(query.get('min_updated_ts'));
      return { markets: [row('KX-ODD'), row('KX-NEW')], cursor: '' };
    });
    venue.on('/kalshi/events', (query) => {
      const tickers = query.get('tickers')?.split(',');
      if (!tickers) return { events: [kalshiEvent([kalshiMarket('KX-1')])], cursor: '' };
      if (fails && tickers.includes(eventOf('KX-ODD'))) return raw('{}', 500);
      const events = ['KX-ODD', 'KX-NEW'].filter((ticker) => tickers.includes(eventOf(ticker)));
      return {
        events: events.map((ticker) => kalshiEvent([row(ticker)], { event_ticker: eventOf(ticker) })),
        cursor: '',
      };
    });
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    const runAt = (minutes: number) =>
      runIngest(store, settings, { only: 'venue_a', now: NOW + minutes * MINUTE_MS });
    await runAt(0);
    await runAt(10);
    expect(known(['venue_a:KX-ODD', 'venue_a:KX-NEW'])).toEqual(['venue_a:KX-NEW']);
    fails = false;
    await runAt(20);
    expect(known(['venue_a:KX-ODD', 'venue_a:KX-NEW'])).toHaveLength(2);
    await runAt(30);
    const first = NOW / 1000 - 60;
    expect(since.map(Number)).toEqual([first, first, first + 1200]);
  });

  it('a venue that refuses everything is not asked for each id separately', async () => {
    venue.on('/kalshi/markets', () => raw('{"error":"forbidden"}', 403));
    venue.on('/kalshi/historical/markets', () => raw('{"error":"forbidden"}', 403));
    nameMarkets(
      store,
      TICKERS.map((ticker) => `venue_a:${ticker}`),
      BASE,
    );
    await run('venue_a');
    expect(asked('/kalshi/markets').length).toBeLessThan(40);
  });

  it('a market whose look-up is refused is not considered gone', async () => {
    const markets = [kalshiMarket('KX-1'), kalshiMarket('KX-2'), kalshiMarket('KX-3')];
    const list = (listed: readonly object[]) => listOnKalshi(venue, ...listed);
    list(markets);
    await run('venue_a');
    list(markets.slice(0, 1));
    venue.on('/kalshi/markets', (query) =>
      query.get('tickers')?.includes('KX-3') ? raw('{}', 400) : { markets: [], cursor: '' },
    );
    venue.on('/kalshi/historical/markets', (query) =>
      query.get('tickers')?.includes('KX-3') ? raw('{}', 400) : { markets: [], cursor: '' },
    );
    for (const hours of [1, 2, 3]) await run('venue_a', NOW + hours * HOUR_MS);
    expect(market('venue_a:KX-2')).toMatchObject({ status: 'closed', venue_status: 'not listed' });
    expect(market('venue_a:KX-3')).toMatchObject({ status: 'active' });
  });

  it('Polymarket: one id that is refused keeps no other market from being looked up', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => conditionId(1000 + i));
    venue.on('/gamma/markets/keyset', (query) => {
      const wanted = query.getAll('condition_ids');
      if (wanted.includes(ids[3] as string)) return raw('{"type":"validation error"}', 422);
      const open = query.get('closed') === 'false' ? wanted : [];
      return { markets: open.map((id) => gammaMarket(ids.indexOf(id) + 1000)) };
    });
    nameMarkets(
      store,
      ids.map((id) => `venue_b:${id}`),
      BASE,
    );
    const feed = feedOf(await run('venue_b_global'), 'venue_b_global/events');
    const rest = ids.filter((id) => id !== ids[3]).map((id) => `venue_b:${id}`);
    expect(known(rest)).toEqual(rest);
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining('answered 422') });
  });
});
