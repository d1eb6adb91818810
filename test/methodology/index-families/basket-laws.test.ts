import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMember } from '../../../src/methodology/index-families/member-readings.ts';
import { rounds } from '../../helpers/rounds.ts';
import { book, define, hour, mid, NO_OTHERS, type Worked, work } from '../contracts.ts';
import { changesOf, NAMES, world } from '../random-worlds.ts';

const RUNS = { numRuns: rounds(200) };

/** Checks something of every calculation of random worlds. */
function inEveryWorld(check: (worked: Worked[]) => void): void {
  fc.assert(
    fc.property(world, (each) => check(work(each.definition, each.boards, changesOf(each)))),
    RUNS,
  );
}

describe('in every world', () => {
  it('[2.4.1/2] included weights sum to 1 on every print with an included constituent; all others are 0', () => {
    inEveryWorld((worked) => {
      for (const print of worked.flatMap((each) => each.print ?? [])) {
        const included = print.lines.filter((line) => line.state === 'included');
        const total = included.reduce((sum, line) => sum + line.weight, 0);
        if (included.length > 0) expect(Math.abs(total - 1)).toBeLessThanOrEqual(1e-12);
        for (const line of print.lines) if (line.state !== 'included') expect(line.weight).toBe(0);
      }
    });
  });

  it('no step of the ledger moves the level', () => {
    inEveryWorld((worked) => {
      for (const { steps } of worked)
        for (const { level_before, level_after } of steps)
          expect(Math.abs(level_after - level_before)).toBeLessThanOrEqual(1e-9 * level_before);
    });
  });

  it('a print can be recalculated from its own lines: value and cash over divisor', () => {
    inEveryWorld((worked) => {
      for (const print of worked.flatMap((each) => each.print ?? [])) {
        const standing = print.lines.filter((line) => line.state !== 'settled' && line.state !== 'departed');
        const value = standing.reduce((sum, line) => sum + line.quantity * (line.price ?? 0), 0);
        const level = (value + print.cash) / print.divisor;
        expect(Math.abs(level - print.level)).toBeLessThanOrEqual(1e-9 * Math.max(print.level, 1e-300));
      }
    });
  });

  it('levels are finite and not negative, coverage lies between 0 and 1, quantities are not negative', () => {
    inEveryWorld((worked) => {
      for (const print of worked.flatMap((each) => each.print ?? [])) {
        expect(print.level).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(print.level) && Number.isFinite(print.divisor)).toBe(true);
        expect(print.coverage).toBeGreaterThanOrEqual(0);
        expect(print.coverage).toBeLessThanOrEqual(1 + 1e-12);
        for (const line of print.lines) expect(line.quantity).toBeGreaterThanOrEqual(0);
      }
    });
  });

  it('a print has an included constituent, unless it is of a settlement', () => {
    inEveryWorld((worked) => {
      for (const { print } of worked)
        if (print && !print.lines.some((line) => line.state === 'included'))
          expect(print.lines.some((line) => line.state === 'settled')).toBe(true);
    });
  });

  it('[2.4.1/1] exactly the excluded have a reason, which names the check their book fails', () => {
    fc.assert(
      fc.property(world, ({ definition, boards }) => {
        for (const [i, each] of work(definition, boards).entries())
          for (const line of each.standing?.lines ?? []) {
            expect(line.exclude_reason !== undefined).toBe(line.state === 'excluded');
            if (line.state !== 'excluded') continue;
            const view = boards[i]?.[line.market_id.slice('venue_a:'.length)];
            const input = { definition, at: hour(i), ...NO_OTHERS, view: () => view };
            expect(readMember(input, line.market_id)).toEqual({
              kind: 'failed',
              reason: line.exclude_reason,
            });
          }
      }),
      RUNS,
    );
  });
});

const prices = fc.array(
  fc.array(fc.integer({ min: 1, max: 99 }), { minLength: NAMES.length, maxLength: NAMES.length }),
  { minLength: 3, maxLength: 20 },
);

const boardsOf = (rows: readonly (readonly number[])[]) =>
  rows.map((row, i) =>
    Object.fromEntries(NAMES.map((name, n) => [name, mid((row[n] as number) / 100, hour(i))])),
  );

describe('held constituents', () => {
  it('never move the level by a failing book alone, and a later loss still enters in full', () => {
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 18 }), (rows, from) => {
        const boards = boardsOf(rows);
        const whole = work(define([...NAMES]), boards);
        const held = boards.map((board, i) =>
          i >= from && i < boards.length - 1 ? { ...board, A: book({ bid: 0.01 }, hour(i)) } : board,
        );
        const worked = work(define([...NAMES]), held);
        const priceOfA = Math.max(0, Math.min(from, rows.length - 1) - 1);
        for (const [i, each] of worked.entries()) {
          // As if A had stood still since its last good mark.
          const still = rows.map((row, j) =>
            j === i && i >= from && i < rows.length - 1
              ? [rows[priceOfA]?.[0] as number, ...row.slice(1)]
              : row,
          );
          expect(each.level).toBeCloseTo(
            work(define([...NAMES]), boardsOf(still))[i]?.level ?? Number.NaN,
            6,
          );
        }
        expect(worked.at(-1)?.level).toBeCloseTo(whole.at(-1)?.level ?? Number.NaN, 6);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the level is independent of its path', () => {
  it('while holdings do not change: it depends on the base and the last marks alone', () => {
    fc.assert(
      fc.property(prices, (rows) => {
        const direct = [rows[0], rows.at(-1)] as number[][];
        const through = work(define([...NAMES]), boardsOf(rows)).at(-1)?.level ?? Number.NaN;
        const straight = work(define([...NAMES]), boardsOf(direct)).at(-1)?.level ?? Number.NaN;
        expect(Math.abs(through - straight)).toBeLessThanOrEqual(1e-9 * straight);
      }),
      RUNS,
    );
  });
});
