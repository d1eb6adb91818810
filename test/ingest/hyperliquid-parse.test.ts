import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candleRequest } from '../../src/ingest/venues/hyperliquid/info-request.ts';
import { parseBook } from '../../src/ingest/venues/hyperliquid/parse-book.ts';
import { parseCandles, parseDayVolumes } from '../../src/ingest/venues/hyperliquid/parse-candles.ts';
import {
  parseOutcomes,
  parseSettlement,
  parseSupplies,
} from '../../src/ingest/venues/hyperliquid/parse-outcomes.ts';
import { parseTemplates } from '../../src/ingest/venues/hyperliquid/templates.ts';
import { countDays } from '../../src/ingest/venues/hyperliquid/volume-count.ts';
import { config } from '../../src/model/config.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { NOW } from './run-ingest.ts';

const outcome = (number: number, name: string, description = '') => ({
  outcome: number,
  name,
  description,
  sideSpecs: [{ name: 'Yes' }, { name: 'No' }],
  quoteToken: 'USDC',
});
const { templates } = parseTemplates([
  {
    id: 'binaryPrice',
    role: { standaloneOutcome: { sideNames: ['Yes', 'No'] } },
    name: '{perp} above {threshold} at {time}?',
    description: 'Yes if {perp} is above {threshold} at {time}. metadata=category:price|subCategory:N/A',
    keywords: [
      ['perp', 'hlPerp'],
      ['time', 'dateTime'],
    ],
  },
  {
    id: 'contestResult',
    role: 'question',
    name: '{competition} {stage}: {teamA} v {teamB}',
    description: 'It starts at {start} UTC. metadata=category:sports|subCategory:{sport}|note:One contest.',
    keywords: [],
  },
  { id: 'contestWins', name: '{team}', description: 'Yes if {team} wins.', keywords: [['team', 'string']] },
  { id: 'contestDraw', name: 'Draw', keywords: [] },
  { id: 'nameless', name: '', keywords: [] },
]);
const parse = (outcomes: unknown[], questions: unknown[] = []) =>
  parseOutcomes({ outcomes, questions }, { supplies: new Map(), templates }, NOW);
const asked = (...rows: unknown[]) => parse(rows).markets.map(({ market }) => market.question);

describe('the question of an outcome', () => {
  it('is put into words where the code is known', () => {
    expect(
      asked(
        outcome(
          1,
          'Recurring',
          'class:priceBinary|underlying:BTC|expiry:20270509-0600|targetPrice:79583|period:1d',
        ),
        outcome(
          2,
          'template:binaryPrice',
          'perp:xyz:SILVER|priceDescription:mark|seconds:3|threshold:64.128|time:20270902-2100',
        ),
      ),
    ).toEqual([
      'BTC above 79583 at 2027-05-09 06:00 UTC?',
      'xyz:SILVER above 64.128 at 2027-09-02 21:00 UTC?',
    ]);
  });

  it('stays as written where it is not', () => {
    expect(
      asked(outcome(1, 'Recurring', 'class:new|a:b'), outcome(2, 'Fed holds', 'If the Fed holds.')),
    ).toEqual(['class:new|a:b', 'Fed holds']);
  });

  it('names the bucket of a question of buckets', () => {
    const buckets = [0, 1, 2].map((i) => outcome(10 + i, 'Recurring Named Outcome', `index:${i}`));
    buckets.push(outcome(13, 'Recurring Fallback', 'other'));
    const question = {
      question: 5,
      name: 'Recurring',
      description: 'class:priceBucket|underlying:BTC|expiry:20270509-0600|priceThresholds:100,200|period:1d',
      fallbackOutcome: 13,
      namedOutcomes: [10, 11, 12],
      settledNamedOutcomes: [],
    };
    const page = parse(buckets, [question]);
    expect(page.markets.map(({ market }) => market.question)).toEqual([
      'BTC below 100 at 2027-05-09 06:00 UTC?',
      'BTC between 100 and 200 at 2027-05-09 06:00 UTC?',
      'BTC above 200 at 2027-05-09 06:00 UTC?',
      'BTC at 2027-05-09 06:00 UTC – Other',
    ]);
    expect(page.events).toMatchObject([
      { event_id: 'venue_c:q5', title: 'BTC at 2027-05-09 06:00 UTC', closes_at: Date.UTC(2027, 4, 9, 6) },
    ]);
    expect(page.markets.every(({ market }) => market.event_id === 'venue_c:q5')).toBe(true);
  });
});

