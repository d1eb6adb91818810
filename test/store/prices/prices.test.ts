import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Observation, SERIES, type Series } from '../../../src/model/observation.ts';
import { marketKey } from '../../../src/store/catalog/market-names.ts';
import { findLatestQuote } from '../../../src/store/prices/latest-quotes.ts';
import { insertChunks } from '../../../src/store/prices/price-chunks.ts';
import { compactTail } from '../../../src/store/prices/price-compaction.ts';
import { observationsOf, PriceReads, selectPrices } from '../../../src/store/prices/price-reads.ts';
import type { PriceSpan } from '../../../src/store/prices/price-span.ts';
import { insertObservations, insertQuotes } from '../../../src/store/prices/prices.ts';
import { openStore, type Reader, type Store } from '../../../src/store/store.ts';
import { rounds } from '../../helpers/rounds.ts';

const MARKET = 'venue_a:X';

const keep = (store: Store, observations: Observation[], recordedAt = 1, series: Series = 'quote') =>
  store.write((writer) =>
    insertObservations(writer, marketKey(writer, MARKET), { series, observations }, recordedAt),
  );

const quoteAt = (store: Store, { observed_at, ...prices }: Observation) =>
  store.write((writer) =>
    insertQuotes(writer, [{ market_key: marketKey(writer, MARKET), prices }], observed_at),
  );

const read = (store: Store, asked: Partial<PriceSpan> = {}, reads?: PriceReads) =>
  store.write((writer) => {
    const key = marketKey(writer, MARKET);
    const span = { from: 0, until: 1e15, ...asked };
    return observationsOf(reads?.select(writer, key, span) ?? selectPrices(writer, key, span));
  });

const latest = (store: Store) => store.write((writer) => findLatestQuote(writer, marketKey(writer, MARKET)));

/** Stores observations as their own chunk, like a long batch. */
const keepChunk = (store: Store, observations: Observation[], recordedAt: number, series: Series) =>
  store.write((writer) => {
    const sorted = observations.toSorted((a, b) => a.observed_at - b.observed_at);
    insertChunks(writer, marketKey(writer, MARKET), series, sorted, () => recordedAt);
  });

const compact = (store: Store) => store.write((writer) => compactTail(writer, { from: 1, marketsAtOnce: 2 }));
const chunks = (store: Store) =>
  store.read((reader) =>
    reader.all<{ chunk_id: number; points: number }>('SELECT * FROM price_chunks ORDER BY chunk_id'),
  );
const many = (count: number, from = 0): Observation[] =>
  Array.from({ length: count }, (_none, i) => ({
    observed_at: (from + i) * 1000,
    bid: (i % 90) / 100 + 0.01,
  }));

const observation: fc.Arbitrary<Observation> = fc.record(
  {
    observed_at: fc.integer({ min: 0, max: 50 }),
    bid: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    last: fc.constantFrom(0.1, 0.2),
    volume: fc.constantFrom(1, 2),
    ask: fc.constantFrom(0.3, 0.4),
    open: fc.constantFrom(0.5, 0.6),
    high: fc.constantFrom(0.7, 0.8),
    low: fc.constantFrom(0.11, 0.12),
    open_interest: fc.constantFrom(3, 4),
  },
  {
    requiredKeys: ['observed_at'],
  },
);
const batchesOf = (series: readonly Series[]) =>
  fc.array(
    fc.record({
      series: fc.constantFrom(...series),
      observations: fc.uniqueArray(observation, { selector: (each) => each.observed_at, maxLength: 8 }),
    }),
    { maxLength: 8 },
  );
const batches = batchesOf(SERIES);

const quotesOfATick = fc.array(
  fc.record({
    market: fc.integer({ min: 0, max: 40 }),
    prices: fc.record(
      { bid: fc.constantFrom(0.1, 0.2), ask: fc.constantFrom(0.3, 0.4), last: fc.constantFrom(0.25, 0.35) },
      { requiredKeys: [] },
    ),
  }),
  { maxLength: 60 },
);

