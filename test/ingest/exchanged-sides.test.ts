import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { answerOutcomes } from './hyperliquid-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const MARKET = `venue_b:${conditionId(1)}`;
const TEAMS = '["Lakers","Celtics"]';
const EXCHANGED = '["Celtics","Lakers"]';
/** The first token costs 41 cents, the second 59. */
const OTHER_QUOTES = { bestBid: 0.58, bestAsk: 0.6, lastTradePrice: 0.59, outcomePrices: '["0.59","0.41"]' };
const OTHER_TOKENS = { clobTokenIds: '["102","101"]' };
const EXCHANGED_ROW = { outcomes: EXCHANGED, ...OTHER_TOKENS, ...OTHER_QUOTES };
const LEFT_OUT =
  'its outcomes or its tokens have changed places, so that its prices may be of the other side';
const RESOLVED = { closed: true, umaResolutionStatus: 'resolved' };

describe('a Polymarket market that is listed with its two outcomes in the other order', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    nameMarkets(store, [MARKET], '2026-11-10T00:00:00Z');
  });

  const list = (changes: object) =>
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(1, { ...changes })])] }));
  const run = async (hours: number) => {
    const settings = configFor(venue.origin);
    const now = NOW + hours * HOUR_MS;
    return feedOf(await runIngest(store, settings, { now, only: 'venue_b_global' }), 'venue_b_global/events');
  };
  const market = () => store.read((reader) => findMarket(reader, MARKET));
  const lastQuote = () => pricesOf(store, MARKET, 'quote').at(-1);
  const begin = async (changes: object) => {
    list(changes);
    await run(0);
  };

  it('keeps the side, token and price that it had', async () => {
    await begin({ outcomes: TEAMS });
    list(EXCHANGED_ROW);
    expect((await run(2)).condition).toBe('good');
    expect(market()).toMatchObject({ yes_sub_title: 'Lakers', price_token: '101' });
    expect(lastQuote()).toMatchObject({ observed_at: NOW + 2 * HOUR_MS, bid: 0.4, ask: 0.42, last: 0.41 });
    const asked = venue.requests.flatMap(({ path, query }) =>
      path === '/data/v2/prices-history' ? [query.get('token_id')] : [],
    );
    expect(new Set(asked)).toEqual(new Set(['101']));
  });

  it('keeps its side where the names changed as well, by its token', async () => {
    await begin({ outcomes: TEAMS });
    list({ ...EXCHANGED_ROW, outcomes: '["Boston Celtics","Los Angeles Lakers"]' });
    await run(2);
    expect(market()).toMatchObject({ yes_sub_title: 'Los Angeles Lakers', price_token: '101' });
    expect(lastQuote()).toMatchObject({ bid: 0.4, ask: 0.42 });
  });

  it('keeps its side where it has other tokens, by its name', async () => {
    await begin({ outcomes: TEAMS });
    list({ outcomes: EXCHANGED, version: 'v2', positionIds: ['902', '901'], ...OTHER_QUOTES });
    await run(2);
    expect(market()).toMatchObject({ yes_sub_title: 'Lakers', price_token: '901' });
    expect(lastQuote()).toMatchObject({ bid: 0.4, ask: 0.42 });
  });

  it('is paid what its own side is worth', async () => {
    await begin({ outcomes: TEAMS });
    list({ ...EXCHANGED_ROW, ...RESOLVED, outcomePrices: '["0","1"]' });
    await run(2);
    expect(market()).toMatchObject({ status: 'settled', payout: 1 });
  });

  it.each([
    [TEAMS, EXCHANGED],
    ['["Yes","No"]', '["No","Yes"]'],
  ])('is not paid by a list that may be in either order: of %s, then %s', async (first, outcomes) => {
    venue.on('/data/v2/resolutions', () => ({
      data: [{ condition_id: conditionId(1), status: 'resolved', payouts: [1_000_000, 0] }],
    }));
    await begin({ outcomes: first });
    list({ ...EXCHANGED_ROW, ...RESOLVED, outcomes, outcomePrices: '["0","0"]' });
    await run(2);
    expect(market()).toMatchObject({ status: 'closed', payout: null });
  });

  it.each([
    ['only its tokens change places', OTHER_TOKENS],
    ['only the names of its outcomes change places', { outcomes: EXCHANGED }],
  ])('is left out where %s, and a definition that names it is told so', async (_, changes) => {
    await begin({ outcomes: TEAMS });
    const before = [market(), lastQuote()];
    list({ outcomes: TEAMS, ...changes });
    expect(await run(2)).toMatchObject({
      condition: 'partial',
      message: `cannot be read, though a definition names it: ${conditionId(1)}`,
      first_reasons: [`${conditionId(1)}: ${LEFT_OUT}`],
    });
    expect([market(), lastQuote()]).toEqual(before);
  });

  const historyAsked = () => venue.requests.some(({ path }) => path.includes('prices-history'));

  it('is left out with its history as long as its page stays as it is', async () => {
    await begin({ outcomes: TEAMS });
    list({ outcomes: TEAMS, ...OTHER_TOKENS });
    venue.requests.length = 0;
    for (const hours of [2, 3]) expect((await run(hours)).first_reasons[0]).toContain(LEFT_OUT);
    expect(historyAsked()).toBe(false);
  });

  it('is left out with its history also if the venue writes its id in capitals', async () => {
    const [written, id] = ['0xAB', '0xab'].map((each) => each.padEnd(66, '0'));
    nameMarkets(store, [`venue_b:${id}`], '2026-11-10T00:00:00Z');
    await begin({ conditionId: written, outcomes: TEAMS });
    expect(historyAsked()).toBe(true);
    list({ conditionId: written, outcomes: TEAMS, ...OTHER_TOKENS });
    venue.requests.length = 0;
    expect((await run(2)).first_reasons[0]).toContain(LEFT_OUT);
    expect(historyAsked()).toBe(false);
  });
});

