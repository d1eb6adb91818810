import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toLevel } from '../../../src/model/units.ts';
import { team, work } from './team-boards.ts';

it('the code gives the worked example of the methodology document', () => {
  const opening = { c: 0.1, f: 0.2, d: 0.4, w40: 0.8, w45: 0.6, w50: 0.3, w55: 0.1 };
  const [first, second] = work(team(), [opening, { ...opening, w40: 0.7, w45: 0.4, w50: 0.1 }]);
  const held = (worked: typeof first, name: string) => toLevel(worked?.held.get(name)?.quantity ?? 0);
  const before = first?.held;
  const moved = (name: string, price: number) => toLevel((before?.get(name)?.quantity ?? 0) * price);
  const document = readFileSync(join(import.meta.dirname, '../../../data/methodology.md'), 'utf8');
  const said = document.replace(/\s+/g, ' ');
  expect(said).toContain(
    `n = ${held(first, 'c')}, ${held(first, 'f')}, ${held(first, 'd')}; ` +
      `pair 45 and 50 with ${held(first, 'w45')} and ${held(first, 'w50')}.`,
  );
  expect(said).toContain(
    `L = 750 + ${moved('w45', 0.4)} + ${moved('w50', 0.1)} = ${toLevel(second?.level ?? 0)}; ` +
      `the pair is 40 and 45 at 62.5 each, n = ${held(second, 'w40')} and ${held(second, 'w45')}.`,
  );
});
