import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capShares } from '../../../src/methodology/index-families/shares.ts';
import { reinvestedGrowth } from '../../../src/methodology/index-families/total-return.ts';
import type { IndexPrint } from '../../../src/model/print.ts';

const document = readFileSync(join(import.meta.dirname, '../../../data/methodology.md'), 'utf8');
const said = document.replace(/\s+/g, ' ');

it('the code gives the capped shares of the methodology document', () => {
  const shares = capShares([0.6, 0.3, 0.1], 0.4).map((share) => share.toFixed(2));
  expect(said).toContain(`the third gets the rest: ${shares.join(', ')}.`);
});

it('the code gives the total return of the methodology document', () => {
  const print = (level: number, price: number): IndexPrint => ({
    at: 0,
    level,
    divisor: 1,
    cash: 60,
    coverage: 1,
    methodology_version: 'basket-1.1',
    lines: [{ market_id: 'venue_a:A', state: 'included', weight: 1, quantity: 100, price }],
  });
  const growth = reinvestedGrowth([print(100, 0.4), print(102, 0.42)]);
  const percent = Number((100 * (growth - 1)).toFixed(9));
  expect(said).toContain(`the base moves from 100 to 102, its total return by ${percent} percent.`);
});