describe('a question from a template', () => {
  const fields = 'competition:Nations League|sport:Soccer|stage:|teamA:Spain|teamB:Italy|start:20261002-1845';
  const question = {
    question: 357,
    name: 'template:contestResult',
    description: `${fields}|deadline:20261203-1845`,
    fallbackOutcome: 23,
    namedOutcomes: [20, 21],
    settledNamedOutcomes: [],
  };
  const outcomes = [
    outcome(20, 'template:contestWins', 'team:Spain'),
    outcome(21, 'template:contestDraw'),
    outcome(23, 'template fallback', 'other'),
  ];

  it('is put into the words of the template, for both forms of answer', () => {
    // A field of the answer itself precedes one of its question.
    const { markets, events } = parse(outcomes, [
      { ...question, description: `${question.description}|team:either` },
    ]);
    expect(markets.map(({ market }) => [market.question, market.description])).toEqual([
      ['Nations League: Spain v Italy – Spain', 'Yes if Spain wins.'],
      ['Nations League: Spain v Italy – Draw', 'It starts at 2026-10-02 18:45 UTC.'],
      ['Nations League: Spain v Italy – Other', 'It starts at 2026-10-02 18:45 UTC.'],
    ]);
    expect(events).toMatchObject([
      { title: 'Nations League: Spain v Italy', category: 'sports', tags: ['Soccer'] },
    ]);
  });

  it('trades until the last of the times in its fields', () => {
    const { markets } = parse(outcomes, [question]);
    expect(markets[0]?.market).toMatchObject({ status: 'active', closes_at: Date.UTC(2026, 11, 3, 18, 45) });
  });

  it('shows the template’s name and fields where the template is unknown', () => {
    expect(
      asked(
        outcome(1, 'template:companyIpoConfirmed', 'company:Acme|place:|dateTime:20271031-2359'),
        outcome(2, 'template:rateNoChange'),
        outcome(3, 'template:nameless', 'a:1'),
      ),
    ).toEqual(['company ipo confirmed: Acme, 2027-10-31 23:59 UTC', 'rate no change', 'nameless: 1']);
  });

  it('is left out and named where its template cannot be read', () => {
    const page = parseTemplates([{ id: 'a', name: 'A' }, { name: 'B' }, 7]);
    expect([...page.templates]).toEqual([['a', { title: 'A' }]]);
    expect(page.rejections).toHaveLength(2);
  });
});

describe('the Yes side of an outcome', () => {
  const teams = 'teamA:Pittsburgh Steelers|teamB:Cleveland Browns|shortNameA:Steelers|shortNameB:Browns';
  it.each([
    [['template:{shortNameA}', 'template:{shortNameB}'], 'Steelers'],
    [['template:Over', 'template:Under'], 'Over'],
    [['France', 'Morocco'], 'France'],
    [['template:Yes', 'template:No'], undefined],
    [['Yes', 'No'], undefined],
    [['template:{shortNameC}', 'No'], undefined],
  ] as const)('tells which team it is for: %s', (names, team) => {
    const row = { ...outcome(1, 'template:winner', teams), sideSpecs: names.map((name) => ({ name })) };
    const { market } = parse([row]).markets[0] ?? {};
    expect(market?.yes_sub_title).toBe(team);
    const { settlement } = parseSettlement({ spec: row, settleFraction: '0.5' }, '1', parse([row]));
    expect(settlement?.market.yes_sub_title).toBe(team);
  });

  it.each([[undefined], [null], [[]], [7], [[null]], [[{ name: 7 }]]])(
    'has no name if the sides are %s',
    (sideSpecs) => {
      const { markets } = parse([{ ...outcome(1, 'Rain'), sideSpecs }]);
      expect(markets).toHaveLength(1);
      expect(markets[0]?.market).not.toHaveProperty('yes_sub_title');
    },
  );
});

