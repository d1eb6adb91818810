import { beforeEach, describe, expect, it } from 'vitest';
import { config } from '../../src/model/config.ts';
import { DAY_MS, floorTo, HOUR_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { answerOutcomes } from './hyperliquid-venue.ts';
import { configFor, feedOf, NOW, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';

withVenueAndStore();

const run = (hours = 0, settings = configFor(venue.origin)) =>
  runIngest(store, settings, { now: NOW + hours * HOUR_MS, only: 'venue_c' });
const runOutcomes = async (hours = 0) => feedOf(await run(hours), 'venue_c/outcomes');
const market = (outcome: number) => store.read((reader) => findMarket(reader, `venue_c:${outcome}`));
const outcomesNumbered = (...numbers: number[]) =>
  numbers.map((outcome) => ({ outcome, name: `Outcome ${outcome}` }));
const refused = () => raw('Failed to deserialize', 422);

it('an outcome that cannot be requested, or never settles, keeps no other from being settled', async () => {
  nameMarkets(store, ['venue_c:100', 'venue_c:101'], '2026-11-10T00:00:00Z');
  const all = outcomesNumbered(...Array.from({ length: 80 }, (_, i) => 100 + i));
  let live = all;
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: live }),
    settledOutcome: ({ outcome = 0 }) => {
      if (outcome === 100) return refused();
      // Half of the unnamed are never told about.
      const known = outcome === 101 || outcome >= 170;
      return known ? { spec: all[outcome - 100], settleFraction: '1.0' } : undefined;
    },
  });
  await run();
  live = outcomesNumbered(500);
  const message = expect.stringContaining('422');
  expect(await runOutcomes(1)).toMatchObject({ condition: 'partial', message });
  await run(2);
  const sql = "SELECT native_id FROM markets WHERE status = 'settled' ORDER BY market_id";
  const last = all.slice(70).map(({ outcome }) => String(outcome));
  expect(store.read((reader) => reader.column(sql))).toEqual(['101', ...last]);
});

it('a named outcome stays settled where its number is given to another, which is reported, also when that settles', async () => {
  nameMarkets(store, ['venue_c:100'], '2026-11-10T00:00:00Z');
  const rain = { outcome: 300, name: 'Rain' };
  let listed = [{ outcome: 100, name: 'Alpha wins' }, { outcome: 200, name: 'Beta wins' }, rain];
  let later: Record<string, unknown> = { name: 'Alpha wins', settleFraction: '1.0' };
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: listed }),
    settledOutcome: ({ outcome }) => {
      const { name, ...settlement } = outcome === 100 ? later : { name: 'Beta wins', settleFraction: '1.0' };
      return { spec: { outcome, name }, ...settlement };
    },
  });
  const runWith = async (hours: number, outcomes: typeof listed) => {
    listed = outcomes;
    venue.requests.length = 0;
    return (await runOutcomes(hours)).first_reasons;
  };
  const asked = () => venue.requests.map(({ body }) => body).join();
  await run();
  await runWith(1, [rain]);
  later.question = { question: { settled: 7 }, name: 'Cup' };
  expect(await runWith(1.5, [rain])).toEqual([]);
  const others = [100, 200].map((outcome) => ({ outcome, name: 'Snow' }));
  const reasons = ['100: its number is that of an outcome which has settled and which a definition names'];
  const settled = { question: 'Alpha wins', status: 'settled', payout: 1 };
  expect(await runWith(2, [...others, rain])).toEqual(reasons);
  expect(market(100)).toMatchObject(settled);
  expect(asked()).not.toContain('#1000');
  expect(market(200)).toMatchObject({ question: 'Snow', status: 'active' });
  later = { name: 'Snow', settleFraction: '0.0' };
  expect(await runWith(3, [rain])).toEqual(reasons);
  expect(market(100)).toMatchObject(settled);
  expect(asked()).not.toContain('#1000');
});

