import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBestQuote } from '../../src/ingest/venues/polymarket-us/parse-best-quote.ts';
import { parseEventsPage, parseMarketsPage } from '../../src/ingest/venues/polymarket-us/parse-catalog.ts';
import { usEvent, usMarket } from './us-fixtures.ts';

const SLUG = 'aec-nfl-car-ari-2026-11-15';
const marketsOf = (markets: unknown[], event = {}) =>
  parseEventsPage({ events: [usEvent(markets, event)] }).markets;
const marketOf = (changes = {}, event = {}) => marketsOf([usMarket(SLUG, changes)], event)[0];

describe('a page of Polymarket US events', () => {
  it('[2.1/5] gives the fields that only this family has', () => {
    expect(marketOf()?.market).toMatchObject({
      market_id: `venue_b:us:${SLUG}`,
      event_id: 'venue_b:us:nfl-car-ari-2026-11-15',
      event_slug: 'nfl-car-ari-2026-11-15',
      rules_primary: 'If the home team wins, the market resolves to Yes.',
      yes_sub_title: 'Home team',
      market_type: 'moneyline',
      volume: 1234.5,
      volume_unit: 'shares',
      status: 'active',
    });
  });

  it.each([
    ['the time that it was made', { createdAt: '2026-10-20T08:00:00Z' }, '2026-10-20T08:00:00Z'],
    ['the same by its other name', { creationDate: '2026-10-21T08:00:00Z' }, '2026-10-21T08:00:00Z'],
    ['nothing where only the start of its game is stated', {}, undefined],
  ])('dates the listing of an event by %s', (_what, changes, expected) => {
    const game = { createdAt: undefined, startDate: '2026-11-15T21:05:00Z', ...changes };
    const [event] = parseEventsPage({ events: [usEvent([], game)] }).events;
    expect(event?.listed_at).toBe(expected && Date.parse(expected));
  });

  it('leaves absent what the venue does not publish', () => {
    const bare = {
      description: null,
      marketType: '',
      sportsMarketType: null,
      marketSides: null,
      title: null,
    };
    const { market } = marketOf({ ...bare, volume: null }, { description: '' }) ?? { market: {} };
    for (const field of [
      'description',
      'rules_primary',
      'yes_sub_title',
      'market_type',
      'volume',
      'volume_unit',
    ])
      expect(market).not.toHaveProperty(field);
  });

  it('uses the rules of the event, the finer type, and the title where the Yes side is only named so', () => {
    const changes = {
      description: '',
      marketType: undefined,
      marketSides: [
        { description: 'Yes', long: true },
        { description: 'No', long: false },
      ],
    };
    expect(marketOf(changes)?.market).toMatchObject({
      rules_primary: 'Who wins?',
      market_type: 'football_team_full_game_winner',
      yes_sub_title: 'Home',
    });
  });

  it.each([
    ['the end of the window that an asset is measured over', '2026-10-01T21:00:00Z', '2026-10-01T21:00:00Z'],
    ['the end date without one', null, '2026-10-01T21:30:00Z'],
    ['the end date beside one that is no time', 'soon', '2026-10-01T21:30:00Z'],
  ])('closes a market at %s', (_what, windowEnd, expected) => {
    const terms = { marketType: 'ASSET_PRICE_MARKET_TYPE_UP_DOWN', horizon: '1h', windowEnd };
    const listed = marketOf({ endDate: '2026-10-01T21:30:00Z', assetPriceTerms: terms });
    expect(listed?.market.closes_at).toBe(Date.parse(expected));
  });

  it.each([null, undefined, 'terms', []])('closes a market whose terms are %j at its end date', (terms) => {
    const listed = marketOf({ endDate: '2026-10-01T21:30:00Z', assetPriceTerms: terms });
    expect(listed?.market.closes_at).toBe(Date.parse('2026-10-01T21:30:00Z'));
  });

  it('names the candidate even where the page has no other market of the event that asks the same', () => {
    const yes = { title: 'Democratic Party', marketSides: [{ description: 'Yes', long: true }] };
    const asked = (changes: object, title: string) => marketOf(changes, { title })?.market.question;
    const winner = { ...yes, question: 'House Midterm Winner' };
    expect(asked(winner, 'House Midterm Winner')).toBe('House Midterm Winner – Democratic Party');
    expect(asked({ ...yes, question: 'Will Democrats win the House?' }, 'House Midterm Winner')).toBe(
      'Will Democrats win the House?',
    );
    expect(asked({ question: 'Home vs. Away' }, 'Home vs. Away')).toBe('Home vs. Away');
    expect(asked({ ...winner, title: 'Yes' }, 'House Midterm Winner')).toBe('House Midterm Winner');
  });

  it('names the candidate in the question where several markets ask the same', () => {
    const futures = ['a', 'b'].map((name) =>
      usMarket(`tec-champion-${name}`, { question: 'Who wins the league?', title: `Team ${name}` }),
    );
    expect(marketsOf(futures).map(({ market }) => market.question)).toEqual([
      'Who wins the league? – Team a',
      'Who wins the league? – Team b',
    ]);
    expect(marketOf()?.market.question).toBe('Will the home team win?');
  });

  it('reads quotes of both generations, and an absent one as absent', () => {
    const prices = (changes: object) => marketOf(changes)?.quote;
    expect(prices({})).toEqual({
      prices: { bid: 0.41, ask: 0.43, volume: 1234.5 },
      has_book: true,
      knows_last: false,
    });
    const old = { bestBidQuote: undefined, bestAskQuote: undefined, bestBid: 0.4, bestAsk: '0.44' };
    expect(prices(old)?.prices).toMatchObject({ bid: 0.4, ask: 0.44 });
    const oneSide = prices({ bestBidQuote: null, bestAskQuote: { value: '1.000', currency: 'USD' } });
    expect(oneSide).toEqual({ prices: { volume: 1234.5 }, has_book: true, knows_last: false });
    // Where nothing is quoted, an amount may lack its value.
    const noBid = prices({ bestBidQuote: { currency: 'USD' } });
    expect(noBid).toEqual({ prices: { ask: 0.43, volume: 1234.5 }, has_book: true, knows_last: false });
  });

  it.each([
    ['MARKET_STATUS_OPEN', {}, 'active'],
    ['MARKET_STATUS_HALTED', {}, 'paused'],
    ['MARKET_STATUS_CLOSED', {}, 'closed'],
    ['MARKET_STATUS_RESOLVING', {}, 'closed'],
    ['MARKET_STATUS_RESOLVED', {}, 'determined'],
    ['MARKET_STATUS_UNSPECIFIED', { closed: true }, 'closed'],
    ['MARKET_STATUS_UNSPECIFIED', { active: false }, 'unopened'],
    ['MARKET_STATUS_NEW_WORD', {}, 'active'],
    ['MARKET_STATUS_NEW_WORD', { bestBidQuote: null, bestAskQuote: null }, 'paused'],
    [undefined, { closed: true }, 'closed'],
  ])('maps the status %s with %o to %s; what has closed has no quote', (status, changes, expected) => {
    const listed = marketOf({ status, ...changes });
    expect(listed?.market.status).toBe(expected);
    expect(listed?.quote === undefined).toBe(expected === 'closed' || expected === 'determined');
  });

  it('leaves out parlays, which is no sign of a changed format', () => {
    const page = parseEventsPage({ events: [usEvent([usMarket('caoc-1'), usMarket(SLUG)])] });
    expect(page.markets).toHaveLength(1);
    expect(page.rejections).toMatchObject([{ native_id: 'caoc-1', path: 'markets.0.slug', expected: true }]);
  });

  it('leaves out the rows that cannot be read and keeps their neighbours', () => {
    const page = parseEventsPage({
      events: [
        usEvent([usMarket(SLUG), usMarket('', {}), usMarket('x', { bestAskQuote: { value: '1.7' } })]),
        usEvent([usMarket('lonely')], { title: null }),
      ],
    });
    expect(page.rejections.map(({ path, reason }) => [path, reason])).toEqual([
      ['markets.1.slug', 'slug must be an id, got ""'],
      ['markets.2.bestAskQuote', 'bestAskQuote must be 0 to 1, got "1.7"'],
      ['title', 'title must be a text, got null'],
    ]);
    expect(page.markets.map(({ market }) => [market.native_id, market.event_slug])).toEqual([
      [SLUG, 'nfl-car-ari-2026-11-15'],
      ['lonely', 'nfl-car-ari-2026-11-15'],
    ]);
    expect(page.read).toBe(6);
  });

  it('[2.1/5] keeps what a market needs of an event that cannot be read, unless it has no slug', () => {
    const bare = { description: null, endDate: null };
    const { market } = marketOf(bare, { volume: 'n/a' }) ?? {};
    expect(market).toMatchObject({
      event_slug: 'nfl-car-ari-2026-11-15',
      rules_primary: 'Who wins?',
      closes_at: Date.parse('2026-12-01T05:00:00Z'),
    });
    expect(marketOf({}, { slug: '' })?.market).not.toHaveProperty('event_slug');
  });

  it('closes a market without an end of its own with its event', () => {
    const event = { endDate: '2026-11-16T05:00:00Z' };
    expect(marketOf({ endDate: null }, event)?.market.closes_at).toBe(Date.parse('2026-11-16T05:00:00Z'));
    expect(marketOf({}, event)?.market.closes_at).toBe(Date.parse('2026-12-01T05:00:00Z'));
  });

  it('gives the same in any order of rows and keys', () => {
    const rows = [usMarket('a'), usMarket('b', { volume: 1 }), usMarket('c', { bestBidQuote: null })];
    const sorted = (markets: unknown[]) =>
      marketsOf(markets).toSorted((x, y) => (x.market.native_id < y.market.native_id ? -1 : 1));
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: 3 }), fc.boolean(), (shuffled, turned) => {
        const turn = (row: object) => Object.fromEntries(Object.entries(row).reverse());
        expect(sorted(turned ? shuffled.map(turn) : shuffled)).toEqual(sorted(rows));
      }),
    );
  });
});

