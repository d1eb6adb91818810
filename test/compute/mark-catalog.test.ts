import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markCatalog } from '../../src/compute/mark-catalog.ts';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import type { Observation, Series } from '../../src/model/observation.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { listUnmarked, unmarkAll } from '../../src/store/catalog/market-marks.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations, insertQuotes } from '../../src/store/prices/prices.ts';
import { openStore, type Store, type Writer } from '../../src/store/store.ts';
import { rounds } from '../helpers/rounds.ts';
import { market } from '../helpers/small-store.ts';

const START = Date.parse('2026-04-01T12:00:00Z');

/** An event of one market at an instant. */
type Happening = (writer: Writer, market_id: string, at: number) => void;

const price = fc.option(
  fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
  { nil: undefined },
);
const prices = fc.record({ bid: price, ask: price, last: price }).map(known);
const quoted = prices.map(
  (seen): Happening =>
    (writer, market_id, at) => {
      insertQuotes(writer, [{ market_key: marketKey(writer, market_id), prices: seen }], at);
    },
);
const history = fc
  .record({
    series: fc.constantFrom<Series[]>('candle_60', 'history', 'trades'),
    seen: prices,
    hours: fc.integer({ min: 0, max: 3 }),
  })
  .map(
    ({ series, seen, hours }): Happening =>
      (writer, market_id, at) => {
        const told = series === 'candle_60' ? seen : known({ last: seen.last });
        const observations = [{ observed_at: at - hours * HOUR_MS, ...told }];
        insertObservations(writer, marketKey(writer, market_id), { series, observations }, at);
      },
  );
const listed = fc
  .constantFrom<Partial<CatalogMarket>[]>(
    { status: 'active' },
    { status: 'paused' },
    { status: 'disputed' },
    { status: 'closed' },
    { status: 'settled' },
    { status: 'settled', payout: 0.37 },
    { status: 'settled', payout: 1, settled_at: START },
    { status: 'settled', payout: 0, settled_at: START + DAY_MS },
    { status: 'active', volume: 7 },
  )
  .map(
    (more): Happening =>
      (writer, market_id, at) => {
        upsertMarket(writer, market({ market_id, ...more }), at);
      },
  );
const happening = fc.oneof(quoted, history, listed);

type Prices = Pick<Observation, 'bid' | 'ask' | 'last'>;

/** Without unknown values. */
function known(seen: { [Name in keyof Prices]: Prices[Name] | undefined }): Prices {
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined));
}

const run = fc.array(
  fc.record({
    market: fc.integer({ min: 0, max: 1 }),
    happening: fc.option(happening, { nil: undefined }),
    hours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  }),
  { minLength: 1, maxLength: 25 },
);

function mark(store: Store, now: Instant, since: Instant | undefined): number {
  return store.write((writer) => markCatalog(writer, now, since));
}

function marksOf(store: Store): unknown[] {
  return store.read((reader) => reader.all('SELECT * FROM market_marks ORDER BY market_key'));
}

it('marking only what changed or grew stale since the last run equals marking everything', () => {
  const law = fc.property(run, (steps) => {
    const [kept, whole] = [openStore(':memory:'), openStore(':memory:')];
    let now = START;
    let since: number | undefined;
    for (const step of steps) {
      now += step.hours * HOUR_MS;
      for (const store of [kept, whole])
        store.write((writer) => step.happening?.(writer, `venue_a:M${step.market}`, now));
      whole.write(unmarkAll);
      expect(mark(kept, now, since)).toBe(mark(whole, now, undefined));
      expect(marksOf(kept)).toEqual(marksOf(whole));
      expect(kept.read((reader) => listUnmarked(reader, 1))).toEqual([]);
      since = now;
    }
  });
  fc.assert(law, { numRuns: rounds(60) });
});

it('a market is marked again at the very millisecond its book gives way to a newer price history', () => {
  const store = openStore(':memory:');
  store.write((writer) => {
    const { market_key } = upsertMarket(writer, market({ market_id: 'venue_a:M1' }), START);
    insertQuotes(writer, [{ market_key, prices: { bid: 0.4, ask: 0.5 } }], START);
    const observations = [{ observed_at: START + HOUR_MS, last: 0.7 }];
    insertObservations(writer, market_key, { series: 'trades_60', observations }, START + HOUR_MS);
  });
  mark(store, START + HOUR_MS, undefined);
  expect(mark(store, START + DAY_MS, START + HOUR_MS)).toBe(0);
  expect(marksOf(store)).toMatchObject([{ price: 0.45, basis: 'mid' }]);
  expect(mark(store, START + DAY_MS + 1, START + DAY_MS)).toBe(1);
  expect(marksOf(store)).toMatchObject([{ price: 0.7, basis: 'last' }]);
});

it('a market whose settlement was taken back loses its mark when nothing else prices it', () => {
  const store = openStore(':memory:');
  const id = 'venue_a:M1';
  store.write((writer) => {
    upsertMarket(writer, market({ market_id: id, status: 'settled', payout: 1, settled_at: START }), START);
  });
  mark(store, START, undefined);
  expect(marksOf(store)).toMatchObject([{ price: 1, basis: 'settlement' }]);
  store.write((writer) =>
    writer.run(`UPDATE markets SET status = 'active', payout = NULL, settled_at = NULL`),
  );
  mark(store, START + HOUR_MS, START);
  expect(marksOf(store)).toEqual([]);
});

it('a payoff is dated by when the market was first seen settled, where its venue does not say when', () => {
  const store = openStore(':memory:');
  const told = (more: Partial<CatalogMarket>, at: Instant) =>
    store.write((writer) => upsertMarket(writer, market({ market_id: 'venue_a:M1', ...more }), at));
  told({ status: 'active' }, START);
  told({ status: 'settled', payout: 1 }, START + HOUR_MS);
  told({ status: 'settled', payout: 1, volume: 7 }, START + DAY_MS);
  mark(store, START + DAY_MS, undefined);
  expect(marksOf(store)).toMatchObject([{ price: 1, basis: 'settlement', observed_at: START + HOUR_MS }]);
});

it('[C/3] more markets are marked than fit in memory at once', () => {
  const store = openStore(':memory:');
  store.write((writer) => {
    for (let i = 0; i < 5_001; i++) {
      const { market_key } = upsertMarket(writer, market({ market_id: `venue_a:M${i}` }), START);
      insertQuotes(writer, [{ market_key, prices: { bid: 0.4, ask: 0.5 } }], START);
    }
  });
  expect(mark(store, START, undefined)).toBe(5_001);
  expect(mark(store, START + HOUR_MS, START)).toBe(0);
});
