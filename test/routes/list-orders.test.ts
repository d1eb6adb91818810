import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, formatInstant } from '../../src/model/time.ts';
import { basket, rate } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';

/*
 * Four rates and four indices that stand in another order by each thing that they can be sorted by, and a rate E
 * that has not printed for eight days.
 *
 *      name     methodology     sources  last  spread  change over seven days
 * A    delta    simple_average  2        30    20      20
 * B    charlie  simple_average  4        50    50      -1.25
 * C    alpha    event_contract  1        70    0       5
 * D    bravo    simple_average  3        25    10      6
 */
const START = Date.parse('2026-03-01T00:00:00Z');
const BEFORE = { M1: 0.1, M2: 0.1, M3: 0.6, M4: 0.7, M5: 0.65, M6: 0.19, M7: 0.19, M8: 0.19 };
const NOW = { M1: 0.2, M2: 0.4, M3: 0.5, M4: 0.6, M5: 0.7, M6: 0.2, M7: 0.3, M8: 0.25 };

const daily = { interval_minutes: 1440, base_at: formatInstant(START) };
const gauge = { ...daily, methodology: 'gauge', quote_convention: 'probability' };
const rateOf = (ticker: string, name: string, ...names: string[]) =>
  rate(ticker, names, { name, interval_minutes: 1440, start_at: formatInstant(START) });

const hand = new HandStore();
function listed(path: string, query: Record<string, string>): string {
  const rows: { ticker: string }[] = hand.ask(path, { query })?.data ?? [];
  return rows.map((row) => row.ticker).join('');
}

beforeAll(() => {
  hand.adopt(
    [
      // Levels 2000, 30, 1230 and 70; changes of 100, 200, 23 and 8 percent.
      basket('D', ['M1'], { ...daily, name: 'bravo' }),
      basket('B', ['M1', 'M2'], { ...gauge, name: 'delta' }),
      basket('A', ['M3', 'M4', 'M1'], { ...daily, name: 'charlie' }),
      basket('C', ['M5'], { ...gauge, name: 'alpha' }),
    ],
    [
      rateOf('A', 'delta', 'M1', 'M2'),
      rateOf('B', 'charlie', 'M3', 'M4', 'M1', 'M5'),
      rateOf('C', 'alpha', 'M5'),
      rateOf('D', 'bravo', 'M6', 'M7', 'M8'),
      rateOf('E', 'echo', 'M9'),
    ],
  );
  hand.at(START, { ...BEFORE, M9: 0.5 });
  hand.at(START + 8 * DAY_MS, NOW);
});

describe('the public list of rates', () => {
  it.each([
    ['ticker', 'ABCDE', 'EDCBA'],
    ['name', 'CDBAE', 'EABDC'],
    ['last', 'DABCE', 'CBADE'],
    ['change', 'BCDAE', 'ADCBE'],
    ['spread', 'CDABE', 'BADCE'],
    ['sources', 'CEADB', 'BDACE'],
    ['methodology', 'CEABD', 'ABDCE'],
  ])('[4.4/1] sorts by %s; absent values come last either way, ties by ticker', (sort, up, down) => {
    expect(listed('/rates', { sort })).toBe(up);
    expect(listed('/rates', { sort, sort_dir: 'desc' })).toBe(down);
  });

  it('[4.4/1] is by name by default', () => {
    expect(listed('/rates', {})).toBe('CDBAE');
    expect(listed('/rates', { sort_dir: 'desc' })).toBe('EABDC');
  });
});

describe('the list of indices', () => {
  it.each([
    ['order', 'DBAC', 'CABD'],
    ['ticker', 'ABCD', 'DCBA'],
    ['name', 'CDAB', 'BADC'],
    ['last', 'BCAD', 'DACB'],
    ['change', 'CADB', 'BDAC'],
    ['constituents', 'CDBA', 'ABCD'],
    ['methodology', 'ADBC', 'BCAD'],
  ])('[4.3/1] sorts by %s, ties by ticker', (sort, up, down) => {
    expect(listed('/indices', { sort })).toBe(up);
    expect(listed('/indices', { sort, sort_dir: 'desc' })).toBe(down);
  });
});