it('a market on its own does not name its event', () => {
  const [listed] = parseMarketsPage({ markets: [usMarket(SLUG)] }).markets;
  expect(listed?.market).not.toHaveProperty('event_id');
});

describe('the best quote of one market', () => {
  const bbo = (changes = {}) =>
    parseBestQuote({
      marketData: {
        marketSlug: SLUG,
        bestBid: { value: '0.410', currency: 'USD' },
        bestAsk: { value: '0.430', currency: 'USD' },
        bidShares: '12',
        askShares: '3',
        lastTradePx: { value: '0.420', currency: 'USD' },
        sharesTraded: '99.5',
        openInterest: '7',
        ...changes,
      },
    });

  it('gives both sides and the last trade', () => {
    expect(bbo().byId.get(SLUG)).toEqual({ bid: 0.41, ask: 0.43, last: 0.42, open_interest: 7 });
  });

  it('does not mistake the shares of a session for those of the market’s life', () => {
    expect(bbo({ sharesTraded: '5343', openInterest: '138740' }).byId.get(SLUG)).not.toHaveProperty('volume');
  });

  it('treats a side without shares as empty', () => {
    expect(bbo({ bidShares: '0', askShares: null }).byId.get(SLUG)).toMatchObject({ ask: 0.43, last: 0.42 });
    expect(bbo({ bidShares: '0' }).byId.get(SLUG)).not.toHaveProperty('bid');
  });
});
