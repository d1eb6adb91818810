import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateInstants } from '../../src/compute/series/calculate-instants.ts';
import { IndexCalculator, type IndexVersion, versionAt } from '../../src/compute/series/index-calculator.ts';
import { constituentInputs } from '../../src/compute/series/load-index-inputs.ts';
import type { FindPrinted } from '../../src/methodology/index-families/index-input.ts';
import { readMarket } from '../../src/methodology/index-families/member-readings.ts';
import { readingColumns } from '../../src/methodology/index-families/reading-columns.ts';
import type { StretchPrint } from '../../src/methodology/index-families/stretch.ts';
import type { BookLimits } from '../../src/methodology/marks.ts';
import type { IndexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { DivisorStep, IndexPrint, LineColumns, ReceiptLine } from '../../src/model/print.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { encodeReceipt } from '../../src/store/prints/receipt-codec.ts';
import { columnsOfLines } from '../../src/store/prints/receipts.ts';
import { rounds } from '../helpers/rounds.ts';
import { define, hour, idOf, mid, NO_OTHERS } from '../methodology/contracts.ts';
import { type World, world } from '../methodology/random-worlds.ts';

/** Everything of a print that is recorded, with its receipt as bytes. */
type Recorded = [at: number, level: number, divisor: number, cash: number, coverage: number, receipt: string];

interface Lived {
  prints: Recorded[];
  steps: DivisorStep[];
  /** As it is stored. */
  standing: string;
  /** Number of prints made in stretches. */
  calm: number;
}

/** A world, and the prints of its rates. */
type Rated = World & { printed?: (at: Instant) => FindPrinted };

/** Calculates a world instant by instant, or in stretches where an index is calm, in windows of a given length. */
function live({ definition, boards, change, printed }: Rated, window?: number): Lived {
  const calculator = new IndexCalculator();
  const lived: Lived = { prints: [], steps: [], standing: '', calm: 0 };
  const versions = [{ definition_key: 1, takes_effect_at: 0, definition }];
  if (change)
    versions.push({ definition_key: 2, takes_effect_at: hour(change.at), definition: change.definition });
  const keep = ({ at, level, divisor, cash, coverage }: StretchPrint, lines: LineColumns) =>
    lived.prints.push([at, level, divisor, cash, coverage, encodeReceipt(lines).toString('hex')]);
  const take = {
    step: (step: DivisorStep) => lived.steps.push(step),
    print: (_version: IndexVersion, print: IndexPrint) => keep(print, columnsOfLines(print.lines, print.at)),
    columns(
      _version: IndexVersion,
      print: StretchPrint,
      _held: readonly ReceiptLine[],
      linesOf: () => LineColumns,
    ) {
      lived.calm++;
      keep(print, linesOf());
    },
  };
  const viewAt = (at: Instant) => (id: string) =>
    boards[(at - hour(0)) / HOUR_MS]?.[id.slice('venue_a:'.length)];
  const factsOf = (_definition: IndexDefinition, at: Instant) => ({
    ...NO_OTHERS,
    view: viewAt(at),
    ...(printed ? { printed: printed(at) } : {}),
  });
  const readMarkets = (limits: BookLimits, part: readonly Instant[]) => (id: string) =>
    readingColumns(part.length, (i) =>
      readMarket(limits, viewAt(part[i] as Instant)(id), part[i] as Instant),
    );
  const inputs = constituentInputs({ readings: readMarkets }, factsOf);
  const instants = boards.map((_board, i) => hour(i));
  if (window !== undefined)
    for (let from = 0; from < instants.length; from += window)
      calculateInstants(calculator, versions, instants.slice(from, from + window), inputs, take);
  else
    for (const at of instants) {
      const version = versionAt(versions, at);
      const { print, steps } = calculator.calculate(version, at, factsOf(version.definition, at));
      for (const step of steps) take.step(step);
      if (print) take.print(version, print);
    }
  lived.standing = JSON.stringify(calculator.before);
  return lived;
}

type Family = 'basket' | 'probability' | 'centred';

/** An index of a family over the same constituents, weights and deletions. */
function inFamily(definition: IndexDefinition, family: Family): IndexDefinition {
  if (family === 'basket' || definition.methodology !== 'basket') return definition;
  const { constituents, deletions } = definition;
  const weights = constituents.map(({ market_id, weight = 1 }) => [market_id.slice(idOf('').length), weight]);
  const gauge = define(Object.fromEntries(weights), { family });
  return gauge.methodology === 'gauge' && deletions ? { ...gauge, deletions } : gauge;
}

const weighedAnew = (definition: IndexDefinition, time: string): IndexDefinition =>
  definition.methodology === 'basket'
    ? {
        ...definition,
        weighting: { ...definition.weighting, rebalances: { every: 'week', day: 1, time } },
      }
    : definition;

describe('calculating an index in stretches', () => {
  it('records the same bytes as calculating instant by instant', () => {
    const calm = { basket: 0, probability: 0, centred: 0 };
    const calculated = { basket: 0, probability: 0, centred: 0 };
    fc.assert(
      fc.property(
        world,
        fc.constantFrom<Family>('basket', 'basket', 'probability', 'centred'),
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.integer({ min: 7, max: 18 }), { nil: undefined }),
        (random, family, window, rebalances) => {
          const time = `${String(rebalances).padStart(2, '0')}:00`;
          const weighed = rebalances ? weighedAnew(random.definition, time) : random.definition;
          const definition = inFamily(weighed, family);
          const { change } = random;
          const changed = change && { ...change, definition: inFamily(change.definition, family) };
          const each = { ...random, definition, ...(changed ? { change: changed } : {}) };
          const { calm: alone, ...expected } = live(each);
          const { calm: stretched, ...lived } = live(each, window);
          expect(alone).toBe(0);
          expect(lived).toEqual(expected);
          calm[family] += stretched;
          calculated[family] += lived.prints.length;
        },
      ),
      { numRuns: rounds(400) },
    );
    for (const family of ['basket', 'probability', 'centred'] as const)
      expect(calm[family], family).toBeGreaterThan(calculated[family] / 4);
  });

  it('prints where a mark was revised without being newer', () => {
    const boards = [0.5, 0.5, 0.6].map((price) => ({ A: mid(price, hour(0)) }));
    const each = { definition: define(['A']), boards };
    const { calm, ...lived } = live(each, 3);
    expect(lived.prints.map(([at, level]) => [at, level])).toEqual([
      [hour(0), 1000],
      [hour(2), 1200],
    ]);
    expect(calm).toBe(1);
    expect(lived).toEqual({ ...live(each), calm: undefined });
  });

  it('keeps a gauge at what its rate has paid, whatever its sources are later said to have paid', () => {
    const gauge = define(['A'], { family: 'probability' });
    const constituents = ['PAID', 'OPEN'].map((ticker) => ({
      market_id: `rate:${ticker}`,
      rate: ticker,
      status: 'included' as const,
    }));
    const definition = { ...gauge, constituents } as IndexDefinition;
    const printed = (at: Instant) => (id: string) => {
      const print = { value: 0.4, at: hour(0) };
      if (id !== 'rate:PAID' || at < hour(1)) return print;
      const told = at < hour(3) ? { payout: 1, at: hour(1) } : { payout: 0, at: hour(2) };
      return { ...print, paid: told };
    };
    const each = { definition, boards: Array.from({ length: 6 }, () => ({})), printed };
    const { calm, ...lived } = live(each, 6);
    expect(lived.prints.map(([at, level]) => [at, level])).toEqual([
      [hour(0), 40],
      [hour(1), 70],
    ]);
    expect(lived).toEqual({ ...live(each), calm: undefined });
  });
});
