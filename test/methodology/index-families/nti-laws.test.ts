import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Board, LINES, type Members, SEASON, team, textOf, work } from './team-boards.ts';

const mark = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 999 }).map((tenths) => tenths / 1000) },
  { weight: 2, arbitrary: fc.constant('one side' as const) },
);

// Once settled a contract stays settled: the board that says so is carried on.
const settling = fc.option(fc.tuple(fc.nat(11), fc.constantFrom(0, 0.5, 1)), { nil: undefined, freq: 4 });

const names = ['c', 'f', 'd', ...LINES.map((line) => `w${line}`), 'c2'];

const season = fc
  .record({
    marks: fc.array(fc.tuple(...names.map(() => mark)), { minLength: 12, maxLength: 12 }),
    ends: fc.tuple(...names.map(() => settling)),
  })
  .map(({ marks, ends }) =>
    marks.map(
      (row, i): Board =>
        Object.fromEntries(
          names.map((name, j) => {
            const end = ends[j];
            return [name, end && i >= end[0] ? { pays: end[1] } : (row[j] as Board[string])];
          }),
        ),
    ),
  );

const members: Members = [
  ...SEASON,
  { name: 'c2', seat: 'championship', active_from: textOf(4), active_until: textOf(9) },
];

const histories = [team(members), team(members, { series: 'historical', reconstitutes_at: [textOf(6)] })];

describe('laws of team indices', () => {
  it('included weights sum to 1, levels are 0 or more, and no step moves the level', () => {
    fc.assert(
      fc.property(season, fc.constantFrom(...histories), (boards, definition) => {
        for (const { print, steps, standing } of work(definition, boards)) {
          for (const step of steps) {
            const moved = Math.abs(step.level_after - step.level_before);
            expect(moved).toBeLessThanOrEqual(1e-9 * step.level_before);
          }
          if (!print || !standing) continue;
          expect(Number.isFinite(print.level) && print.level >= 0).toBe(true);
          const weights = print.lines.reduce((sum, line) => sum + line.weight, 0);
          const included = print.lines.some((line) => line.state === 'included');
          expect(Math.abs(weights - (included ? 1 : 0))).toBeLessThanOrEqual(1e-12);
          const value = standing.lines.reduce((sum, line) => sum + line.quantity * (line.price ?? 0), 0);
          expect(Math.abs(value + standing.cash - print.level)).toBeLessThanOrEqual(1e-9 * print.level);
          expect(print.lines.every((line) => line.quantity >= 0)).toBe(true);
        }
      }),
    );
  });

  it('a leg that bounces between one and two cents does not drift the level', () => {
    const still = { c: 0.01, f: 0.2, d: 0.4, w45: 0.6, w50: 0.3 };
    const boards = Array.from(
      { length: 41 },
      (_none, i): Board => ({ ...still, c: i % 2 === 0 ? 0.01 : 0.02 }),
    );
    const worked = work(team(), boards);
    expect(worked.at(-1)?.level).toBeCloseTo(1000, 9);
    expect(worked[1]?.level).toBeCloseTo(1250, 9);
  });

  it('an unchanged board leaves the level where it is', () => {
    let repeated = 0;
    fc.assert(
      fc.property(season, ([board]) => {
        const [first, again] = work(team(), [board, board] as Board[]);
        if (!first?.print || !again?.print) return;
        expect(again.level).toBeCloseTo(first.level, 9);
        repeated++;
      }),
    );
    expect(repeated).toBeGreaterThan(20);
  });

  it('the order of members in a definition does not matter', () => {
    fc.assert(
      fc.property(season, fc.shuffledSubarray(members, { minLength: members.length }), (boards, shuffled) => {
        const [given, other] = [team(members), team(shuffled)].map((definition) => work(definition, boards));
        for (const [i, each] of (given ?? []).entries()) {
          const level = other?.[i]?.level ?? Number.NaN;
          expect(Number.isNaN(level)).toBe(Number.isNaN(each.level));
          if (!Number.isNaN(level))
            expect(Math.abs(level - each.level)).toBeLessThanOrEqual(1e-9 * each.level);
        }
      }),
    );
  });
});
