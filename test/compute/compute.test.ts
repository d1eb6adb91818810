import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { DAY_MS, easternDay, formatInstant, HOUR_MS, QUIET_AFTER_MS } from '../../src/model/time.ts';
import { findMarketMark } from '../../src/store/catalog/market-marks.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, listIndexPrints, selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { findRatePrint, listRatePrints } from '../../src/store/prints/rate-prints.ts';
import { listCloses } from '../../src/store/prints/standings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { at, basket } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { define, hour } from '../methodology/contracts.ts';
import { observeAll } from './late-prices.ts';
import { adopt, defineRate, keep, price, run, status } from './recorded-world.ts';

const ALL = Number.MAX_SAFE_INTEGER;

function open(definitions: Partial<Parameters<typeof adopt>[1]>): Store {
  const store = openStore(':memory:');
  adopt(store, { indices: [], rates: [], ...definitions });
  return store;
}

const good = (name: string, at: number, mid: number) => price(name, at, { bid: mid, ask: mid });

it('a print uses what was observed at its very instant, and nothing of a millisecond later', () => {
  const store = open({ rates: [defineRate('ONE', 'event_contract', ['A'])] });
  const observed = [good('A', hour(0), 0.2), good('A', hour(1), 0.3), good('A', hour(1) + 1, 0.4)];
  keep(store, [status('A', hour(0), 'active'), ...observed], hour(0));
  for (const at of [hour(0), hour(1), hour(1) + 1]) run(store, at);
  const printed = store.read((reader) => listRatePrints(reader, 'ONE', 0, ALL));
  expect(printed.map((print) => [print.at, print.price])).toEqual([
    [hour(0), 0.2],
    [hour(1), 0.3],
    [hour(1) + 1, 0.4],
  ]);
});

it('a last trade at the mid that stood before prints nothing, whatever the floating-point error', () => {
  const store = open({ rates: [defineRate('MEAN', 'simple_average', ['A'])] });
  const seen = [
    price('A', hour(-1), { last: 0.23 }, 'trades'),
    price('A', hour(0), { bid: 0.22, ask: 0.24 }),
    price('A', hour(1), { bid: 0.22 }),
  ];
  keep(store, [status('A', hour(-1), 'active'), ...seen], hour(0));
  run(store, hour(3));
  const printed = store.read((reader) => listRatePrints(reader, 'MEAN', 0, ALL));
  expect(printed.map((print) => print.at)).toEqual([hour(0)]);
});