describe('the live universe', () => {
  it('splits off the categories written in the rules, and is filed under them', () => {
    const { markets, events } = parse([
      outcome(1, 'Semifinal', 'England or Argentina. metadata=category:sports|subCategory:football'),
      outcome(2, 'Rates', 'metadata=category:economics|subCategory:N/A'),
      outcome(3, 'Rain', 'Source: a gauge.'),
      outcome(4, 'Snow', 'metadata=category:N/A|subCategory:N/A'),
    ]);
    expect(events).toMatchObject([
      { title: 'Semifinal', description: 'England or Argentina.', category: 'sports', tags: ['football'] },
      { title: 'Rates', category: 'economics', tags: [] },
      { title: 'Rain', description: 'Source: a gauge.', tags: [] },
      { title: 'Snow', tags: [] },
    ]);
    expect(events[3]).not.toHaveProperty('category');
    expect(markets[0]?.market.description).toBe('England or Argentina.');
    expect(markets[1]?.market).not.toHaveProperty('description');
  });

  it('makes an event of a question and one of an outcome that stands alone', () => {
    const question = {
      question: 198,
      name: 'League winner',
      description: 'Who?',
      fallbackOutcome: 3,
      namedOutcomes: [1, 2],
    };
    const page = parse(
      [outcome(1, 'Hawks'), outcome(2, 'Owls'), outcome(3, 'Fallback'), outcome(4, 'Rain', 'Will it?')],
      [question],
    );
    expect(page.events.map(({ event_id, title }) => [event_id, title])).toEqual([
      ['venue_c:q198', 'League winner'],
      ['venue_c:4', 'Rain'],
    ]);
    expect(page.markets.map(({ market }) => [market.market_id, market.event_id, market.question])).toEqual([
      ['venue_c:1', 'venue_c:q198', 'League winner – Hawks'],
      ['venue_c:2', 'venue_c:q198', 'League winner – Owls'],
      ['venue_c:3', 'venue_c:q198', 'League winner – Other'],
      ['venue_c:4', 'venue_c:4', 'Rain'],
    ]);
    expect(page.markets[0]?.market).toMatchObject({
      price_token: '#10',
      status: 'active',
      volume_unit: 'contracts',
    });
    expect(page.markets[0]?.market).not.toHaveProperty('volume');
  });

  it('treats an outcome past its end as closed until it is settled', () => {
    const past = outcome(
      1,
      'Recurring',
      'class:priceBinary|underlying:BTC|expiry:20261110-1200|targetPrice:1',
    );
    expect(parse([past]).markets[0]?.market.status).toBe('closed');
  });

  it('takes the circulating Yes side as the open interest', () => {
    const { supplies } = parseSupplies([
      {},
      [
        { coin: '#10', circulatingSupply: '12.5' },
        { coin: '#11', circulatingSupply: '9' },
        { coin: 'PURR' },
        7,
      ],
    ]);
    const page = parseOutcomes({ outcomes: [outcome(1, 'a')] }, { supplies, templates }, NOW);
    expect(page.markets[0]?.market.open_interest).toBe(12.5);
  });

  it('leaves out rows that cannot be read and keeps their neighbours, in any order', () => {
    const rows = [outcome(1, 'a'), { ...outcome(2, 'b'), outcome: 'two' }, outcome(3, 'c'), null];
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: 4 }), (shuffled) => {
        const page = parse(shuffled);
        expect(page.markets.map(({ market }) => market.native_id).toSorted()).toEqual(['1', '3']);
        expect(page.rejections).toHaveLength(2);
      }),
    );
  });

  it('refuses an answer of another shape', () => {
    expect(() => parseOutcomes(null, { supplies: new Map(), templates }, NOW)).toThrow(
      'answer has an unexpected shape: the whole answer must be a record, got null',
    );
    for (const [json, wrong] of [
      [[{}], 'the whole answer must have at least 2 entries, got 1'],
      [[{}, [], []], 'the whole answer must have at most 2 entries, got 3'],
      [[{}, {}], '1 must be a list, got {}'],
    ] as const)
      expect(() => parseSupplies(json)).toThrow(`answer has an unexpected shape: ${wrong}`);
  });
});

