import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { confidenceOf } from '../../src/methodology/confidence.ts';
import type { ReceiptLine } from '../../src/model/print.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { toCents } from '../../src/model/units.ts';

const AT = Date.parse('2026-11-02T15:00:00Z');
const input = (weight: number, spread?: number, age = MINUTE_MS): ReceiptLine => ({
  market_id: 'venue_a:A',
  state: 'included',
  weight,
  quantity: 1,
  price: 0.5,
  basis: spread === undefined ? 'last' : 'mid',
  observed_at: AT - age,
  ...(spread === undefined ? {} : { spread }),
});
const grade = (lines: ReceiptLine[], coverage?: number, now = AT) =>
  confidenceOf({ at: AT, lines, ...(coverage === undefined ? {} : { coverage }) }, now).grade;
const HALVES = [input(0.5, 0.02), input(0.5, 0.02)];

it('as the methodology document works it out', () => {
  const found = confidenceOf({ at: AT, lines: [input(0.75, 0.02), input(0.25, 0.04)] }, AT);
  const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8');
  expect(document.replace(/\s+/g, ' ')).toContain(
    `effective_sources ${found.effective_inputs}, median spread ${toCents(found.median_spread ?? -1)} cents, grade ${found.grade}`,
  );
  expect(found.oldest_input_ms).toBe(MINUTE_MS);
});

it('a rate of one source is B at best, and so is one with an unknown spread', () => {
  expect(grade(HALVES)).toBe('A');
  expect(grade([input(1, 0.02)])).toBe('B');
  expect(grade([input(0.5), input(0.5)])).toBe('B');
});

it('an index is graded by its coverage, at the limits exactly', () => {
  expect([0.95, 0.949, 0.75, 0.749].map((coverage) => grade(HALVES, coverage))).toEqual(['A', 'B', 'B', 'C']);
});

it('spreads and ages are graded at the limits exactly', () => {
  const spreads = [0.55 - 0.5, 0.051, 0.1, 0.101];
  expect(spreads.map((spread) => grade([input(0.5, spread), input(0.5, spread)]))).toEqual([
    'A',
    'B',
    'B',
    'C',
  ]);
  const ages = [6 * HOUR_MS, 6 * HOUR_MS + 1, DAY_MS, DAY_MS + 1];
  expect(ages.map((age) => grade([input(0.5, 0.02), input(0.5, 0.02, age)]))).toEqual(['A', 'B', 'B', 'C']);
});

it('a rate is no better than the weight of its flagged sources lets it be', () => {
  const flagged = (weight: number): ReceiptLine => ({ ...input(weight, 0.02), outlier: true });
  const rest = [0.25, 0.5, 0.51, 1].map((weight) =>
    grade([flagged(weight), input((1 - weight) / 2, 0.02), input((1 - weight) / 2, 0.02)]),
  );
  expect(rest).toEqual(['B', 'B', 'C', 'C']);
  expect(grade([flagged(0.5), flagged(0.5)])).toBe('C');
  const dropped: ReceiptLine = { ...flagged(0), state: 'excluded' };
  expect(grade([dropped, ...HALVES])).toBe('A');
});

it('a print loses its grade after a day, while its figures stay as of the print', () => {
  const found = confidenceOf({ at: AT, lines: HALVES }, AT + DAY_MS);
  expect(found).toMatchObject({ grade: 'C', oldest_input_ms: MINUTE_MS });
});

it('payoffs do not age, and constituents that did not enter do not count', () => {
  const paid: ReceiptLine = { ...input(0.5, undefined, 100 * DAY_MS), basis: 'settlement' };
  const others: ReceiptLine[] = [
    { ...input(0, 0.9, 100 * DAY_MS), state: 'excluded' },
    { ...input(0.25, 0.9, 100 * DAY_MS), state: 'consulted', outlier: true },
    input(0, 0.9, 100 * DAY_MS),
  ];
  expect(confidenceOf({ at: AT, lines: [paid, input(0.5, 0.02), ...others], coverage: 1 }, AT)).toEqual({
    grade: 'A',
    effective_inputs: 2,
    oldest_input_ms: MINUTE_MS,
    median_spread: 0.02,
  });
  expect(confidenceOf({ at: AT, lines: [paid, paid], coverage: 1 }, AT + 100 * DAY_MS)).toEqual({
    grade: 'B',
    effective_inputs: 2,
  });
  expect(confidenceOf({ at: AT, lines: others.slice(0, 1), coverage: 0 }, AT)).toEqual({
    grade: 'C',
    effective_inputs: 0,
  });
});

it('effective sources run from 1 to the number of sources', () => {
  const parts = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(parts, (list) => {
      const total = list.reduce((sum, part) => sum + part, 0);
      const lines = list.map((part) => input(part / total, 0.02));
      const { effective_inputs } = confidenceOf({ at: AT, lines }, AT);
      expect(effective_inputs).toBeGreaterThanOrEqual(1 - 1e-9);
      expect(effective_inputs).toBeLessThanOrEqual(list.length + 1e-9);
    }),
  );
});
