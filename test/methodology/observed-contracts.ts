// What was seen of a contract, at random, as the histories of contracts take it.
import fc from 'fast-check';
import type { SeenStatus } from '../../src/model/catalog.ts';
import { type PriceColumns, SERIES, type Series } from '../../src/model/observation.ts';
import { DAY_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { START } from './contracts.ts';

/** The instant of the i-th day. */
export const day = (i: number): Instant => START + i * DAY_MS;

type Row = { observed_at: Instant; series: Series; bid: number; ask: number; last: number };

const price = fc.constantFrom(Number.NaN, 0.1, 0.3, 0.4, 0.7);
const prices = fc.record({ bid: price, ask: price, last: price });
/** A book without any side, before anybody traded. */
const nothing = { bid: Number.NaN, ask: Number.NaN, last: Number.NaN };

/** Observations in time order. @param instantOf one of 30 steps of time */
export function observationRows(instantOf: (i: number) => Instant): fc.Arbitrary<Row[]> {
  const observed_at = fc.integer({ min: 0, max: 30 }).map(instantOf);
  const series = fc.constantFrom<Series>('quote', 'candle_60', 'history', 'trades');
  const seen = fc.oneof({ weight: 2, arbitrary: prices }, { weight: 1, arbitrary: fc.constant(nothing) });
  const row = fc
    .record({ observed_at, series, seen })
    .map(({ observed_at, series, seen }) => ({ observed_at, series, ...seen }));
  return fc
    .array(row, { maxLength: 20 })
    .map((rows) => rows.toSorted((a, b) => a.observed_at - b.observed_at));
}

/** What a venue was seen to say of a contract, oldest first; most often that it is active. */
export function seenStatuses(instantOf: (i: number) => Instant): fc.Arbitrary<SeenStatus[]> {
  const instant = fc.integer({ min: 0, max: 30 }).map(instantOf);
  const status = fc.record({
    observed_at: instant,
    status: fc.constantFrom('active' as const, 'active', 'active', 'paused', 'disputed', 'closed', 'settled'),
    settled_at: fc.option(instant),
    payout: fc.option(fc.constantFrom(0, 0.5, 1)),
    closes_at: fc.option(instant),
  });
  return fc
    .array(status, { maxLength: 4 })
    .map((seen) => seen.toSorted((a, b) => a.observed_at - b.observed_at));
}

/** The same observations, one array a column. */
export function priceColumns(rows: readonly Row[]): PriceColumns {
  const column = (name: 'bid' | 'ask' | 'last') => Float64Array.from(rows, (row) => row[name]);
  return {
    observed_at: Float64Array.from(rows, (row) => row.observed_at),
    series: Uint8Array.from(rows, (row) => SERIES.indexOf(row.series)),
    bid: column('bid'),
    ask: column('ask'),
    last: column('last'),
  };
}