describe('a settlement', () => {
  const none = { parents: new Map(), templates };
  it('pays the first side its fraction; null means not yet', () => {
    const spec = outcome(7, 'a');
    expect(parseSettlement({ spec, settleFraction: '1.0', details: '' }, '7', none).settlement).toMatchObject(
      {
        payout: 1,
        market: { market_id: 'venue_c:7' },
      },
    );
    expect(parseSettlement(null, '7', none)).toEqual({ read: 1, rejections: [] });
    expect(parseSettlement({ spec }, '7', none)).toEqual({ read: 1, rejections: [] });
    expect(parseSettlement({ spec, settleFraction: '2' }, '7', none).rejections).toHaveLength(1);
    expect(parseSettlement({ spec, settleFraction: '1' }, '8', none)).toEqual({
      read: 1,
      rejections: [{ position: 0, native_id: '8', path: 'spec.outcome', reason: 'outcome must be 8, got 7' }],
    });
  });

  it('of an answer keeps the event and words of its question, even off the list', () => {
    const question = { question: 198, name: 'League winner', namedOutcomes: [1], settledNamedOutcomes: [7] };
    const page = parse([outcome(1, 'Hawks')], [question]);
    expect(page.markets).toHaveLength(1);
    expect(
      parseSettlement({ spec: outcome(7, 'Owls'), settleFraction: '0' }, '7', page).settlement,
    ).toMatchObject({
      payout: 0,
      market: { event_id: 'venue_c:q198', question: 'League winner – Owls' },
    });
  });

  it('also covers an outcome that is still listed where its question has it as settled', () => {
    const question = { question: 198, name: 'League winner', namedOutcomes: [1], settledNamedOutcomes: [7] };
    expect(parse([outcome(1, 'Hawks'), outcome(7, 'Owls')], [question])).toMatchObject({
      read: 3,
      ids: ['1'],
      markets: [{ market: { native_id: '1' } }],
    });
  });

  it('has the event and words of the question that it names, settled or not', () => {
    const settled = (spec: { outcome: number }, question: unknown) =>
      parseSettlement({ spec, settleFraction: '0.0', details: '', question }, String(spec.outcome), none)
        .settlement?.market;
    const bucket = { ...outcome(8, 'Recurring Named Outcome', 'index:2') };
    const description = 'class:priceBucket|underlying:ETH|expiry:20261001-0845|priceThresholds:2105,2190.9';
    expect(settled(bucket, { question: { settled: 796 }, name: 'Recurring', description })).toMatchObject({
      event_id: 'venue_c:q796',
      question: 'ETH above 2190.9 at 2026-10-01 08:45 UTC?',
      closes_at: Date.UTC(2026, 9, 1, 8, 45),
    });
    expect(settled(outcome(9, 'Owls'), { question: { active: 823 }, name: 'Champion' })).toMatchObject({
      event_id: 'venue_c:q823',
      question: 'Champion – Owls',
    });
    for (const unread of [null, 7, { question: {} }, { question: { settled: 'x' }, name: 'Champion' }])
      expect(settled(outcome(9, 'Owls'), unread)).toMatchObject({ event_id: 'venue_c:9', question: 'Owls' });
  });
});

describe('a book', () => {
  const rung = (px: string, sz: string) => ({ px, sz, n: 1 });
  it('gives the best of each side in any order of rungs, ignoring those without size', () => {
    const levels = [
      [rung('0.4', '5'), rung('0.41', '1'), rung('0.42', '0')],
      [rung('0.5', '1'), rung('0.45', '2')],
    ];
    expect(parseBook({ coin: '#10', time: NOW, levels }, '#10')).toEqual({ bid: 0.41, ask: 0.45 });
    expect(parseBook({ coin: '#10', levels: [[], []] }, '#10')).toEqual({});
  });
  it('is none for a coin that is not listed, or another one', () => {
    expect(parseBook(null, '#10')).toBeUndefined();
    expect(parseBook({ coin: '#11', levels: [[], []] }, '#10')).toBeUndefined();
  });
});