describe('insertQuotes', () => {
  it('leaves the same as insertObservations market by market, even for an instant that is known', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), quotesOfATick), { maxLength: 4 }),
        (ticks) => {
          const [together, each] = [openStore(':memory:'), openStore(':memory:')];
          const keyOf = (store: Store, i: number) =>
            store.write((writer) => marketKey(writer, `venue_a:M-${i}`));
          for (let i = 0; i <= 40; i++) expect(keyOf(together, i)).toBe(keyOf(each, i));
          for (const [at, quotes] of ticks) {
            const seen = quotes.map(({ market, prices }) => ({
              market_key: keyOf(together, market),
              prices,
            }));
            const added = together.write((writer) => insertQuotes(writer, seen, at));
            const alone = each.write((writer) =>
              seen.map(({ market_key, prices }) => {
                const observations = [{ observed_at: at, ...prices }];
                return insertObservations(writer, market_key, { series: 'quote', observations }, at);
              }),
            );
            expect(added).toBe(alone.reduce((sum, one) => sum + one, 0));
          }
          for (const table of ['price_tail', 'latest_quotes', 'late_inputs']) {
            const rows = (store: Store) => store.read((reader) => reader.all(`SELECT * FROM ${table}`));
            expect(rows(together)).toEqual(rows(each));
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('insertObservations', () => {
  it('adds nothing when repeated, in the tail and in chunks, and reads are the same in any order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(observation, { selector: (each) => each.observed_at }),
        fc.boolean(),
        (all, compacts) => {
          const [forward, backward] = [openStore(':memory:'), openStore(':memory:')];
          expect(keep(forward, all)).toBe(all.length);
          for (const each of [...all].reverse()) keep(backward, [each]);
          if (compacts) compact(forward);
          expect(keep(forward, all, 2)).toBe(0);
          expect(read(forward)).toEqual(read(backward));
        },
      ),
    );
  });

  it('keeps a differing value beside the earlier one; the newest wins, the old is what was known then', () => {
    for (const compacts of [false, true]) {
      const store = openStore(':memory:');
      keep(store, [{ observed_at: 5, bid: 0.1 }], 10);
      if (compacts) compact(store);
      expect(keep(store, [{ observed_at: 5, bid: 0.2 }], 20)).toBe(1);
      if (compacts) compact(store);
      expect(read(store)).toEqual([{ observed_at: 5, series: 'quote', bid: 0.2 }]);
      expect(read(store, { knownAt: 19 })).toEqual([{ observed_at: 5, series: 'quote', bid: 0.1 }]);
      expect(read(store, { knownAt: 9 })).toEqual([]);
      expect(keep(store, [{ observed_at: 5, bid: 0.1 }], 30)).toBe(1);
      expect(read(store)).toEqual([{ observed_at: 5, series: 'quote', bid: 0.1 }]);
    }
  });

  it('knows the current value even where a long batch revised a short one', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 5000, bid: 0.99 }], 10);
    expect(keep(store, many(300), 20)).toBe(300);
    expect(keep(store, many(300), 30)).toBe(0);
    expect(keep(store, [{ observed_at: 5000, bid: 0.99 }], 40)).toBe(1);
    expect(read(store, { from: 5000, until: 5000 })).toMatchObject([{ bid: 0.99 }]);
  });

  it('replaces the earlier value within one run', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 5, bid: 0.1 }], 10);
    keep(store, [{ observed_at: 5, bid: 0.2 }], 10);
    expect(read(store)).toMatchObject([{ bid: 0.2 }]);
    expect(latest(store)).toMatchObject({ bid: 0.2 });
  });

  it('lets the later value win within one run even once both were moved into a chunk in turn', () => {
    const store = openStore(':memory:');
    for (const bid of [0.4, 0.41]) {
      keep(store, [{ observed_at: 5, bid }], 10);
      expect(read(store)).toMatchObject([{ bid }]);
      compact(store);
      expect(read(store)).toMatchObject([{ bid }]);
    }
  });

  it('lets the later value win within one run where one of the two came in a long batch', () => {
    const others = (count: number, from = 0) => many(count, from).map((each) => ({ ...each, bid: 0.99 }));
    for (const [earlier, later] of [
      [others(1, 5), many(300)],
      [many(300), others(250)],
    ] as const) {
      const store = openStore(':memory:');
      keep(store, earlier, 10);
      keep(store, later, 10);
      const [standing] = later.filter((each) => each.observed_at === 5000);
      expect(read(store, { from: 5000, until: 5000 })).toMatchObject([standing]);
      keep(store, [{ observed_at: 100_500, bid: 0.5 }], 20);
      compact(store);
      expect(read(store, { from: 5000, until: 5000 })).toMatchObject([standing]);
    }
  });

  it('compares with what its own series says of an instant', () => {
    const store = openStore(':memory:');
    keep(store, many(300), 1, 'history');
    keep(store, [{ observed_at: 400_000, bid: 0.5 }]);
    expect(keep(store, many(300))).toBe(300);
  });

  it('the latest quote is the newest book, the newest trade and the newest point, whatever came last', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 9, bid: 0.9 }]);
    keep(store, [{ observed_at: 5, bid: 0.5, last: 0.5 }]);
    const trades = [6, 7].map((at) => ({ observed_at: at, last: at / 10 }));
    keep(store, trades, 1, 'trades_60');
    keep(store, [{ observed_at: 8, last: 0.8 }], 1, 'history');
    keep(store, [{ observed_at: 6, last: 0.6 }], 1, 'history');
    expect(latest(store)).toEqual({ book_at: 9, bid: 0.9, ask: null, last: 0.7, last_at: 7, point: 0.8 });
  });
});

