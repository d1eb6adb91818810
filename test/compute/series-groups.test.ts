import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { type GroupedSeries, seriesGroups } from '../../src/compute/series/series-groups.ts';
import { findCalculatedTo } from '../../src/store/prints/standings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { basket, at as hour, index, parseDefinitions, rate } from '../helpers/hand-definitions.ts';
import { countTransactions, killedAt } from './killed-store.ts';
import { adopt, keep, price, run, type Seen, status } from './recorded-world.ts';

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_none, i) => from + i);
const names = (from: number, until: number) => upTo(until, from).map((i) => `M${i}`);

describe('seriesGroups', () => {
  const series = (
    ticker: string,
    markets: string[],
    instants: number,
    uses: string[] = [],
  ): GroupedSeries => ({
    kind: 'index',
    ticker,
    markets,
    instants: upTo(instants),
    uses,
  });
  const grouped = (all: GroupedSeries[]) =>
    seriesGroups(all).map((group) => group.map((each) => each.ticker).join(''));

  it('bounds the markets of a group for a long history, however many series there are', () => {
    const all = upTo(26).map((i) => series(String.fromCharCode(97 + i), names(40 * i, 40 * i + 40), 1e4));
    const groups = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr', 'stu', 'vwx', 'yz'];
    expect(grouped(all)).toEqual(groups);
  });

  it('counts a market of several series once, and calculates a new instant of all together', () => {
    const alike = upTo(26).map((i) => series(String.fromCharCode(97 + i), names(0, 400), 1e4));
    expect(grouped(alike)).toHaveLength(1);
    const brief = upTo(26).map((i) => series(String.fromCharCode(97 + i), names(100 * i, 100 * i + 100), 24));
    expect(grouped(brief)).toHaveLength(1);
  });

  it('takes a series by itself if it alone is more than that', () => {
    const wide = series('b', names(0, 900), 1e4);
    expect(grouped([series('a', ['M0'], 1e4), wide, series('c', ['M900'], 1e4)])).toEqual(['a', 'b', 'c']);
    expect(grouped([])).toEqual([]);
  });

  it('does not separate a series from a later one that it depends on', () => {
    const large = (ticker: string, place: number, uses: string[] = []) =>
      series(ticker, names(400 * place, 400 * place + 400), 1e4, uses);
    expect(
      grouped([large('a', 0), large('b', 1, ['d', 'a']), large('c', 2), large('d', 3), large('e', 4)]),
    ).toEqual(['a', 'bcd', 'e']);
  });
});

describe('a run that calculates series in groups', () => {
  const often = { interval_minutes: 1 };
  // With 250 markets each, the two baskets do not fit into one group, and the instants not into one window.
  const definitions = parseDefinitions(
    [
      index('WHOLE', 'composite', {
        ...often,
        weighting: { categories: { one: 1, two: 2 } },
        constituents: [
          { index: 'FIRST', category: 'one' },
          { index: 'SECOND', category: 'two' },
        ],
      }),
      basket('FIRST', [], {
        ...often,
        constituents: [...names(0, 250).map((name) => ({ market_id: `venue_a:${name}` })), { rate: 'MEAN' }],
      }),
      index('SECOND.TR', 'total_return', { ...often, base_index_id: 'SECOND' }),
      basket('SECOND', names(250, 500), often),
    ],
    [rate('MEAN', ['M3', 'M260'], often)],
  );
  const MINUTES = 520;
  const END = hour(MINUTES / 60);

  function open(): Store {
    const store = openStore(':memory:');
    const seen: Seen[] = names(0, 500).flatMap((name, i) => {
      // A print needs a mark that is newer than the one before.
      const every = i % 100 === 3 ? 1 : 120;
      return [
        status(name, hour(-3), 'active'),
        ...upTo(MINUTES / every).map((k) => {
          const mid = 0.2 + ((k * (i + 3)) % 11) / 20;
          return price(name, hour((k * every) / 60), { bid: mid, ask: mid });
        }),
      ];
    });
    keep(store, seen, hour(-3));
    keep(store, [status('M7', hour(5), 'settled', 1)], hour(5));
    adopt(store, definitions, hour(0));
    return store;
  }

  /** The prints of all series, and their receipts by their hashes, if these are wanted. */
  function printsOf(store: Store, hashes = '') {
    const rows = (table: string, value: string) =>
      `SELECT ticker, at, revision, ${value}${hashes} FROM ${table} ORDER BY ticker, at, revision`;
    return store.read((reader) => [
      ...reader.all(rows('index_prints', 'level, divisor')),
      ...reader.all(rows('rate_prints', 'price')),
      ...reader.all('SELECT * FROM daily_closes'),
    ]);
  }
  /** Of what is made of the two baskets. */
  const differences = (store: Store) =>
    store.read((reader) => verify(reader, ['WHOLE', 'SECOND.TR', 'MEAN']).differences);
  const whole = open();
  const told: [number, number | undefined][] = [];
  const transactions = countTransactions(whole, (counting) =>
    compute(counting, END, (_work, done, total) => told.push([done, total])),
  );
  const expected = printsOf(whole);

  it('prints the same as short runs that calculate all together', () => {
    const live = open();
    for (const minutes of [130, 260, 390, MINUTES]) run(live, hour(minutes / 60));
    expect(printsOf(live)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(5 * MINUTES);
    expect(differences(whole)).toEqual([]);
  });

  it('tells its progress over all groups', () => {
    const [last] = told.slice(-1);
    expect(told.length).toBeGreaterThan(2);
    expect(last?.[0]).toBe(last?.[1]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b));
  });

  it.each([3, 1])('is completed by the same run where it was killed before its last %i transactions', (n) => {
    const store = open();
    expect(() => compute(killedAt(store, transactions - n), END, () => {})).toThrow('killed');
    compute(store, END, () => {});
    expect(printsOf(store, ', hash')).toEqual(printsOf(whole, ', hash'));
  });

  it('is carried on by a later run where it was killed between two groups', () => {
    const store = open();
    expect(() => compute(killedAt(store, transactions - 2), END, () => {})).toThrow('killed');
    const reached = (ticker: string) =>
      store.read((reader) => findCalculatedTo(reader, { kind: 'index', ticker }));
    expect([reached('FIRST'), reached('WHOLE')]).toEqual([END, undefined]);
    run(store, hour(9));
    expect(reached('WHOLE')).toBe(hour(9));
    expect(differences(store)).toEqual([]);
  });
});
