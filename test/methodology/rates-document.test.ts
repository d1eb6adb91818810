// Every worked example of the rates in data/methodology.md, calculated again: the sentence with the calculated
// numbers must stand in the document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RatePrint } from '../../src/model/print.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { toCents } from '../../src/model/units.ts';
import { A, B, C, D, defineRate, printAt } from './rate-families/rates.ts';

const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8').replace(
  /\s+/g,
  ' ',
);
const cents = (print: RatePrint | undefined) => toCents(print?.price ?? -1);
const weights = (print: RatePrint | undefined) => print?.lines.map((line) => line.weight).join(' and ');
const sources = [A, B, C].map((market_id) => ({ market_id }));

it('the average', () => {
  const print = printAt(defineRate({ methodology: 'simple_average', sources: sources.slice(0, 2) }), {
    [A]: 0.505,
    [B]: 0.51,
  });
  expect(weights(print)).toBe('0.5 and 0.5');
  expect(document).toContain(
    `marks 0.505 and 0.51 → ${cents(print)} cents, spread ${toCents(print?.spread ?? -1)} cents, weights ½ and ½`,
  );
});

it('weighting by volume', () => {
  const definition = defineRate({ methodology: 'volume_weighted', sources: sources.slice(0, 2) });
  const print = printAt(definition, { [A]: 0.4, [B]: 0.5 }, { [A]: 300, [B]: 100 });
  expect(document).toContain(
    `marks 0.40 and 0.50 with volumes 300 and 100 → ${cents(print)} cents, weights ${weights(print)}`,
  );
});

it('the outlier gate', () => {
  const prices = { [A]: 0.5, [B]: 0.52, [C]: 0.8 };
  const price = (gate: object) =>
    cents(printAt(defineRate({ methodology: 'simple_average', sources, outlier_gate: gate }), prices));
  expect(document).toContain(
    `the third is flagged, ${price({})} cents; with \`drop\` ${price({ drop: true })} cents`,
  );
});

it('the win total', () => {
  const ladder = [A, B, C].map((market_id, i) => ({ market_id, line: 45 + 5 * i }));
  const prices = { [A]: 0.46, [B]: 0.5, [C]: 0.2 };
  const at = (line: number) =>
    cents(printAt(defineRate({ methodology: 'win_total', team: 'OKC', line, sources: ladder }), prices));
  expect(document).toContain(`at 0.46, 0.50 and 0.20 → ${at(45)}, ${at(50)} and ${at(55)} cents`);
  const both = defineRate({
    methodology: 'win_total',
    team: 'OKC',
    line: 50,
    sources: [
      { market_id: B, line: 50 },
      { market_id: D, line: 50, side: 'no' },
    ],
  });
  expect(document).toContain(`Yes 0.52 and No 0.50 → ${cents(printAt(both, { [B]: 0.52, [D]: 0.5 }))} cents`);
});

it('the rolling chain', () => {
  const roll_at = '2026-11-10T00:00:00Z';
  const definition = defineRate({
    methodology: 'rolling',
    roll: { kind: 'linear_blend', days: 4 },
    sources: [{ market_id: A, roll_at }, { market_id: B }],
  });
  const print = printAt(definition, { [A]: 0.6, [B]: 0.4 }, {}, Date.parse(roll_at) - DAY_MS);
  expect(document).toContain(`marks 0.60 and 0.40 → ${cents(print)} cents, shares ${weights(print)}`);
});