describe('the latest quote', () => {
  it('has no trade that a venue took back: the previous one counts, or none', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 3, last: 0.4 }], 1, 'trades_60');
    keep(store, [{ observed_at: 4, last: 0.3 }], 1, 'history');
    keep(store, [{ observed_at: 5, bid: 0.1, last: 0.5 }], 1);
    keep(store, [{ observed_at: 5, bid: 0.1 }], 2);
    expect(latest(store)).toMatchObject({ bid: 0.1, book_at: 5, last: 0.4, last_at: 3 });
    keep(store, [{ observed_at: 3 }], 3, 'trades_60');
    expect(latest(store)).toMatchObject({ bid: 0.1, book_at: 5, last: null, last_at: null });
  });
});

describe('the latest quote of one instant', () => {
  const book = { observed_at: 100_000, bid: 0.1, ask: 0.2, last: 0.15 };
  const candle = { observed_at: 100_000, bid: 0.3, last: 0.35 };
  const trade = { observed_at: 100_000, last: 0.7 };
  const expected = { book_at: 100_000, bid: 0.3, ask: null, last: 0.7, last_at: 100_000 };

  it('is the book of the candle and the price of the trade, whatever came last', () => {
    for (const order of [
      ['quote', 'candle_60', 'trades_60'],
      ['candle_60', 'quote', 'trades_60'],
      ['trades_60', 'candle_60', 'quote'],
      ['trades_60', 'quote', 'candle_60'],
    ] as const) {
      const store = openStore(':memory:');
      for (const series of order)
        if (series === 'quote') quoteAt(store, book);
        else keep(store, [series === 'candle_60' ? candle : trade], 1, series);
      expect(latest(store), order.join()).toMatchObject(expected);
    }
  });

  it('keeps the price of a trade beside the newer book of a quote', () => {
    const store = openStore(':memory:');
    keep(store, [trade], 1, 'trades_60');
    quoteAt(store, book);
    expect(latest(store)).toMatchObject({ book_at: 100_000, bid: 0.1, ask: 0.2, last: 0.7 });
  });

  it('is also that of a candle in a chunk, until a newer book comes', () => {
    const store = openStore(':memory:');
    keep(store, [...many(90), candle], 1, 'candle_60');
    quoteAt(store, book);
    expect(latest(store)).toMatchObject({ ...expected, last: 0.35 });
    quoteAt(store, { ...book, observed_at: 100_001 });
    expect(latest(store)).toMatchObject({ bid: 0.1, ask: 0.2, last: 0.15 });
  });
});

