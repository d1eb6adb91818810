import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
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

const common = { visibility: 'public', interval_minutes: 1440 };
const markets = (...names: string[]) => names.map((name) => ({ market_id: `venue_a:${name}` }));
const rate = (ticker: string, name: string, methodology: string, ...names: string[]) => ({
  ...common,
  ticker,
  name,
  methodology,
  start_at: new Date(START).toISOString(),
  sources: markets(...names),
});
const index = (ticker: string, name: string, methodology: string, ...names: string[]) => ({
  ...common,
  ticker,
  name,
  methodology,
  quote_convention: methodology === 'gauge' ? 'probability' : 'points',
  base_at: new Date(START).toISOString(),
  weighting: { scheme: 'equal' },
  constituents: markets(...names),
});

const hand = new HandStore();
function listed(path: string, query: Record<string, string>): string {
  const rows: { ticker: string }[] = hand.ask(path, { query })?.data ?? [];
  return rows.map((row) => row.ticker).join('');
}

beforeAll(() => {
  hand.adopt(
    [
      // Levels 2000, 30, 1230 and 70; changes of 100, 200, 23 and 8 percent.
      index('D', 'bravo', 'basket', 'M1'),
      index('B', 'delta', 'gauge', 'M1', 'M2'),
      index('A', 'charlie', 'basket', 'M3', 'M4', 'M1'),
      index('C', 'alpha', 'gauge', 'M5'),
    ],
    [
      rate('A', 'delta', 'simple_average', 'M1', 'M2'),
      rate('B', 'charlie', 'simple_average', 'M3', 'M4', 'M1', 'M5'),
      rate('C', 'alpha', 'event_contract', 'M5'),
      rate('D', 'bravo', 'simple_average', 'M6', 'M7', 'M8'),
      rate('E', 'echo', 'event_contract', 'M9'),
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
