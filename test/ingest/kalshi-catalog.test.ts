import { describe, expect, it } from 'vitest';
import { parseEventsPage, parseMarketsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { kalshiEvent, kalshiMarket, kalshiMarketInCents } from './wire-fixtures.ts';

const eventsOf = (...events: unknown[]) => parseEventsPage({ events, cursor: '' });
const oneMarket = (changes: Record<string, unknown>) => {
  const page = eventsOf(kalshiEvent([kalshiMarket('KXRAIN-26NOV-T1', changes)]));
  return { ...page.markets[0], reasons: page.rejections.map((each) => each.reason) };
};

describe('a page of Kalshi events', () => {
  it('[2.1/1] gives each nested market an id, a question and what the venue says of it', () => {
    const page = eventsOf(kalshiEvent([kalshiMarket('KXRAIN-26NOV-A'), kalshiMarket('KXRAIN-26NOV-B')]));
    expect(page.events).toEqual([
      {
        event_id: 'venue_a:KXRAIN-26NOV',
        family: 'venue_a',
        native_id: 'KXRAIN-26NOV',
        title: 'Rain in November',
        series: 'KXRAIN',
        category: 'Climate and Weather',
        description: 'In New York',
        listed_at: Date.parse('2026-10-01T12:00:00.123Z'),
        closes_at: Date.parse('2026-12-01T05:00:00Z'),
      },
    ]);
    expect(page.markets[0]?.market).toEqual({
      market_id: 'venue_a:KXRAIN-26NOV-A',
      event_id: 'venue_a:KXRAIN-26NOV',
      family: 'venue_a',
      native_id: 'KXRAIN-26NOV-A',
      question: 'Rain in November – A',
      description: 'If it rains, the market resolves to Yes.\n\nDrizzle counts.',
      event_slug: 'kxrain',
      status: 'active',
      venue_status: 'active',
      listed_at: Date.parse('2026-10-01T12:00:00.123Z'),
      opens_at: Date.parse('2026-10-01T14:00:00Z'),
      closes_at: Date.parse('2026-12-01T05:00:00Z'),
      volume: 2573.91,
      volume_unit: 'contracts',
      open_interest: 2287.91,
    });
    expect([page.read, page.rejections]).toEqual([3, []]);
  });

  it("uses the event's question alone when it has one market", () => {
    expect(oneMarket({}).market?.question).toBe('Rain in November');
  });

  it('tells two markets of an event apart, whatever words they share or lack', () => {
    const page = eventsOf(
      kalshiEvent([
        kalshiMarket('KX-1', { yes_sub_title: 'J. Smith' }),
        kalshiMarket('KX-2', { yes_sub_title: 'J. Smith' }),
        kalshiMarket('KX-3', { yes_sub_title: '', title: 'A. Jones?' }),
        kalshiMarket('KX-4', { yes_sub_title: null, title: null }),
        kalshiMarket('KX-4', { yes_sub_title: null, title: null }),
      ]),
      kalshiEvent([kalshiMarket('KX-5', { event_ticker: 'KXRAIN-26DEC' })], { event_ticker: 'KXRAIN-26DEC' }),
    );
    expect(page.markets.map(({ market }) => market.question)).toEqual([
      'Rain in November – J. Smith (KX-1)',
      'Rain in November – J. Smith (KX-2)',
      'Rain in November – A. Jones?',
      'Rain in November',
      'Rain in November',
      'Rain in November',
    ]);
  });

  it('gives questions and titles as plain words, without Markdown', () => {
    const rows = ['Above **2%**', ' 3* to 4* '].map((yes_sub_title, i) =>
      kalshiMarket(`KX-${i}`, { yes_sub_title }),
    );
    const page = eventsOf(kalshiEvent(rows, { title: 'Will the **CPI in May** rise?' }));
    expect(page.markets.map(({ market }) => market.question)).toEqual([
      'Will the CPI in May rise? – Above 2%',
      'Will the CPI in May rise? – 3* to 4*',
    ]);
    expect(page.events[0]?.title).toBe('Will the CPI in May rise?');
    const alone = parseMarketsPage({
      markets: [kalshiMarket('KX-1', { title: 'Will the **low** be <57°?' })],
    });
    expect(alone.markets[0]?.market.question).toBe('Will the low be <57°?');
  });

  it('strips characters that reverse the text after them', () => {
    const market = kalshiMarket('KX-1', {
      title: '\u2067',
      rules_primary: 'Pays\u202e 1.',
      rules_secondary: '',
    });
    const { markets, events } = eventsOf(kalshiEvent([market], { title: '\u202eWho\u2067 wins?' }));
    expect(events[0]?.title).toBe('Who wins?');
    expect(markets[0]?.market).toMatchObject({ question: 'Who wins?', description: 'Pays 1.' });
  });

  it('[2.1/2] leaves absent what is absent, null or empty', () => {
    const row = kalshiMarket('KX-1', { rules_primary: '', rules_secondary: null, volume_fp: null });
    for (const key of ['open_interest_fp', 'open_time']) delete row[key];
    const market = eventsOf(kalshiEvent([row])).markets[0]?.market ?? {};
    for (const key of [
      'description',
      'volume',
      'volume_unit',
      'open_interest',
      'opens_at',
      'payout',
      'settled_at',
    ])
      expect(market).not.toHaveProperty(key);
  });

  it('reads the prices of both generations', () => {
    expect(oneMarket({}).quote?.prices).toMatchObject({ bid: 0.41, ask: 0.43, last: 0.42 });
    const cents = eventsOf(kalshiEvent([kalshiMarketInCents('KXMARS-99')])).markets[0];
    expect(cents?.quote?.prices).toEqual({
      bid: 0.06,
      ask: 0.07,
      last: 0.06,
      volume: 35001,
      open_interest: 13679,
    });
    expect(cents?.market).not.toHaveProperty('listed_at');
    const both = kalshiMarketInCents('KXMARS-99', { yes_bid: 6, yes_bid_dollars: '0.0650' });
    expect(eventsOf(kalshiEvent([both])).markets[0]?.quote?.prices.bid).toBe(0.065);
  });

  it('[2.5.2/1] treats a bid of 0, an ask of a dollar, and a side without size as an empty side', () => {
    const fresh = {
      yes_bid_dollars: '0.0000',
      yes_ask_dollars: '0.0000',
      yes_bid_size_fp: '0.00',
      yes_ask_size_fp: '0.00',
    };
    const oneSided = { yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000' };
    const noSize = { yes_bid_size_fp: '0.00', yes_ask_size_fp: '0.00' };
    for (const changes of [fresh, oneSided, noSize]) {
      const { prices, has_book } = oneMarket({ ...changes, last_price_dollars: '0.0000' }).quote ?? {};
      expect([prices?.bid, prices?.ask, prices?.last, has_book]).toEqual([
        undefined,
        undefined,
        undefined,
        true,
      ]);
    }
  });

  it.each([{ yes_bid_dollars: undefined }, { yes_ask_dollars: undefined }])(
    'takes no book from a row that omits a side of it: %o',
    (changes) => {
      const { prices, has_book } = oneMarket(changes).quote ?? {};
      expect([prices?.bid, prices?.ask, prices?.last, has_book]).toEqual([undefined, undefined, 0.42, false]);
    },
  );

  it.each([
    ['initialized', {}, 'unopened', undefined],
    ['inactive', {}, 'paused', undefined],
    ['closed', {}, 'closed', undefined],
    ['determined', { result: 'yes' }, 'determined', undefined],
    ['amended', {}, 'determined', undefined],
    ['disputed', {}, 'disputed', undefined],
    ['finalized', { result: 'yes' }, 'settled', 1],
    ['finalized', { result: 'no' }, 'settled', 0],
    ['finalized', { result: 'scalar', settlement_value_dollars: '0.3750' }, 'settled', 0.375],
    ['finalized', { result: 'scalar' }, 'determined', undefined],
    [
      'finalized',
      { result: 'no', settlement_value_dollars: '0.0500', settlement_bounds_type: 'floor' },
      'settled',
      0.05,
    ],
    ['finalized', { result: 'no', settlement_bounds_type: 'floor' }, 'determined', undefined],
    ['finalized', { result: 'no', settlement_bounds_type: 'default' }, 'settled', 0],
    ['settled', { result: 'yes' }, 'settled', 1],
    ['open', { yes_bid_size_fp: '0.00', yes_ask_size_fp: '0.00' }, 'active', undefined],
    ['napping', {}, 'active', undefined],
    ['napping', { yes_bid_size_fp: '0.00', yes_ask_size_fp: '0.00' }, 'paused', undefined],
  ])('maps %s with %o to %s', (status, changes, ours, payout) => {
    const { market } = oneMarket({ status, ...changes });
    expect([market?.status, market?.venue_status, market?.payout]).toEqual([ours, status, payout]);
  });

  it.each([
    [{ yes_bid_dollars: '1.7000' }, 'yes_bid_dollars must be 0 to 1, got "1.7000"'],
    [{ yes_bid_dollars: 1.7 }, 'yes_bid_dollars must be 0 to 1, got 1.7'],
    [{ last_price_dollars: '-0.1' }, 'last_price_dollars must be 0 to 1, got "-0.1"'],
    [{ yes_ask_dollars: 'NaN' }, 'yes_ask_dollars must be 0 to 1, got "NaN"'],
    [JSON.parse('{"yes_ask_dollars": 1e999}'), 'yes_ask_dollars must be 0 to 1, got Infinity'],
    [{ yes_bid: 170 }, 'yes_bid must be 0 to 100, got 170'],
    [{ volume_fp: '-3.00' }, 'volume_fp must be 0 or more, got "-3.00"'],
    [{ ticker: '' }, 'ticker must be an id, got ""'],
    [{ ticker: undefined }, 'ticker must be an id, got nothing'],
    [{ ticker: null }, 'ticker must be an id, got null'],
    [{ status: null }, 'status must be a text, got null'],
    // A field that a venue has given up comes as zero.
    [
      { status: 'finalized', result: 'yes', settlement_value: 0 },
      'result must be that of a contract that pays 0, got "yes"',
    ],
    [
      { status: 'finalized', result: 'no', settlement_value_dollars: '1.0000' },
      'result must be that of a contract that pays 1, got "no"',
    ],
  ])('leaves out the row with %o and says why', (changes, reason) => {
    const page = eventsOf(kalshiEvent([kalshiMarket('KX-1', changes), kalshiMarket('KX-2')]));
    expect(page.rejections.map((each) => each.reason)).toEqual([reason]);
    expect(page.rejections[0]).toMatchObject({ position: 0, path: `markets.0.${reason.split(' ')[0]}` });
    expect(page.markets.map(({ market }) => market.native_id)).toEqual(['KX-2']);
    expect(page.read).toBe(3);
  });

  it('keeps the markets of an event that cannot be read, under their own titles', () => {
    const page = eventsOf(
      kalshiEvent([kalshiMarket('KX-1')], { event_ticker: '' }),
      null,
      7,
      kalshiEvent([]),
    );
    expect(page.rejections.map(({ position, reason }) => [position, reason])).toEqual([
      [0, 'event_ticker must be an id, got ""'],
      [1, expect.stringMatching(/^row /)],
      [2, expect.stringMatching(/^row /)],
    ]);
    expect(page.markets[0]?.market.question).toBe('Will it rain?');
    expect([page.read, page.events.length]).toEqual([5, 1]);
  });

  it('leaves out combinations and says so, without suspecting a changed format', () => {
    const combo = kalshiMarket('KXRAIN-26NOV-C', { mve_collection_ticker: 'KXMVESPORTS-R' });
    const page = eventsOf(
      kalshiEvent([combo, kalshiMarket('KXMVENFL-1')]),
      kalshiEvent([], { event_ticker: 'KXMVENFL' }),
    );
    expect(page.rejections.map(({ native_id, path, expected }) => [native_id, path, expected])).toEqual([
      ['KXRAIN-26NOV-C', 'markets.0.mve_collection_ticker', true],
      ['KXMVENFL-1', 'markets.1.ticker', true],
      ['KXMVENFL', 'event_ticker', true],
    ]);
  });

  it('accepts ids that are JavaScript keywords', () => {
    const ids = ['__proto__', 'constructor', 'toString'];
    const page = eventsOf(kalshiEvent(ids.map((id) => kalshiMarket(id))));
    expect(page.markets.map(({ market }) => market.market_id)).toEqual(ids.map((id) => `venue_a:${id}`));
  });

  it('refuses an answer of another shape as a whole', () => {
    for (const json of [null, [], {}, { events: 7 }, { events: {} }, 'events'])
      expect(() => parseEventsPage(json)).toThrow('answer has an unexpected shape');
  });
});

describe('a page of Kalshi markets', () => {
  it('uses the market’s own title, since the event is not there', () => {
    const { markets, next } = parseMarketsPage({ markets: [kalshiMarket('KX-1')], cursor: 'abc' });
    expect([markets[0]?.market.question, next]).toEqual(['Will it rain?', 'abc']);
  });

  it('adds the outcome where markets of one event have the same title', () => {
    const row = (ticker: string, changes: Record<string, unknown> = {}) =>
      kalshiMarket(ticker, { title: 'Who will win?', ...changes });
    const { markets } = parseMarketsPage({
      markets: [
        row('KX-OWLS', { yes_sub_title: 'Owls' }),
        row('KX-HAWKS', { yes_sub_title: 'Hawks' }),
        row('KX-OTHER', { event_ticker: 'KXOTHER-26NOV' }),
      ],
    });
    expect(markets.map(({ market }) => market.question)).toEqual([
      'Who will win? – Owls',
      'Who will win? – Hawks',
      'Who will win?',
    ]);
  });
});