describe('compaction', () => {
  it('changes no read', () => {
    const span = fc.record(
      {
        from: fc.integer({ min: 0, max: 50 }),
        until: fc.integer({ min: 0, max: 60 }),
        carry: fc.constantFrom('last' as const, 'volume' as const),
      },
      { requiredKeys: ['from', 'until'] },
    );
    fc.assert(
      fc.property(batches, span, fc.integer({ min: 0, max: 8 }), (all, span, at) => {
        const [plain, compacted] = [openStore(':memory:'), openStore(':memory:')];
        for (const [i, { series, observations }] of all.entries()) {
          keep(plain, observations, i + 1, series);
          if (i >= at) compact(compacted);
          keep(compacted, observations, i + 1, series);
        }
        compact(compacted);
        for (const each of [{}, span, { ...span, knownAt: 3 }])
          expect(read(compacted, each)).toEqual(read(plain, each));
        expect(compacted.read((reader) => reader.all('SELECT * FROM price_tail'))).toEqual([]);
      }),
      { numRuns: rounds(100) },
    );
  });

  it('never touches a closed chunk, and rewrites the open one', () => {
    const store = openStore(':memory:');
    keep(store, many(4000));
    keep(store, many(150, 4000));
    compact(store);
    const [closed, open] = chunks(store);
    expect([closed?.points, open?.points]).toEqual([4000, 150]);
    keep(store, many(100, 4150));
    compact(store);
    const after = chunks(store);
    expect(after[0]).toEqual(closed);
    expect(after.map((each) => each.points)).toEqual([4000, 250]);
    expect(read(store)).toHaveLength(4250);
  });

  it('writes a point only a few times until its chunk is closed, however often another one comes', () => {
    const store = openStore(':memory:');
    const all = many(600);
    let written = 0;
    let before = '';
    for (const each of all) {
      keep(store, [each]);
      compact(store);
      for (const each of chunks(store))
        if (!before.includes(`${each.chunk_id}:${each.points},`)) written += each.points;
      before = chunks(store)
        .map((each) => `${each.chunk_id}:${each.points},`)
        .join('');
    }
    expect(written / all.length).toBeLessThan(10);
    expect(chunks(store).length).toBeLessThan(6);
    expect(read(store)).toEqual(all.map((each) => ({ ...each, series: 'quote' })));
  });

  it('moves late points into the chunk where they belong', () => {
    const store = openStore(':memory:');
    keep(store, many(300));
    keep(store, [{ observed_at: 5_500, bid: 0.5 }]);
    compact(store);
    expect(chunks(store).map((each) => each.points)).toEqual([301]);
  });

  it('waits until the tail is long', () => {
    const store = openStore(':memory:');
    keep(store, many(10));
    expect(store.write((writer) => compactTail(writer))).toBe(0);
    expect(compact(store)).toBe(10);
    expect(compact(store)).toBe(0);
  });
});

