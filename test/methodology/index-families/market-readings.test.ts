import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ContractHistory } from '../../../src/methodology/contract-views.ts';
import { readMarket } from '../../../src/methodology/index-families/index-family.ts';
import { marketReadings } from '../../../src/methodology/index-families/market-readings.ts';
import { isGoodAt, readingAt } from '../../../src/methodology/index-families/reading-columns.ts';
import type { SeenStatus } from '../../../src/model/catalog.ts';
import { type PriceColumns, SERIES, type Series } from '../../../src/model/observation.ts';
import { HOUR_MS } from '../../../src/model/time.ts';

// Of a day or two, so that books age.
const instant = fc.integer({ min: 0, max: 30 }).map((i) => i * 2 * HOUR_MS);
const price = fc.constantFrom(Number.NaN, 0.1, 0.3, 0.4, 0.7);
const observations = fc.array(
  fc.record({
    observed_at: instant,
    series: fc.constantFrom<Series>('quote', 'candle_60', 'history', 'trades'),
    bid: price,
    ask: price,
    last: price,
  }),
  { maxLength: 20 },
);
const seenStatus: fc.Arbitrary<SeenStatus> = fc.record({
  observed_at: instant,
  status: fc.constantFrom('active', 'active', 'paused', 'disputed', 'closed', 'settled'),
  settled_at: fc.option(instant),
  payout: fc.option(fc.constantFrom(0, 0.5, 1)),
  closes_at: fc.option(instant),
});

it('marketReadings are what readMarket reads of the view of each instant, whatever was asked for before', () => {
  fc.assert(
    fc.property(
      observations,
      fc.array(seenStatus, { maxLength: 4 }),
      fc.array(instant, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(1, 24),
      fc.constantFrom(5, 20),
      (rows, seen, asked, max_quote_age_hours, max_spread_cents) => {
        const limits = { max_quote_age_hours, max_spread_cents };
        const statuses = seen.toSorted((a, b) => a.observed_at - b.observed_at);
        const instants = asked.toSorted((a, b) => a - b);
        const prices = columnsOf(rows.toSorted((a, b) => a.observed_at - b.observed_at));
        const history = new ContractHistory(prices, statuses);
        history.viewAt(30 * HOUR_MS);
        const columns = marketReadings(limits, history, instants);
        const views = new ContractHistory(prices, statuses);
        const expected = instants.map((at) => readMarket(limits, views.viewAt(at), at));
        expect(instants.map((_at, i) => readingAt(columns, i))).toEqual(expected);
        expect(columns.allGood).toBe(instants.every((_at, i) => isGoodAt(columns, i)));
        const unknown = marketReadings(limits, undefined, instants);
        expect(readingAt(unknown, 0)).toEqual(readMarket(limits, undefined, instants[0] as number));
      },
    ),
    { numRuns: 400 },
  );
});

type Row = { observed_at: number; series: Series; bid: number; ask: number; last: number };

function columnsOf(rows: readonly Row[]): PriceColumns {
  const column = (name: 'bid' | 'ask' | 'last') => Float64Array.from(rows, (row) => row[name]);
  return {
    observed_at: Float64Array.from(rows, (row) => row.observed_at),
    series: Uint8Array.from(rows, (row) => SERIES.indexOf(row.series)),
    bid: column('bid'),
    ask: column('ask'),
    last: column('last'),
  };
}
