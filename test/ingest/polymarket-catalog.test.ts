import { describe, expect, it } from 'vitest';
import { parseEventsPage, parseMarketsPage } from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const eventsOf = (...events: unknown[]) => parseEventsPage({ events });
const oneMarket = (changes: Record<string, unknown>) => {
  const page = eventsOf(gammaEvent([gammaMarket(1, changes)]));
  return { ...page.markets[0], reasons: page.rejections.map((each) => each.reason) };
};

describe('a page of Gamma events', () => {
  it('[2.1/1] gives each market an id, a question and what the venue says of it', () => {
    const page = eventsOf(gammaEvent([gammaMarket(1)]));
    expect(page.events).toEqual([
      {
        event_id: 'venue_b:30829',
        family: 'venue_b_global',
        native_id: '30829',
        title: 'Nominee 2028',
        tags: [],
        slug: 'nominee-2028',
        description: 'Who will be nominated?',
        listed_at: Date.parse('2026-07-03T20:36:57.824Z'),
        closes_at: Date.parse('2028-11-07T00:00:00Z'),
        volume: 799823812.487094,
        open_interest: 0,
      },
    ]);
    expect(page.markets).toEqual([
      {
        market: {
          market_id: `venue_b:${conditionId(1)}`,
          event_id: 'venue_b:30829',
          family: 'venue_b_global',
          native_id: conditionId(1),
          question: 'Will candidate 1 win?',
          description: 'Resolves to Yes if so.',
          slug: 'will-candidate-1-win',
          event_slug: 'nominee-2028',
          status: 'active',
          venue_status: 'active',
          price_token: '101',
          listed_at: Date.parse('2026-07-03T20:37:02.834Z'),
          opens_at: Date.parse('2026-07-11T18:36:02.893Z'),
          closes_at: Date.parse('2028-11-07T00:00:00Z'),
          volume: 12232.5,
          volume_unit: 'usd',
        },
        quote: { prices: { bid: 0.4, ask: 0.42, last: 0.41, volume: 12232.5 }, has_book: true },
        yes_place: 0,
      },
    ]);
  });

  it('takes the token of the first outcome from the list that the version names', () => {
    const ids = { clobTokenIds: '["1","2"]', positionIds: ['3', '4'] };
    expect(oneMarket({ ...ids, version: 'v1' }).market?.price_token).toBe('1');
    expect(oneMarket({ ...ids, version: 'v2' }).market?.price_token).toBe('3');
    expect(oneMarket({ version: 'v1', clobTokenIds: ['7', '8'] }).market?.price_token).toBe('7');
    expect(oneMarket({ version: 'v1', clobTokenIds: '' }).market).not.toHaveProperty('price_token');
  });

  it('keeps a condition id in lower case', () => {
    expect(oneMarket({ conditionId: '0xABC' }).market?.market_id).toBe('venue_b:0xabc');
  });

  it('treats the first outcome as the Yes side, whatever it is called', () => {
    const { market } = oneMarket({ outcomes: '["Up", "Down"]', question: 'Bitcoin Up or Down?' });
    expect(market?.question).toBe('Bitcoin Up or Down?');
  });

  it.each([
    [{ acceptingOrders: false }, 'paused', undefined],
    [{ acceptingOrders: false, umaResolutionStatus: 'requested' }, 'closed', undefined],
    [{ acceptingOrders: false, umaResolutionStatus: 'proposed' }, 'determined', undefined],
    [{ umaResolutionStatus: 'proposed' }, 'active', undefined],
    [{ umaResolutionStatus: 'disputed' }, 'disputed', undefined],
    [{ umaResolutionStatus: 'pondered' }, 'active', undefined],
    [{ active: false }, 'unopened', undefined],
    [{ active: false, outcomePrices: null, umaResolutionStatus: 'resolved' }, 'determined', undefined],
    [{ acceptingOrders: false, umaResolutionStatus: 'resolved' }, 'determined', undefined],
    [{ umaResolutionStatus: 'resolved' }, 'active', undefined],
    [{ archived: true }, 'closed', undefined],
    [{ closed: true, outcomePrices: '["1", "0"]' }, 'settled', 1],
    [{ closed: true, outcomePrices: '["0", "1"]', umaResolutionStatus: 'resolved' }, 'settled', 0],
    [{ closed: true, outcomePrices: '["0.5", "0.5"]', umaResolutionStatus: 'resolved' }, 'settled', 0.5],
    [
      { closed: true, outcomePrices: '["0.5", "0.5"]', version: 'v2', resolutionStatus: 'resolved' },
      'settled',
      0.5,
    ],
    [
      { closed: true, outcomePrices: '["1", "0"]', version: 'v2', resolutionStatus: 'active' },
      'closed',
      undefined,
    ],
    [{ closed: true, outcomePrices: '["1", "0"]', version: 'v1', resolutionStatus: 'active' }, 'settled', 1],
    [{ closed: true, outcomePrices: '["0.584", "0.416"]' }, 'closed', undefined],
    // The last prices, which stand there until the outcome does.
    [
      { closed: true, outcomePrices: '["0.9995", "0.0005"]', umaResolutionStatus: 'resolved' },
      'closed',
      undefined,
    ],
    [{ closed: true, outcomePrices: '["0", "0"]', umaResolutionStatus: 'resolved' }, 'closed', undefined],
    [{ closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus: 'proposed' }, 'closed', undefined],
    [{ closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus: 'disputed' }, 'disputed', undefined],
    [
      { closed: true, outcomePrices: '["1.7", "-0.7"]', umaResolutionStatus: 'resolved' },
      'closed',
      undefined,
    ],
  ])('maps %o to %s', (changes, status, payout) => {
    const { market, quote } = oneMarket(changes);
    expect([market?.status, market?.payout]).toEqual([status, payout]);
    if ('closed' in changes) expect(quote).toBeUndefined();
  });

  it('tells an empty book from one that the row omits', () => {
    const { bestBid: _bid, bestAsk: _ask, ...without } = gammaMarket(1);
    expect(eventsOf(gammaEvent([without])).markets[0]?.quote).toMatchObject({
      has_book: false,
      prices: { last: 0.41 },
    });
    expect(oneMarket({ bestBid: 0, bestAsk: 1 }).quote).toEqual({
      has_book: true,
      prices: { last: 0.41, volume: 12232.5 },
    });
  });

  it.each([
    [{ conditionId: '' }, 'conditionId must be an id, got ""'],
    [{ outcomes: '["A", "B", "C"]' }, 'outcomes must be two, got 3'],
    [{ outcomes: '' }, 'outcomes must be two, got 0'],
    [{ outcomes: 'Yes, No' }, 'outcomes must be a list, got "Yes, No"'],
    [{ bestBid: 1.7 }, 'bestBid must be 0 to 1, got 1.7'],
    [{ question: null }, 'question must be a text, got null'],
  ])('leaves out the market with %o and says why', (changes, reason) => {
    const page = eventsOf(gammaEvent([gammaMarket(1, changes), gammaMarket(2)]));
    expect(page.rejections.map((each) => each.reason)).toEqual([reason]);
    expect(page.markets.map(({ market }) => market.native_id)).toEqual([conditionId(2)]);
  });

  it('[2.1.1/1] keeps the markets of an event that cannot be read, with its slug and end unless it has no id', () => {
    const event = gammaEvent([gammaMarket(1, { endDate: null })], { title: '' });
    const page = eventsOf(event);
    expect(page.rejections[0]?.reason).toBe('title must be a text, got ""');
    expect(page.events).toEqual([]);
    expect(page.markets[0]?.market).toMatchObject({
      event_id: `venue_b:${event.id}`,
      event_slug: event.slug,
      closes_at: Date.parse(String(event.endDate)),
    });
    const nameless = eventsOf(gammaEvent([gammaMarket(1)], { id: '' })).markets[0]?.market;
    expect(nameless?.question).toBe(page.markets[0]?.market.question);
    expect(nameless).not.toHaveProperty('event_id');
  });

  it('closes a market without an end date with its event', () => {
    const { endDate: event } = gammaEvent([]);
    const ends = Date.parse(String(event));
    expect(oneMarket({ endDate: null }).market?.closes_at).toBe(ends);
    expect(oneMarket({ endDate: '2027-01-01T00:00:00Z' }).market?.closes_at).toBe(Date.parse('2027-01-01'));
    const row = gammaMarket(1, { endDate: null, events: [{ id: '30829', slug: 'nominee', endDate: event }] });
    expect(parseMarketsPage({ markets: [row] }).markets[0]?.market.closes_at).toBe(ends);
  });

  it('names the event of a market that stands alone', () => {
    const row = gammaMarket(1, { events: [{ id: '30829', slug: 'nominee-2028' }] });
    const { market } = parseMarketsPage({ markets: [row], next_cursor: 'x' }).markets[0] ?? {};
    expect([market?.event_id, market?.event_slug]).toEqual(['venue_b:30829', 'nominee-2028']);
  });
});