describe('candles', () => {
  const candle = (t: number, changes = {}) => ({
    t,
    T: t + HOUR_MS - 1,
    s: '#10',
    i: '1h',
    o: '0.4',
    c: '0.42',
    h: '0.43',
    l: '0.39',
    v: '12.0',
    n: 3,
    ...changes,
  });
  it('are dated at their end; hours that are not over or without a trade give none', () => {
    const rows = [candle(NOW - 2 * HOUR_MS), candle(NOW - HOUR_MS, { n: 0, v: '0.0' }), candle(NOW)];
    expect(parseCandles(rows, NOW).observations).toEqual([
      { observed_at: NOW - HOUR_MS, last: 0.42, open: 0.4, high: 0.43, low: 0.39, volume: 12 },
    ]);
    // One sign of no trade is enough, and an hour that ends now is over.
    for (const [more, count] of [
      [{ n: 0 }, 0],
      [{ v: '0.0' }, 0],
      [{}, 1],
    ] as const)
      expect(parseCandles([candle(NOW - HOUR_MS, more)], NOW).observations).toHaveLength(count);
  });
  it('leave out what cannot be read', () => {
    const page = parseCandles(
      [candle(NOW - 2 * HOUR_MS), candle(NOW / 1000), candle(NOW - HOUR_MS, { c: '1.7' })],
      NOW,
    );
    expect(page.rejections.map(({ reason }) => reason)).toEqual([
      `t must be milliseconds since 1970, got ${NOW / 1000}`,
      'c must be 0 to 1, got "1.7"',
    ]);
    expect(page.heldAt).toBe(NOW - HOUR_MS);
    // What precedes the first that was read is not known either.
    expect(parseCandles([candle(NOW / 1000), candle(NOW - HOUR_MS)], NOW).heldAt).toBe(0);
  });
  it('of days give the volume of completed days', () => {
    const today = Math.floor(NOW / DAY_MS) * DAY_MS;
    const rows = [candle(today - DAY_MS), candle(today)];
    expect([...parseDayVolumes(rows, NOW).days]).toEqual([[today - DAY_MS, 12]]);
    // A day is complete at its end, and one without a trade counts as read.
    const ended = parseDayVolumes([candle(today, { v: '0.0' })], today + DAY_MS).days;
    expect([...ended]).toEqual([[today, 0]]);
  });
  it.each([{ v: null }, { v: '' }, { v: undefined }])(
    'of a day whose volume is missing count as unread: %j',
    (without) => {
      const today = Math.floor(NOW / DAY_MS) * DAY_MS;
      const page = parseDayVolumes([candle(today - 2 * DAY_MS, without), candle(today - DAY_MS)], NOW);
      expect([...page.days]).toEqual([[today - DAY_MS, 12]]);
      expect(page.rejections).toMatchObject([{ position: 0, path: 'v' }]);
    },
  );
  it.each([
    ['1h' as const, HOUR_MS, 21],
    ['1h' as const, 60 * HOUR_MS, 21],
    ['1h' as const, 61 * HOUR_MS, 22],
    // The venue keeps no more than 5,000 candles.
    ['1h' as const, 400 * DAY_MS, 104],
    ['1d' as const, 120 * DAY_MS, 22],
  ])('of an interval of %s over %d ms weigh what the venue counts', (interval, ms, weight) => {
    const span = { from: NOW - ms, to: NOW };
    expect(candleRequest(config.parse({}), '7', interval, span)).toMatchObject({
      weight,
      body: { req: { coin: '#70', startTime: span.from, endTime: NOW } },
    });
  });
});

describe('[2.1/6] the lifetime taker count', () => {
  const days = (...pairs: [number, number][]) =>
    new Map(pairs.map(([day, volume]) => [day * DAY_MS, volume]));
  it('adds each day once, however often it is answered', () => {
    const first = countDays(undefined, days([10, 5], [11, 7]), NOW);
    expect(first).toMatchObject({ total: 12, through: 12 * DAY_MS, asked_at: NOW });
    expect(countDays(first, days([10, 5], [11, 7], [12, 1]), NOW).total).toBe(13);
  });
  it('is the same in one step and day by day', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }), (volumes) => {
        const all = volumes.map((volume, day): [number, number] => [day + 1, volume]);
        const steps = all.reduce<ReturnType<typeof countDays> | undefined>(
          (count, day) => countDays(count, days(day), NOW),
          undefined,
        );
        expect(steps).toEqual(countDays(undefined, days(...all), NOW));
      }),
    );
  });
  it('an empty answer adds nothing and moves nothing on', () => {
    expect(countDays(undefined, new Map(), NOW)).toMatchObject({ total: 0, through: 0, asked_at: NOW });
  });
});
