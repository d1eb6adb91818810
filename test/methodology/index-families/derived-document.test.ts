import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capShares } from '../../../src/methodology/index-families/shares.ts';
import { followBase } from '../../../src/methodology/index-families/total-return.ts';
import type { IndexPrint, ReceiptLine } from '../../../src/model/print.ts';

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
    methodology_version: 'basket-1.2',
    lines: [{ market_id: 'venue_a:A', state: 'included', weight: 1, quantity: 100, price }],
  });
  const { level } = followBase({ level: 100, cash: 0 }, [print(100, 0.4), print(102, 0.42)]);
  const percent = Number((level - 100).toFixed(9));
  expect(said).toContain(`the base moves from 100 to 102, its total return by ${percent} percent.`);
});

it('and what waits while no name can take it', () => {
  const print = (cash: number, ...lines: [string, ReceiptLine['state'], number, number][]): IndexPrint => ({
    at: 0,
    level: 0,
    divisor: 1,
    cash,
    coverage: 1,
    methodology_version: 'basket-1.2',
    lines: lines.map(([market_id, state, quantity, price]) => ({
      market_id,
      state,
      weight: 0,
      quantity,
      price,
    })),
  });
  const prints = [
    print(0, ['W', 'included', 100, 0.98], ['L', 'excluded', 200, 0.01]),
    print(100, ['L', 'excluded', 200, 0.01], ['W', 'settled', 100, 1]),
    print(100, ['L', 'settled', 200, 0]),
  ];
  const paid = followBase({ level: 100, cash: 0 }, prints.slice(0, 2));
  const lost = followBase(paid, prints.slice(1));
  const [r, w, after] = [paid.level, paid.cash, lost.level].map((value) => Number(value.toFixed(9)));
  expect(said).toContain(`R = ${r}, W = ${w}. They pay 0: R = ${after}, as the base.`);
});
