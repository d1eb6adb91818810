import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexRun } from '../../src/compute/index-run.ts';
import { readMember } from '../../src/methodology/index-families/index-family.ts';
import { readingColumns } from '../../src/methodology/index-families/reading-columns.ts';
import type { IndexDefinition } from '../../src/model/index-definition.ts';
import type { DivisorStep, LineColumns } from '../../src/model/print.ts';
import { columnsOfLines, encodeReceipt } from '../../src/store/receipts.ts';
import { hour } from '../methodology/contracts.ts';
import { type World, world } from '../methodology/random-worlds.ts';

/** Everything of a print that is recorded; its receipt as bytes. */
type Recorded = [at: number, level: number, divisor: number, cash: number, coverage: number, receipt: string];

interface Lived {
  prints: Recorded[];
  steps: DivisorStep[];
  /** As it is stored. */
  standing: string;
  /** Instants that were calculated in stretches. */
  calm: number;
}

/** Lives a world instant by instant, or in stretches where one is calm, in windows of some length. */
function live({ definition, boards, change }: World, window?: number): Lived {
  const run = new IndexRun();
  const lived: Lived = { prints: [], steps: [], standing: '', calm: 0 };
  const factsAt = (i: number) => ({ view: (id: string) => boards[i]?.[id.slice('venue_a:'.length)] });
  const versionAt = (i: number) =>
    change && i >= change.at
      ? { definition_key: 2, takes_effect_at: hour(change.at), definition: change.definition }
      : first;
  const first = { definition_key: 1, takes_effect_at: 0, definition };
  const keep = (
    print: { at: number; level: number; divisor: number; cash: number; coverage: number },
    lines: LineColumns,
  ) => {
    const { at, level, divisor, cash, coverage } = print;
    lived.prints.push([at, level, divisor, cash, coverage, encodeReceipt(lines).toString('hex')]);
  };
  for (let i = 0; i < boards.length; i++) {
    const version = versionAt(i);
    if (window !== undefined) {
      const begins = i - (i % window);
      const places = boards.map((_board, place) => place).slice(begins, begins + window);
      const part = places.filter((place) => versionAt(place).definition === version.definition);
      const readings = (id: string) =>
        readingColumns(part.length, (n) => {
          const place = part[n] as number;
          const input = { ...factsAt(place), definition: version.definition, at: hour(place) };
          return readMember({ ...input, reconstitute: false }, id);
        });
      const stretch = run.goOn(version, { instants: part.map(hour), readings }, part.indexOf(i));
      if (stretch) {
        stretch.forEachPrint(keep);
        lived.calm += stretch.instants.length;
        i += stretch.instants.length - 1;
        continue;
      }
    }
    const { print, steps } = run.calculate(version, hour(i), factsAt(i));
    lived.steps.push(...steps);
    if (print) keep(print, columnsOfLines(print.lines, print.at));
  }
  lived.standing = JSON.stringify(run.before);
  return lived;
}

const weighedAnew = (definition: IndexDefinition, time: string): IndexDefinition =>
  definition.methodology === 'basket'
    ? {
        ...definition,
        weighting: { ...definition.weighting, rebalances: { every: 'week', day: 1, time } },
      }
    : definition;

describe('the stretches of an index', () => {
  it('record and leave what calculating instant by instant does, to the byte', () => {
    let calm = 0;
    let calculated = 0;
    fc.assert(
      fc.property(
        world,
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.integer({ min: 7, max: 18 }), { nil: undefined }),
        (random, window, rebalances) => {
          const time = `${String(rebalances).padStart(2, '0')}:00`;
          const definition = rebalances ? weighedAnew(random.definition, time) : random.definition;
          const each = { ...random, definition };
          const { calm: alone, ...expected } = live(each);
          const { calm: stretched, ...lived } = live(each, window);
          expect(alone).toBe(0);
          expect(lived).toEqual(expected);
          calm += stretched;
          calculated += random.boards.length;
        },
      ),
      { numRuns: 1000 },
    );
    expect(calm).toBeGreaterThan(calculated / 4);
  });
});