describe('[2.5.2/3] the first real price', () => {
  const floors = (store: Store) =>
    keep(
      store,
      [
        status('A', hour(0), 'active'),
        price('A', hour(0), {}),
        price('A', hour(1), {}),
        price('A', hour(2), {}),
      ],
      hour(2),
    );

  it('replaces the unbroken run of half-cent prints before it with revisions that give the reason', () => {
    const store = open({ rates: [defineRate('ONE', 'event_contract', ['A'])] });
    floors(store);
    run(store, hour(2));
    const listed = () => store.read((reader) => listRatePrints(reader, 'ONE', 0, ALL));
    expect(listed().map((print) => [print.at, print.price, print.revision])).toEqual([
      [hour(0), 0.005, 0],
      [hour(1), 0.005, 0],
      [hour(2), 0.005, 0],
    ]);
    keep(store, [price('A', hour(3), { bid: 0.3 })], hour(3));
    run(store, hour(3));
    expect(listed().map((print) => [print.at, print.price, print.revision])).toEqual([
      [hour(0), 0.3, 1],
      [hour(1), 0.3, 1],
      [hour(2), 0.3, 1],
      [hour(3), 0.3, 0],
    ]);
    const rows = store.read((reader) =>
      reader.all('SELECT at, revision, old_value, new_value, reason FROM restatements ORDER BY at'),
    );
    expect(rows).toEqual(
      [0, 1, 2].map((i) => ({
        at: hour(i),
        revision: 1,
        old_value: 0.005,
        new_value: 0.3,
        reason: 'half_cent_replaced',
      })),
    );
    const kept = store.read((reader) =>
      reader.all('SELECT price FROM rate_prints WHERE revision = 0 ORDER BY at'),
    );
    expect(kept).toEqual([0.005, 0.005, 0.005, 0.3].map((each) => ({ price: each })));
  });

  it('is followed by revised closes for the days before', () => {
    const store = open({ rates: [defineRate('ONE', 'event_contract', ['A'])] });
    keep(store, [status('A', hour(0), 'active'), price('A', hour(0), {})], hour(0));
    run(store, hour(0));
    keep(store, [price('A', hour(30), { last: 0.2 })], hour(30));
    run(store, hour(30));
    const [close] = store.read((reader) =>
      listCloses(reader, { kind: 'rate', ticker: 'ONE' }, easternDay(hour(30))),
    );
    expect(close).toEqual({ day: easternDay(hour(0)), at: hour(0) });
    expect(store.read((reader) => findRatePrint(reader, 'ONE', hour(0)))).toMatchObject({
      price: 0.2,
      revision: 1,
    });
  });

  it('also replaces half-cent prints that a backfill on a finer grid added between them', () => {
    const store = open({ rates: [defineRate('ONE', 'event_contract', ['A'])] });
    floors(store);
    run(store, hour(2));
    keep(store, [price('A', hour(3), { bid: 0.3 })], hour(3));
    run(store, hour(3));
    keep(store, [price('A', hour(1.25), {})], hour(3));
    backfill(store, { tickers: [], from: hour(1.5), to: hour(3), every_minutes: 30 }, hour(3), () => {});
    const prints = store.read((reader) => listRatePrints(reader, 'ONE', 0, ALL));
    expect(prints.map((print) => [print.at, print.price])).toEqual(
      [0, 1, 1.5, 2, 3].map((hours) => [hour(hours), 0.3]),
    );
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('is found again by a backfill, also where it is older than what it has replaced', () => {
    const store = open({ rates: [defineRate('MEAN', 'simple_average', ['A', 'B'])] });
    const told = [status('A', hour(0), 'active'), price('A', hour(0), {}), good('B', hour(0), 0.4)];
    keep(store, [status('B', hour(0), 'paused'), ...told, status('B', hour(0.5), 'active')], hour(0));
    run(store, hour(0));
    run(store, hour(1));
    const prices = () =>
      store.read((reader) => listRatePrints(reader, 'MEAN', 0, ALL).map((print) => print.price));
    expect(prices()).toEqual([0.2025, 0.2025]);
    keep(store, [good('B', hour(0.7), 0.6)], hour(2));
    backfill(store, { tickers: [], from: hour(1), to: hour(1) }, hour(2), () => {});
    expect(prices()).toEqual([0.3025, 0.3025]);
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('is not taken for one that has replaced half cents by a backfill, only because it equals the next', () => {
    const store = open({ rates: [defineRate('MEAN', 'simple_average', ['A', 'B', 'C'])] });
    const active = ['A', 'B', 'C'].map((name) => status(name, hour(0), 'active'));
    // Crossed books have no price.
    const crossed = (name: string, at: number) => price(name, at, { bid: 0.9, ask: 0.1 });
    keep(store, [...active, good('A', hour(0), 0.6), crossed('B', hour(0)), crossed('C', hour(0))], hour(0));
    run(store, hour(0));
    keep(store, [good('B', hour(1), 0.8)], hour(1));
    run(store, hour(1));
    const prices = () =>
      store.read((reader) => listRatePrints(reader, 'MEAN', 0, ALL).map((print) => print.price));
    expect(prices()).toEqual([0.6, 0.7]);
    keep(store, [crossed('B', hour(1))], hour(2));
    run(store, hour(2));
    expect(prices()).toEqual([0.6, 0.6]);
    // What comes late for the first print concerns none of the second.
    keep(store, [good('C', hour(0), 0.2)], hour(3));
    backfill(store, { tickers: [], from: hour(0.5), to: hour(1) }, hour(3), () => {});
    expect(prices()).toEqual([0.6, expect.closeTo(0.4, 12)]);
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('also replaces, in a backfill, half-cent prints that stand where there is no price any more', () => {
    const store = open({ rates: [defineRate('MEAN', 'simple_average', ['A', 'B'])] });
    floors(store);
    run(store, hour(2));
    // A had paid half an hour after the first print: the two after it would not have been made, and stand.
    keep(store, [status('A', hour(0.5), 'settled', 1)], hour(3));
    run(store, hour(3));
    const prices = () =>
      store.read((reader) => listRatePrints(reader, 'MEAN', 0, ALL).map((print) => print.price));
    expect(prices()).toEqual([0.005, 0.005, 0.005]);
    keep(store, [status('B', hour(2.5), 'active'), good('B', hour(2.5), 0.3)], hour(3));
    backfill(store, { tickers: [], from: hour(0), to: hour(3) }, hour(4), () => {});
    expect(prices()).toEqual([0.3, 0.3, 0.3, 0.3]);
    keep(store, [good('B', hour(2.5), 0.4)], hour(4.5));
    run(store, hour(5));
    expect(prices()).toEqual([0.4, 0.4, 0.4, 0.4]);
    const again = backfill(store, { tickers: [], from: hour(0), to: hour(3) }, hour(6), () => {});
    expect(again).toMatchObject({ restated: 0, added: 0 });
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('leaves earlier real prices alone', () => {
    const store = open({ rates: [defineRate('MEAN', 'simple_average', ['A', 'B'])] });
    floors(store);
    keep(
      store,
      [status('B', hour(0), 'active'), good('B', hour(0), 0.4), status('B', hour(1), 'settled', 1)],
      hour(2),
    );
    keep(store, [good('A', hour(3), 0.3)], hour(3));
    run(store, hour(3));
    const prints = store.read((reader) => listRatePrints(reader, 'MEAN', 0, ALL));
    expect(prints.map((print) => [print.price, print.revision])).toEqual([
      [expect.closeTo(0.2025, 12), 0],
      [0.3, 1],
      [0.3, 1],
      [0.3, 0],
    ]);
  });
});

describe('a robust median', () => {
  const played = (quotes: [minute: number, book: object][]) => {
    const store = open({ indices: [], rates: [defineRate('MEDIAN', 'robust_median', ['A'])] });
    keep(store, [status('A', hour(-1), 'active')], hour(-1));
    for (const [minute, book] of quotes)
      keep(store, [price('A', hour(minute / 60), book)], hour(minute / 60));
    for (const n of [0, 1, 2]) run(store, hour(n));
    return store.read((reader) => {
      expect(verify(reader, []).differences).toEqual([]);
      return listRatePrints(reader, 'MEDIAN', 0, ALL).map((print) => [print.price, print.revision]);
    });
  };

  it('replaces half-cent prints by the first quote, not by what is left of half cents in its hour', () => {
    const first = [
      [-60, {}],
      [50, { bid: 0.6, ask: 0.6 }],
    ] as [number, object][];
    expect(played(first)).toEqual([
      [0.6, 1],
      [0.6, 0],
    ]);
  });

  it('keeps what rests on quotes that are gone at the print', () => {
    const gone = [
      [-60, { bid: 0.6, ask: 0.6 }],
      [50, {}],
      [110, { bid: 0.3, ask: 0.3 }],
    ] as [number, object][];
    expect(played(gone)).toEqual([
      [0.6, 0],
      [expect.closeTo((10 * 0.6 + 2 * 0.005) / 12, 12), 0],
      [0.3, 0],
    ]);
  });
});

describe('an index over a rate without a trade or a book of two sides', () => {
  const half = indexDefinition.parse(
    basket('HALF', ['B'], {
      base_at: formatInstant(hour(0)),
      constituents: [{ market_id: 'venue_a:B' }, { rate: 'ONE' }],
    }),
  );
  const opened = () => open({ indices: [half], rates: [defineRate('ONE', 'event_contract', ['A'])] });
  const active = ['A', 'B'].map((name) => status(name, hour(0), 'active'));
  const rateIn = (store: Store, at: number) => {
    const print = store.read((reader) => findIndexPrint(reader, 'HALF', at));
    const line = print?.lines.find((each) => each.market_id === 'rate:ONE');
    return { level: print?.level, state: line?.state, price: line?.price, reason: line?.exclude_reason };
  };

  it.each([{}, { bid: 0.01 }, { ask: 0.99 }])(
    'has no price for it, and admits it at its first trade',
    (book) => {
      const store = opened();
      keep(store, [...active, price('A', hour(0), book), good('B', hour(0), 0.5)], hour(0));
      run(store, hour(0));
      expect(rateIn(store, hour(0))).toMatchObject({ level: 1000, state: 'unpriced' });
      keep(store, [price('A', hour(1), { ...book, last: 0.3 }), good('B', hour(1), 0.5)], hour(1));
      run(store, hour(1));
      expect(rateIn(store, hour(1))).toMatchObject({ level: 1000, state: 'included', price: 0.3 });
      keep(store, [good('A', hour(2), 0.6), good('B', hour(2), 0.5)], hour(2));
      run(store, hour(2));
      expect(rateIn(store, hour(2)).level).toBeCloseTo(1500, 9);
      expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
    },
  );

  it.each([
    { book: {}, prints: 0.005, reason: 'no_book' },
    { book: { bid: 0.01 }, prints: 0.01, reason: 'one_sided_book' },
  ])('holds it at its last good price: $reason', ({ book, prints, reason }) => {
    const store = opened();
    keep(store, [...active, good('A', hour(0), 0.3), good('B', hour(0), 0.5)], hour(0));
    run(store, hour(0));
    keep(store, [price('A', hour(1), book), good('B', hour(1), 0.6)], hour(1));
    run(store, hour(1));
    expect(store.read((reader) => findRatePrint(reader, 'ONE', hour(1)))?.price).toBe(prints);
    const held = { level: expect.closeTo(1100, 9), state: 'excluded', price: 0.3, reason };
    expect(rateIn(store, hour(1))).toEqual(held);
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });
});

describe('a changed definition', () => {
  const world = [
    ...['A', 'B', 'C'].map((name) => status(name, hour(-1), 'active')),
    good('A', hour(0), 0.5),
    good('B', hour(0), 0.2),
  ];

  it('prints a level with the marks of that instant, leaving constituents included, before it steps', () => {
    const store = open({ indices: [define(['A', 'B'])] });
    keep(store, world, hour(0));
    run(store, hour(0));
    keep(store, [good('A', hour(1), 0.6), good('B', hour(1), 0.4), good('C', hour(1), 0.1)], hour(1));
    adopt(store, { indices: [define(['A', 'C'])], rates: [] }, hour(1));
    run(store, hour(1));
    expect(store.read((reader) => findIndexPrint(reader, 'TEST', hour(1)))?.level).toBeCloseTo(1600, 9);
    expect(store.read((reader) => listDivisorSteps(reader, 'TEST')).map((step) => step.reason)).toEqual([
      'base',
      'reconstitution',
    ]);
  });

  it('waits, over several runs, until one of its constituents has a good mark', () => {
    const store = open({ indices: [define(['A'])] });
    keep(store, world, hour(0));
    run(store, hour(0));
    adopt(store, { indices: [define(['C'])], rates: [] }, hour(1));
    keep(store, [good('A', hour(1), 0.6)], hour(1));
    run(store, hour(1));
    keep(store, [good('A', hour(2), 0.75), good('C', hour(2), 0.2)], hour(2));
    run(store, hour(2));
    keep(store, [good('C', hour(3), 0.3)], hour(3));
    run(store, hour(3));
    const prints = store.read((reader) => listIndexPrints(reader, 'TEST', 0, ALL));
    expect(prints.map((print) => print.level)).toEqual(
      [1000, 1200, 1500, 2250].map((each) => expect.closeTo(each, 9)),
    );
    expect(store.read((reader) => verify(reader, [])).differences).toEqual([]);
  });

  it('does not step when constituents and weights stay the same', () => {
    const store = open({ indices: [define(['A', 'B'])] });
    keep(store, world, hour(0));
    run(store, hour(0));
    adopt(store, { indices: [{ ...define(['A', 'B']), name: 'Renamed' }], rates: [] }, hour(1));
    keep(store, [good('A', hour(1), 0.6)], hour(1));
    run(store, hour(1));
    expect(store.read((reader) => listDivisorSteps(reader, 'TEST'))).toHaveLength(1);
  });
});

describe('a run', () => {
  it('carries on after a definition failed, names it, and retries it in the next run', () => {
    const store = open({ indices: [define(['A'], { ticker: 'BAD' }), define(['A'], { ticker: 'GOOD' })] });
    keep(store, [status('A', hour(0), 'active'), good('A', hour(0), 0.5)], hour(0));
    store.write((writer) =>
      writer.run(`CREATE TEMP TRIGGER fails BEFORE INSERT ON index_prints WHEN new.ticker = 'BAD'
        BEGIN SELECT raise(ABORT, 'no room'); END`),
    );
    const report = compute(store, hour(1), () => {});
    expect(report).toMatchObject({ index_prints: 1, failures: [{ ticker: 'BAD', message: 'no room' }] });
    expect(store.read((reader) => listDivisorSteps(reader, 'BAD'))).toEqual([]);
    store.write((writer) => writer.run('DROP TRIGGER fails'));
    expect(run(store, hour(1)).index_prints).toBe(1);
    expect(store.read((reader) => listIndexPrints(reader, 'BAD', 0, ALL)).map((print) => print.at)).toEqual([
      hour(0),
    ]);
  });

  it('prints each definition from its own beginning, at its own interval, from where it stands', () => {
    const rate = (ticker: string, from: number, interval_minutes = 60) => ({
      ...defineRate(ticker, 'event_contract', ['A']),
      start_at: new Date(hour(from)).toISOString(),
      interval_minutes,
    });
    const rates = [rate('LATER', 1), rate('PLAIN', 0), rate('WIDER', 0, 120)];
    const store = open({ rates });
    keep(store, [status('A', hour(0), 'active')], hour(0));
    keep(
      store,
      [0, 1, 2, 3, 4].map((i) => good('A', hour(i), 0.3 + i / 100)),
      hour(4),
    );
    run(store, hour(2));
    adopt(store, { indices: [], rates: [...rates, rate('NEW', 0)] }, hour(3));
    run(store, hour(4));
    const hours = (ticker: string) =>
      store.read((reader) => listRatePrints(reader, ticker, 0, ALL)).map((print) => print.at);
    expect(['LATER', 'PLAIN', 'WIDER', 'NEW'].map(hours)).toEqual([
      [1, 2, 3, 4].map(hour),
      [0, 1, 2, 3, 4].map(hour),
      [0, 2, 4].map(hour),
      [0, 1, 2, 3, 4].map(hour),
    ]);
    store.close();
  });

  it('changes nothing when repeated at the same instant', () => {
    const store = open({ indices: [define(['A'])], rates: [defineRate('ONE', 'event_contract', ['A'])] });
    keep(store, [status('A', hour(0), 'active'), good('A', hour(0), 0.5)], hour(0));
    expect(run(store, hour(1))).toMatchObject({ markets_marked: 1, index_prints: 1, rate_prints: 1 });
    expect(run(store, hour(1))).toMatchObject({ markets_marked: 0, index_prints: 0, rate_prints: 0 });
  });

  it('repeated at the same instant, treats what arrived in between as arriving after it', () => {
    const store = open({
      indices: [define(['A', 'B']), define(['A', 'B'], { ticker: 'LATE' })],
      rates: [defineRate('ONE', 'simple_average', ['A', 'B'])],
    });
    const before = [status('A', hour(0), 'active'), status('B', hour(0), 'active')];
    keep(store, [...before, good('A', hour(0), 0.5), good('B', hour(0), 0.5)], hour(1));
    store.write((writer) =>
      writer.run(`CREATE TEMP TRIGGER fails BEFORE INSERT ON index_prints WHEN new.ticker = 'LATE'
        BEGIN SELECT raise(ABORT, 'no room'); END`),
    );
    compute(store, hour(1), () => {});
    store.write((writer) => writer.run('DROP TRIGGER fails'));
    // A new quote, a revised one and another status, of a venue that did not answer the first time.
    keep(store, [good('A', hour(1), 0.6), good('B', hour(0), 0.4), status('B', hour(1), 'paused')], hour(1));
    run(store, hour(1));
    const levels = (ticker: string, known = ALL) =>
      store.read((reader) =>
        selectIndexPrints(reader, ticker, 0, ALL, known).map(({ at, level }) => [at, level]),
      );
    expect(levels('LATE', hour(1))).toEqual([[hour(0), 1000]]);
    // The revised quote restates both.
    expect(levels('LATE')).toEqual(levels('TEST'));
    keep(store, [good('A', hour(2), 0.7)], hour(2));
    run(store, hour(2));
    expect(levels('TEST').at(-1)?.[0]).toBe(hour(2));
    expect(store.read((reader) => verify(reader, [])).differences).toEqual([]);
  });

  it('[2.4/3] takes the last print of the US Eastern day as the close, through both clock changes', () => {
    for (const [from, days] of [
      ['2026-03-07T12:00:00Z', ['2026-03-07', '2026-03-08', '2026-03-09']],
      ['2026-10-31T12:00:00Z', ['2026-10-31', '2026-11-01', '2026-11-02']],
    ] as const) {
      const start = Date.parse(from);
      const store = open({ indices: [{ ...define(['A']), base_at: from }] });
      const hours = Array.from({ length: 60 }, (_none, i) => start + i * HOUR_MS);
      keep(
        store,
        [status('A', start, 'active'), ...hours.map((at, i) => good('A', at, 0.3 + i / 1000))],
        start,
      );
      // Two runs, one of them on the day of the clock change.
      run(store, start + 20 * HOUR_MS);
      run(store, start + 59 * HOUR_MS);
      const closes = store.read((reader) => listCloses(reader, { kind: 'index', ticker: 'TEST' }));
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
      expect(closes).toEqual(
        days.map((day) => ({ day, at: hours.findLast((at) => format.format(at) === day) })),
      );
    }
  });

  it('prints once in a quiet world and then no more', () => {
    const store = open({ indices: [define(['A'])], rates: [defineRate('ONE', 'event_contract', ['A'])] });
    keep(store, [status('A', hour(0), 'active'), good('A', hour(0), 0.5)], hour(0));
    run(store, hour(0) + QUIET_AFTER_MS + DAY_MS);
    // The index prints nothing when the book goes stale: its only constituent is then held.
    expect(store.read((reader) => selectIndexPrints(reader, 'TEST', 0, ALL))).toHaveLength(1);
    expect(store.read((reader) => listRatePrints(reader, 'ONE', 0, ALL))).toHaveLength(1);
  });
});

describe('the mark that the catalog shows', () => {
  const markOf = (store: Store) =>
    store.write((writer) => findMarketMark(writer, marketKey(writer, 'venue_a:A')));

  it('[2.1/3] comes from the newest book, in whatever order books arrived', () => {
    const store = open({});
    keep(store, [status('A', hour(0), 'active'), good('A', hour(2), 0.6), good('A', hour(1), 0.5)], hour(3));
    run(store, hour(3));
    expect(markOf(store)).toMatchObject({ price: 0.6, basis: 'mid', observed_at: hour(2), spread: 0 });
  });

  it('is the payoff of a settled market, and goes once there is no price any more', () => {
    const store = open({});
    keep(store, [good('A', hour(0), 0.6), status('A', hour(1), 'settled', 0)], hour(1));
    run(store, hour(1));
    expect(markOf(store)).toMatchObject({ price: 0, basis: 'settlement' });
    keep(store, [status('A', hour(2), 'closed'), price('A', hour(2), {})], hour(2));
    run(store, hour(2));
    expect(markOf(store)).toBeUndefined();
  });

  it('comes from the price history when that is newer than a book over a day old, as in an index', () => {
    const store = open({});
    keep(
      store,
      [
        status('A', hour(0), 'active'),
        good('A', hour(0), 0.6),
        price('A', hour(20), { last: 0.3 }, 'history'),
      ],
      hour(20),
    );
    run(store, hour(24));
    expect(markOf(store)).toMatchObject({ price: 0.6, basis: 'mid' });
    run(store, hour(24) + 1);
    expect(markOf(store)).toMatchObject({ price: 0.3, basis: 'last' });
  });

  it('[2.5.2/2] treats no history point as a trade while a book counts, and neither does a rate', () => {
    const store = open({ rates: [defineRate('ONE', 'event_contract', ['A'])] });
    const asked = price('A', hour(1), { ask: 0.02, last: 0.01 });
    keep(store, [status('A', hour(0), 'active'), asked], hour(1));
    run(store, hour(1));
    keep(store, [price('A', hour(2), { last: 0.005 }, 'history')], hour(2));
    run(store, hour(2));
    expect(markOf(store)).toMatchObject({ price: 0.01, basis: 'last' });
    const prints = store.read((reader) => listRatePrints(reader, 'ONE', 0, ALL));
    // Nothing newer is known of its sources.
    expect(prints.map((print) => [print.at, print.price])).toEqual([[hour(1), 0.01]]);
  });
});

it.each([
  ['volume', 1150],
  ['liquidity', 1050],
])('a basket by %s takes its weights from the sizes last known at its base', (scheme, level) => {
  const hand = new HandStore();
  const base_at = new Date(at(1)).toISOString();
  hand.adopt([basket('SIZED', ['A', 'B'], { weighting: { scheme }, base_at })]);
  const sized = (name: string, hours: number, volume: number, open_interest: number) =>
    observeAll(hand.store, name, [{ observed_at: at(hours), volume, open_interest }], at(hours));
  hand.at(at(0), { A: 0.5, B: 0.5 });
  sized('A', 0.5, 300, 100);
  sized('B', 0.5, 100, 300);
  hand.at(at(1), { A: 0.5, B: 0.5 });
  // Later sizes change nothing. A rises by a fifth, with three quarters of the weight by volume, else with one.
  sized('A', 1.5, 900, 900);
  hand.at(at(2), { A: 0.6, B: 0.5 });
  const print = hand.store.read((reader) => findIndexPrint(reader, 'SIZED', ALL));
  expect(print?.level).toBeCloseTo(level, 9);
});