it('an outcome that two lists lack, and that is not settled, is closed until it is listed again', async () => {
  const all = outcomesNumbered(100, 101, 102);
  let listed: unknown[] = all;
  let message: string | null = null;
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: listed }),
    settledOutcome: ({ outcome }) => (outcome === 102 ? refused() : undefined),
  });
  const statesAfter = async (hours: number, outcomes: unknown[]) => {
    listed = outcomes;
    message = (await runOutcomes(hours)).message;
    return store.read((reader) =>
      reader.column<string>("SELECT status || ' ' || venue_status FROM markets ORDER BY market_id"),
    );
  };
  const live = 'active listed';
  expect(await statesAfter(0, all)).toEqual([live, live, live]);
  // A run that is repeated, since it was killed, counts once.
  for (const _again of [1, 2]) expect(await statesAfter(1, all.slice(0, 1))).toEqual([live, live, live]);
  // A list of nothing is not believed, and neither is a row that cannot be read taken for gone.
  expect(await statesAfter(2, [])).toEqual([live, live, live]);
  expect(message).toContain('the venue listed no outcome');
  expect(await statesAfter(3, [...all.slice(0, 1), { outcome: 101 }])).toEqual([live, live, live]);
  expect(await statesAfter(4, all.slice(0, 1))).toEqual([live, 'closed not listed', live]);
  expect(await statesAfter(5, all)).toEqual([live, live, live]);
  // A book that the venue does not have is not an empty one.
  expect(store.read((reader) => reader.all('SELECT * FROM latest_quotes'))).toEqual([]);
});

it('an outcome settles once: when it closed or, if it had not, when it was first seen settled, as it was listed', async () => {
  // They are asked for again for some time after they settled.
  nameMarkets(store, ['venue_c:1', 'venue_c:2', 'venue_c:3'], '2026-11-09T00:00:00Z');
  const times = [undefined, 'time:20261109-0600', 'time:20261201-0000'];
  const spec = (name: string, outcome: number) => {
    const description = times[outcome - 1];
    return { outcome, name: `${name} ${outcome}`, ...(description ? { description } : {}) };
  };
  let listed = [1, 2, 3].map((outcome) => spec('Outcome', outcome));
  const asked: number[] = [];
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: listed }),
    settledOutcome: ({ outcome = 0 }) => {
      asked.push(outcome);
      return { spec: spec('Renamed', outcome), settleFraction: '1.0' };
    },
  });
  await run();
  listed = [{ outcome: 500, name: 'Another' }];
  for (const hours of [1, 2]) {
    await run(hours);
    const settled = store.read((reader) =>
      reader.all("SELECT question, settled_at FROM markets WHERE status = 'settled' ORDER BY market_id"),
    );
    expect(settled, `after ${hours} hours`).toEqual([
      { question: 'Outcome 1', settled_at: NOW + HOUR_MS },
      { question: 'Outcome 2', settled_at: Date.parse('2026-11-09T06:00:00Z') },
      { question: 'Outcome 3', settled_at: NOW + HOUR_MS },
    ]);
  }
  expect(asked.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
});

it('outcomes whose trading days cannot be read keep no other from being counted', async () => {
  nameMarkets(store, ['venue_c:208'], '2026-11-10T00:00:00Z');
  // Not in the order in which they take turns.
  const numbers = Array.from({ length: 110 }, (_, i) => (i < 100 ? 199 - i : 100 + i));
  let named = 0;
  const day = { t: Date.parse('2026-11-09T00:00:00Z'), v: '7' };
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: outcomesNumbered(...numbers) }),
    candleSnapshot: ({ req }) => {
      const outcome = Number(req?.coin.slice(1, -1));
      if (outcome === 208 && req?.interval === '1d') named++;
      if (outcome % 2 === 0) return refused();
      return [outcome < 200 ? { ...day, v: 'many' } : day];
    },
  });
  for (const hours of [0, 1]) await run(hours);
  const counted = store.read((reader) => reader.all('SELECT count(*) AS n FROM markets WHERE volume = 7'));
  expect(counted).toEqual([{ n: 5 }]);
  expect(named).toBe(2);
});

it('an outcome outside the scope enters neither by its book nor its volume, and does once it trades enough', async () => {
  const day = Date.parse('2026-11-09T00:00:00Z');
  const books: (string | undefined)[] = [];
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: outcomesNumbered(1, 2) }),
    candleSnapshot: ({ req }) => [{ t: day, v: req?.coin === '#10' ? '7' : '70' }],
    l2Book: ({ coin }) => {
      books.push(coin);
      return { coin, levels: [[], []] };
    },
  });
  const settings = { ...configFor(venue.origin), scope: config.parse({ scope: { min_volume: 50 } }).scope };
  const idsAfter = async (hours: number) => {
    await run(hours, settings);
    return store.read((reader) => reader.all('SELECT market_id, volume FROM markets ORDER BY market_id'));
  };
  expect(await idsAfter(0)).toEqual([]);
  expect(await idsAfter(1)).toEqual([{ market_id: 'venue_c:2', volume: 70 }]);
  expect(books).toEqual(['#20']);
});