describe('a read with carry', () => {
  it('adds what was in force for each series: the last observation and the last trade before', () => {
    const store = openStore(':memory:');
    keep(store, [
      { observed_at: 1, bid: 0.1 },
      { observed_at: 2, bid: 0.2, last: 0.25 },
      { observed_at: 3, bid: 0.3 },
      { observed_at: 4, bid: 0.4 },
      { observed_at: 5, bid: 0.5 },
    ]);
    keep(store, [{ observed_at: 3, last: 0.33 }], 1, 'history');
    for (const compacts of [false, true]) {
      if (compacts) compact(store);
      expect(read(store, { from: 5, carry: 'last' }).map((each) => [each.observed_at, each.series])).toEqual([
        [2, 'quote'],
        [3, 'history'],
        [4, 'quote'],
        [5, 'quote'],
      ]);
      expect(read(store, { from: 5 }).map((each) => each.observed_at)).toEqual([5]);
    }
  });

  it('finds the last trade many chunks back', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 0, last: 0.4 }, ...many(250, 1)]);
    keep(store, many(300, 1000), 2);
    keep(store, many(300, 2000), 3);
    const rows = read(store, { from: 2_100_000, until: 2_100_000, carry: 'last' });
    expect(rows.map((each) => each.observed_at)).toEqual([0, 2_099_000, 2_100_000]);
    expect(rows[0]?.last).toBe(0.4);
  });

  it('skips chunks that became known later', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 0, last: 0.4 }, ...many(250, 1)], 1);
    keep(store, [...many(300, 1000), { observed_at: 1_999_000, last: 0.5 }], 9);
    keep(store, many(300, 2000), 9);
    const carried = (knownAt: number) =>
      read(store, { from: 2_500_000, until: 2_500_000, carry: 'last', knownAt }).map(
        (each) => each.observed_at,
      );
    expect(carried(8)).toEqual([0, 250_000]);
    expect(carried(9)).toEqual([1_999_000, 2_299_000]);
  });

  it('skips a trade that a later batch took back', () => {
    const store = openStore(':memory:');
    keep(store, [
      { observed_at: 4, last: 0.4 },
      { observed_at: 5, last: 0.5 },
      { observed_at: 6, bid: 0.6 },
    ]);
    compact(store);
    keep(store, [{ observed_at: 5, bid: 0.5 }], 2);
    const carried = (knownAt: number) =>
      read(store, { from: 7, carry: 'last', knownAt }).map((each) => each.observed_at);
    expect(carried(2)).toEqual([4, 6]);
    expect(carried(1)).toEqual([5, 6]);
  });

  it('finds the trade before one that was taken back, in a chunk or beside it, many chunks back', () => {
    for (const compacts of [false, true]) {
      const store = openStore(':memory:');
      keep(store, [{ observed_at: 0, last: 0.4 }, ...many(250, 1)], 1);
      keep(store, [{ observed_at: 1_000_000, bid: 0.1, last: 0.5 }, ...many(4000, 1001)], 1);
      keep(store, [{ observed_at: 1_000_000, bid: 0.1 }], 2);
      if (compacts) compact(store);
      const carried = (knownAt: number) =>
        read(store, { from: 6_000_000, carry: 'last', knownAt }).map((each) => each.observed_at);
      expect(carried(1)).toEqual([1_000_000, 5_000_000]);
      expect(carried(2)).toEqual([0, 5_000_000]);
    }
  });

  it('gives the same as the whole history, window after window, whether or not reads are cached', () => {
    const carry = fc.constantFrom('last' as const, 'bid' as const, 'volume' as const);
    fc.assert(
      fc.property(
        // Few series, so that they overlap and revise each other.
        batchesOf(['quote', 'history']),
        fc.array(fc.nat(8), { maxLength: 2 }),
        carry,
        fc.boolean(),
        fc.nat(20),
        fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
        (all, compactsAt, carry, known, room, chunksAt) => {
          const store = openStore(':memory:');
          for (const [i, { series, observations }] of all.entries()) {
            if (chunksAt.includes(i)) keepChunk(store, observations, i + 1, series);
            else keep(store, observations, i + 1, series);
            if (compactsAt.includes(i)) compact(store);
          }
          const knownAt = known ? 4 : Number.POSITIVE_INFINITY;
          const whole = read(store, { knownAt });
          const kept = new PriceReads(room);
          for (let from = 0; from <= 50; from += 7) {
            const span = { from, until: from + 6, carry, knownAt };
            const before = whole.filter((each) => each.observed_at < from);
            const inForce = SERIES.flatMap((series) => {
              const ofSeries = before.filter((each) => each.series === series);
              return [ofSeries.at(-1), ofSeries.findLast((each) => each[carry] !== undefined)];
            });
            const expected = whole.filter(
              (each) =>
                inForce.includes(each) || (each.observed_at >= from && each.observed_at <= span.until),
            );
            expect(read(store, span)).toEqual(expected);
            expect(read(store, span, kept)).toEqual(expected);
          }
          store.close();
        },
      ),
      { numRuns: rounds(75) },
    );
  });

  it('scans the tail once for a few markets, however many spans are read of them', () => {
    const store = openStore(':memory:');
    keep(store, [
      { observed_at: 1, bid: 0.1 },
      { observed_at: 2, bid: 0.2 },
    ]);
    const read = store.read((reader) => {
      let passes = 0;
      const counting: Reader = {
        all: (sql, ...values) => reader.all(sql, ...values),
        get: (sql, ...values) => reader.get(sql, ...values),
        iterate(sql, ...values) {
          passes++;
          return reader.iterate(sql, ...values);
        },
        value: (sql, ...values) => reader.value(sql, ...values),
        column: (sql, ...values) => reader.column(sql, ...values),
        once: (name, work) => reader.once(name, work),
        untilWritten: (name, work) => reader.untilWritten(name, work),
        reading: (_kind, _id, work) => work(),
      };
      const reads = new PriceReads(0);
      const ofMarket = (key: number, at: number) => [
        ...(reads.select(counting, key, { from: at, until: at, columns: ['bid'] }).bid ?? []),
      ];
      reads.passTail(counting, [1, 2]);
      return { bids: [ofMarket(1, 1), ofMarket(1, 2), ofMarket(2, 1)], passes };
    });
    expect(read).toEqual({ bids: [[0.1], [0.2], []], passes: 1 });
  });

  it('reads columns on demand', () => {
    const store = openStore(':memory:');
    keep(store, [{ observed_at: 1, bid: 0.1, volume: 7 }]);
    expect(read(store, { columns: ['volume'] })).toEqual([{ observed_at: 1, series: 'quote', volume: 7 }]);
  });
});