describe('a Polymarket market whose outcomes are No and Yes', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
    nameMarkets(store, [MARKET], '2026-11-10T00:00:00Z');
  });

  it('is settled at the payout of Yes when it is resolved but not closed by the venue', async () => {
    const resolved = { active: false, outcomePrices: null, umaResolutionStatus: 'resolved' };
    const row = gammaMarket(1, { ...resolved, outcomes: '["No","Yes"]' });
    venue.on('/gamma/events/keyset', () => ({ events: [gammaEvent([row])] }));
    venue.on('/data/v2/resolutions', () => ({
      data: [{ condition_id: conditionId(1), status: 'resolved', payouts: [1_000_000, 0] }],
    }));
    await runIngest(store, configFor(venue.origin), { only: 'venue_b_global' });
    expect(store.read((reader) => findMarket(reader, MARKET))).toMatchObject({
      status: 'settled',
      payout: 0,
    });
  });
});

describe('a market of which nothing but the names says which side is which', () => {
  withVenueAndStore();

  it('is left out on Polymarket US once another side is the long one, with its history', async () => {
    const slug = 'aec-nfl-car-ari-2026-11-15';
    const id = `venue_b:us:${slug}`;
    const sides = (long: string) =>
      ['Away team', 'Home team'].map((description) => ({ description, long: description === long }));
    nameMarkets(store, [id], '2026-11-10T00:00:00Z');
    let row = usMarket(slug, { marketSides: sides('Home team') });
    venue.on('/us/v1/events', (query) => ({ events: query.get('offset') === '0' ? [usEvent([row])] : [] }));
    venue.on('/us/v1/markets', () => ({ markets: [row] }));
    venue.on('/us/v1/price-history', () => ({ history: [] }));
    const run = (hours: number) =>
      runIngest(store, configFor(venue.origin), { now: NOW + hours * HOUR_MS, only: 'venue_b_us' });
    await run(0);
    const before = store.read((reader) => findMarket(reader, id));
    row = usMarket(slug, { marketSides: sides('Away team') });
    venue.requests.length = 0;
    const feed = feedOf(await run(2), 'venue_b_us/events');
    expect(feed.message).toBe(`cannot be read, though a definition names it: ${slug}`);
    expect(feed.first_reasons).toContain(`${slug}: ${LEFT_OUT}`);
    expect(store.read((reader) => findMarket(reader, id))).toEqual(before);
    expect(venue.requests.filter(({ path }) => path === '/us/v1/price-history')).toEqual([]);
    row = usMarket(slug, { marketSides: sides('Home team').reverse() });
    expect(feedOf(await run(3), 'venue_b_us/events').condition).toBe('good');
  });

  it('is left out on Hyperliquid once its sides have the names of each other, also when it settles', async () => {
    nameMarkets(store, ['venue_c:100'], '2026-11-10T00:00:00Z');
    let names = ['Lakers', 'Celtics'];
    let isSettled = false;
    const game = () => ({ outcome: 100, name: 'Game', sideSpecs: names.map((name) => ({ name })) });
    const rain = { outcome: 101, name: 'Rain' };
    answerOutcomes(venue, {
      outcomeMeta: () => ({ outcomes: isSettled ? [rain] : [game(), rain] }),
      settledOutcome: () => (isSettled ? { spec: game(), settleFraction: '1.0' } : undefined),
    });
    const asked = () => venue.requests.map(({ body }) => body).join();
    const run = async (hours: number) => {
      venue.requests.length = 0;
      const now = NOW + hours * HOUR_MS;
      const report = await runIngest(store, configFor(venue.origin), { now, only: 'venue_c' });
      return feedOf(report, 'venue_c/outcomes');
    };
    await run(0);
    names = names.reverse();
    const feed = await run(2);
    expect(feed.message).toBe('cannot be read, though a definition names it: 100');
    expect(feed.first_reasons).toEqual([`100: ${LEFT_OUT}`]);
    expect(asked()).toContain('#1010');
    expect(asked()).not.toContain('#1000');
    const market = () => store.read((reader) => findMarket(reader, 'venue_c:100'));
    expect(market()).toMatchObject({ status: 'active', yes_sub_title: 'Lakers' });
    isSettled = true;
    expect(await run(3)).toMatchObject({ message: feed.message, first_reasons: feed.first_reasons });
    expect(market()).toMatchObject({ status: 'active', yes_sub_title: 'Lakers', payout: null });
    names = names.reverse();
    expect((await run(4)).condition).toBe('good');
    expect(market()).toMatchObject({ status: 'settled', yes_sub_title: 'Lakers', payout: 1 });
  });
});