it('a row that was rejected is not written with its volume either', async () => {
  const outcomes = (time: string) =>
    Array.from({ length: 30 }, (_, i) => ({ outcome: 100 + i, name: `Outcome ${i}`, description: time }));
  const day = (date: string, v: string) => ({ t: Date.parse(date), v });
  let [listed, days] = [outcomes('index:1|time:20261201-0000'), [day('2026-11-08', '7')]];
  answerOutcomes(venue, { outcomeMeta: () => ({ outcomes: listed }), candleSnapshot: () => days });
  await run();
  listed = outcomes('index:1|until:December');
  days = [...days, day('2026-11-09', '3')];
  expect((await runOutcomes(7)).message).toMatch(/closes_at is zero or missing in 30 of 30 rows/);
  const rows = store.read((reader) => reader.all('SELECT DISTINCT volume, closes_at FROM markets'));
  expect(rows).toEqual([{ volume: 10, closes_at: Date.parse('2026-12-01') }]);
});

it('the last known templates stay when the venue omits them', async () => {
  let [name, asked, tells] = ['Rain', 0, true];
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: [{ outcome: 1, name, description: 'perp:BTC|target:9' }] }),
    outcomeTemplates: () => {
      asked++;
      return tells ? [{ id: 'touch', name: '{perp} touches {target}' }] : refused();
    },
  });
  const told = async (hours: number) => {
    const { condition } = await runOutcomes(hours);
    return [market(1)?.question, condition, asked];
  };
  expect(await told(0)).toEqual(['Rain', 'good', 0]);
  name = 'template:touch';
  expect(await told(1)).toEqual(['BTC touches 9', 'good', 1]);
  tells = false;
  expect(await told(2)).toEqual(['BTC touches 9', 'partial', 2]);
});

it.each([
  ['of a market that a definition names', [101, 102], '2 of 4 active markets have no book, such as 102'],
  ['of most', [100, 101, 103], '3 of 4 active markets have no book, such as 100'],
  ['of half, which nobody names', [101, 103], null],
])('books that the venue does not have are reported, where they are %s', async (_, absent, message) => {
  nameMarkets(store, ['venue_c:102'], '2026-11-10T00:00:00Z');
  answerOutcomes(venue, {
    outcomeMeta: () => ({ outcomes: outcomesNumbered(100, 101, 102, 103) }),
    l2Book: ({ coin }) =>
      absent.includes(Number(coin?.slice(1, -1))) ? undefined : { coin, levels: [[], []] },
  });
  const books = feedOf(await run(), 'venue_c/books');
  expect(books).toMatchObject({ condition: message === null ? 'good' : 'partial', message });
});

it('an outcome whose question has left the list, or cannot be read, still answers it', async () => {
  const question = { question: 7, name: 'Who wins?', namedOutcomes: [1, 2] };
  let questions: unknown[] = [question];
  let outcomes = [
    { outcome: 1, name: 'Spain' },
    { outcome: 2, name: 'Italy' },
  ];
  answerOutcomes(venue, { outcomeMeta: () => ({ outcomes, questions }) });
  const after = async (hours: number, listed: unknown[]) => {
    questions = listed;
    await run(hours);
    return store.read((reader) => ({
      markets: reader.all('SELECT native_id, event_id, question FROM markets ORDER BY market_id'),
      events: reader.column('SELECT event_id FROM events ORDER BY event_id'),
    }));
  };
  const whole = {
    markets: [
      { native_id: '1', event_id: 'venue_c:q7', question: 'Who wins? – Spain' },
      { native_id: '2', event_id: 'venue_c:q7', question: 'Who wins? – Italy' },
    ],
    events: ['venue_c:q7'],
  };
  expect(await after(0, [question])).toEqual(whole);
  expect(await after(1, [])).toEqual(whole);
  const listed = outcomes;
  outcomes = [];
  await after(1, []);
  outcomes = listed;
  expect(await after(1, [])).toEqual(whole);
  expect(await after(2, [{ ...question, name: null }])).toEqual(whole);
  // An outcome that was gone may come back as another one.
  outcomes = [{ outcome: 2, name: 'Italy' }];
  await after(3, []);
  outcomes = [
    { outcome: 1, name: 'Rain' },
    { outcome: 2, name: 'Italy' },
  ];
  expect((await after(4, [])).markets).toEqual([
    { native_id: '1', event_id: 'venue_c:1', question: 'Rain' },
    whole.markets[1],
  ]);
});

