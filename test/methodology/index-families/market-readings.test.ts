import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ContractHistory } from '../../../src/methodology/contract-views.ts';
import { marketReadings } from '../../../src/methodology/index-families/market-readings.ts';
import { readMarket } from '../../../src/methodology/index-families/member-readings.ts';
import { isGoodAt, readingAt } from '../../../src/methodology/index-families/reading-columns.ts';
import { type Columns, ownColumns } from '../../../src/model/column-room.ts';
import { HOUR_MS } from '../../../src/model/time.ts';
import { observationRows, priceColumns, seenStatuses } from '../observed-contracts.ts';

// Of a day or two, so that books age.
const at = (i: number) => i * 2 * HOUR_MS;
const instant = fc.integer({ min: 0, max: 30 }).map(at);

it('marketReadings equal readMarket on the view of each instant, whatever was asked for before', () => {
  fc.assert(
    fc.property(
      observationRows(at),
      seenStatuses(at),
      fc.array(instant, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(1, 24),
      fc.constantFrom(5, 20),
      (rows, statuses, asked, max_quote_age_hours, max_spread_cents) => {
        const limits = { max_quote_age_hours, max_spread_cents };
        const instants = asked.toSorted((a, b) => a - b);
        const prices = priceColumns(rows);
        const history = new ContractHistory(prices, statuses);
        history.viewAt(30 * HOUR_MS);
        // Columns are reused: what an earlier window left there must not be read.
        const used: Columns = { ...ownColumns, column: (length) => new Float64Array(length).fill(0.25) };
        const columns = marketReadings(limits, history, instants, used);
        const views = new ContractHistory(prices, statuses);
        const expected = instants.map((at) => readMarket(limits, views.viewAt(at), at));
        expect(instants.map((_at, i) => readingAt(columns, i))).toEqual(expected);
        expect(columns.allGood).toBe(instants.every((_at, i) => isGoodAt(columns, i)));
        const spreads = expected.map(
          (each) => (each.kind === 'good' ? each.spread : undefined) ?? Number.NaN,
        );
        expect([...columns.spread]).toEqual(spreads);
        const unknown = marketReadings(limits, undefined, instants, used);
        expect([...unknown.spread]).toEqual(instants.map(() => Number.NaN));
        expect(readingAt(unknown, 0)).toEqual(readMarket(limits, undefined, instants[0] as number));
      },
    ),
    { numRuns: 400 },
  );
});
