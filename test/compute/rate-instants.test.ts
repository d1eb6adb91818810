import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateRateInstants } from '../../src/compute/series/calculate-rate-instants.ts';
import { ContractHistory } from '../../src/methodology/contract-views.ts';
import { calculateRate, restsOnFloor } from '../../src/methodology/rate-families/rate-families.ts';
import { NO_HISTORY, type RateHistory } from '../../src/methodology/rate-families/rate-history.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { LineColumns, RatePrint } from '../../src/model/print.ts';
import { encodeReceipt } from '../../src/store/prints/receipt-codec.ts';
import { columnsOfLines } from '../../src/store/prints/receipts.ts';
import { rounds } from '../helpers/rounds.ts';
import { day, observationRows, priceColumns, seenStatuses } from '../methodology/observed-contracts.ts';
import { A, B, C, D, defineRate } from '../methodology/rate-families/rates.ts';

const SOURCES: readonly string[] = [A, B, C, D];
const DAYS = 24;

/** Half a day between two instants, so that books expire and sources go quiet. */
const instants = Array.from({ length: 2 * DAYS }, (_none, i) => day(i / 2));

const gate = fc.record({ limit_cents: fc.constantFrom(1, 15, 100), drop: fc.boolean() });
const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: SOURCES.length });

/** A rate of the first of the sources, each with its weight. */
const definition = fc
  .record({
    methodology: fc.constantFrom(
      'event_contract',
      'simple_average',
      'volume_weighted',
      'claim_price',
      'team_sleeve',
      'rolling',
    ),
    weights,
    gate,
  })
  .map(({ methodology, weights, gate }): RateDefinition => {
    const weighed = weights.map((weight, i) => ({ market_id: SOURCES[i] ?? '', weight }));
    const rolls = weighed.map(({ market_id }, i) => ({
      market_id,
      ...(i + 1 < weighed.length ? { roll_at: new Date(day(5 * (i + 1))).toISOString() } : {}),
    }));
    const several = { sources: weighed, outlier_gate: gate };
    const fields = {
      event_contract: { sources: weighed.slice(0, 1) },
      simple_average: several,
      volume_weighted: several,
      claim_price: { ...several, claim: 'It happens' },
      team_sleeve: { ...several, team: 'TEAM', seat: 'division' },
      rolling: { sources: rolls, roll: { kind: 'linear_blend', days: 2 } },
    }[methodology];
    return defineRate({ methodology, ...fields });
  });

/** A source's lifetime volumes from a day on. */
const volumes = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: DAYS }), volume: fc.constantFrom(0, 1, 2.5, 700) }),
  { maxLength: SOURCES.length },
);

const contract = fc.option(fc.record({ rows: observationRows(day), statuses: seenStatuses(day) }), {
  nil: undefined,
});

const world = fc.record({
  definitions: fc.tuple(definition, fc.option(definition, { nil: undefined })),
  contracts: fc.array(contract, { minLength: SOURCES.length, maxLength: SOURCES.length }),
  volumes,
  window: fc.integer({ min: 1, max: instants.length }),
});
type World = typeof world extends fc.Arbitrary<infer Each> ? Each : never;

interface Lived {
  prints: (string | number)[][];
  firstPrices: RatePrint[];
  last: string;
  /** Prints with an outlier. */
  outliers: number;
  /** Prints of columns. */
  columns: number;
}

/** Calculates a world, one definition after the other, in columns and windows or instant by instant. */
function live({ definitions, contracts, volumes, window }: World, byColumns: boolean): Lived {
  const lived: Lived = { prints: [], firstPrices: [], last: '', outliers: 0, columns: 0 };
  const known = new Map(
    contracts.map((each, i) => [
      SOURCES[i] ?? '',
      each && new ContractHistory(priceColumns(each.rows), each.statuses),
    ]),
  );
  const views = {
    at: (at: number) => (id: string) => known.get(id)?.viewAt(at),
    contract: (id: string) => known.get(id),
  };
  const history: RateHistory = {
    ...NO_HISTORY,
    volume(id, at) {
      const traded = volumes[SOURCES.indexOf(id)];
      return traded && at >= day(traded.from) ? traded.volume : undefined;
    },
  };
  const keep = (print: Omit<RatePrint, 'lines'>, lines: LineColumns) => {
    const { at, price, spread, methodology_version } = print;
    if (lines.outlier) lived.outliers++;
    lived.prints.push([at, price, spread, methodology_version, encodeReceipt(lines).toString('hex')]);
  };
  const take = {
    firstPrice: (print: RatePrint) => lived.firstPrices.push(print),
    print: (print: RatePrint) => keep(print, columnsOfLines(print.lines, print.at)),
    columns(print: Omit<RatePrint, 'lines'>, lines: LineColumns) {
      lived.columns++;
      keep(print, lines);
    },
  };
  let last: RatePrint | undefined;
  const half = instants.length / 2;
  for (const [i, each] of definitions.entries()) {
    const due = instants.slice(i * half, (i + 1) * half);
    const current = each ?? definitions[0];
    for (let from = 0; byColumns && from < due.length; from += window)
      last = calculateRateInstants(current, due.slice(from, from + window), { views, history }, last, take);
    for (const at of byColumns ? [] : due) {
      const print = calculateRate(current, views.at(at), at, last, history);
      if (!print) continue;
      if (last && restsOnFloor(last) && !restsOnFloor(print)) take.firstPrice(print);
      take.print(print);
      last = print;
    }
  }
  lived.last = JSON.stringify(last);
  return lived;
}

describe('calculating a rate in columns', () => {
  it('records the same bytes as calculating instant by instant', () => {
    const seen = { prints: 0, firstPrices: 0, outliers: 0 };
    fc.assert(
      fc.property(world, (each) => {
        const { columns: none, ...expected } = live(each, false);
        const { columns, ...lived } = live(each, true);
        expect(none).toBe(0);
        expect(lived).toEqual(expected);
        expect(columns).toBe(lived.prints.length);
        seen.prints += columns;
        seen.firstPrices += lived.firstPrices.length;
        seen.outliers += lived.outliers;
      }),
      { numRuns: rounds(400) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});