describe('the volume of an outcome', () => {
  const day = (date: string, v: string) => ({ t: Date.parse(date), v });
  let name: string;
  let days: { t: number; v: string }[];
  let settled: boolean;
  let asked: number;

  beforeEach(() => {
    [name, settled, asked] = ['Rain', false, 0];
    answerOutcomes(venue, {
      outcomeMeta: () => ({ outcomes: [{ outcome: settled ? 2 : 1, name }] }),
      settledOutcome: () => ({ spec: { outcome: 1, name }, settleFraction: '1.0' }),
      candleSnapshot: ({ req }) => {
        asked++;
        return days.filter(({ t }) => t >= (req?.startTime ?? 0));
      },
    });
  });
  const volumeAfter = async (hours: number, listed: typeof days) => {
    days = listed;
    await run(hours);
    return market(1)?.volume;
  };

  it('follows a revision of the last days, in either direction', async () => {
    const [old, first, second] = [
      day('2026-11-01', '100'),
      day('2026-11-08', '7'),
      day('2026-11-09', '3'),
    ] as const;
    expect(await volumeAfter(0, [old, first, second])).toBe(110);
    const revised = [
      { ...old, v: '1' },
      { ...first, v: '5.5' },
      { ...second, v: '4' },
    ];
    expect(await volumeAfter(24, [...revised, day('2026-11-10', '2')])).toBe(111.5);
    expect(await volumeAfter(48, [...revised, day('2026-11-10', '2'), day('2026-11-11', '1')])).toBe(112.5);
  });

  it('is asked for once a day, and every six hours while yesterday is missing', async () => {
    const requests: [hours: number, asked: number][] = [];
    for (const hours of [0, 7, 24, 29, 30, 36]) {
      await volumeAfter(hours, [day('2026-11-09', '3'), ...(hours < 30 ? [] : [day('2026-11-10', '2')])]);
      requests.push([hours, asked]);
    }
    expect(requests).toEqual([
      [0, 1],
      [7, 1],
      [24, 2],
      [29, 2],
      [30, 3],
      [36, 4],
    ]);
  });

  it('begins anew where the number of a settled one is given to another', async () => {
    const before = [day('2026-11-08', '7'), day('2026-11-09', '3')];
    expect(await volumeAfter(0, before)).toBe(10);
    settled = true;
    expect(await volumeAfter(1, before)).toBe(10);
    // The same one, whose settlement was overturned, counts on.
    settled = false;
    expect(await volumeAfter(2, before)).toBe(10);
    settled = true;
    await volumeAfter(3, before);
    [settled, name] = [false, 'Snow'];
    expect(await volumeAfter(4, before)).toBe(0);
    const after = [...before, day('2026-11-10', '2'), day('2026-11-11', '4')];
    expect(await volumeAfter(48, after)).toBe(4);
  });

  it('in a quote includes the hours since the days that are counted', async () => {
    nameMarkets(store, ['venue_c:1'], '2026-11-08T00:00:00Z');
    const today = Date.parse('2026-11-10');
    const trades = [
      { at: today - 30 * HOUR_MS, v: 100 },
      { at: today - HOUR_MS, v: 7.1 },
      { at: today + HOUR_MS, v: 5.05 },
      { at: today + 26 * HOUR_MS, v: 4 },
    ];
    const book = [[{ px: '0.4', sz: '1', n: 1 }], [{ px: '0.5', sz: '1', n: 1 }]];
    answerOutcomes(venue, {
      outcomeMeta: () => ({ outcomes: [{ outcome: 1, name }] }),
      l2Book: () => ({ coin: '#10', time: today, levels: book }),
      candleSnapshot: ({ req }) =>
        trades.map(({ at, v }) => {
          const t = floorTo(at, req?.interval === '1d' ? DAY_MS : HOUR_MS);
          return { t, s: '#10', i: req?.interval, o: '0.4', h: '0.4', l: '0.4', c: '0.4', v: `${v}`, n: 1 };
        }),
    });
    const volumeInQuote = async (hours: number) => {
      await run(hours - (NOW - today) / HOUR_MS);
      return pricesOf(store, 'venue_c:1', 'quote').at(-1)?.volume;
    };
    expect(await volumeInQuote(3)).toBeUndefined();
    // Nor does the same run state a count when it is repeated because it was killed.
    expect(await volumeInQuote(3)).toBeUndefined();
    expect(await volumeInQuote(4)).toBe(112.15);
    // Books are read before the count of the day.
    expect(await volumeInQuote(25)).toBe(112.15);
    expect(await volumeInQuote(29)).toBe(116.15);
  });
});