describe('a page of the CLOB listing', () => {
  const row = (changes: Record<string, unknown> = {}) => ({
    condition_id: conditionId(1),
    question: 'Will it?',
    description: '',
    market_slug: 'will-it',
    end_date_iso: '2026-12-31T00:00:00Z',
    active: true,
    closed: false,
    archived: false,
    accepting_orders: true,
    is_50_50_outcome: false,
    tokens: [
      { token_id: '1', outcome: 'Yes', price: 0.4, winner: false },
      { token_id: '2', outcome: 'No', price: 0.6, winner: false },
    ],
    ...changes,
  });
  const tokens = (yes: boolean, no: boolean) => [
    { token_id: '1', outcome: 'Yes', winner: yes },
    { token_id: '2', outcome: 'No', winner: no },
  ];
  const priced = (yes: unknown, no: unknown) => [
    { token_id: '1', outcome: 'Yes', price: yes, winner: false },
    { token_id: '2', outcome: 'No', price: no, winner: false },
  ];
  const parse = (...data: unknown[]) =>
    parseListingPage({ data, next_cursor: 'LTE=', limit: 1000, count: 1 });

  it.each([
    [{}, 'active', undefined],
    [{ accepting_orders: false }, 'paused', undefined],
    [{ active: false }, 'unopened', undefined],
    [{ closed: true, tokens: tokens(true, false) }, 'settled', 1],
    [{ closed: true, tokens: tokens(false, true) }, 'settled', 0],
    [{ closed: true, is_50_50_outcome: true }, 'settled', 0.5],
    [{ closed: true }, 'closed', undefined],
    [{ closed: true, tokens: tokens(true, true) }, 'closed', undefined],
    // Without a winner, whole prices tell, and no others.
    [{ closed: true, tokens: priced(1, 0) }, 'settled', 1],
    [{ closed: true, tokens: priced('0', '1') }, 'settled', 0],
    [{ closed: true, tokens: priced(0, 0) }, 'closed', undefined],
    [{ closed: true, tokens: priced(0.5, 0.5) }, 'closed', undefined],
    [{ closed: true, tokens: priced(0.9999, 0.0001) }, 'closed', undefined],
    [{ closed: true, tokens: priced('n/a', 1) }, 'closed', undefined],
    [{ tokens: priced(1, 0) }, 'active', undefined],
  ])('maps %o to %s', (changes, status, payout) => {
    const { market } = parse(row(changes)).markets[0] ?? {};
    expect([market?.status, market?.payout, market?.price_token]).toEqual([status, payout, '1']);
  });

  it('ends at the cursor that marks the end', () => {
    expect(parse(row()).next).toBeUndefined();
    expect(parseListingPage({ data: [], next_cursor: 'MTAwMA==' }).next).toBe('MTAwMA==');
  });

  it('leaves out a market without ids, and says why', () => {
    const empty = [
      { token_id: '', outcome: '' },
      { token_id: '', outcome: '' },
    ];
    expect(
      parse(row({ condition_id: '' }), row({ tokens: empty }), row({ tokens: [] })).rejections,
    ).toMatchObject([
      { position: 0, path: 'condition_id', reason: 'condition_id must be an id, got ""' },
      { position: 1, path: 'tokens.0.token_id', reason: 'tokens.0.token_id must be an id, got ""' },
      { position: 2, path: 'tokens', reason: 'tokens must be two, got 0' },
    ]);
  });
});
