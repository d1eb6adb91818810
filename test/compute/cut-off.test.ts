import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { formatInstant, MINUTE_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { findLastRun } from '../../src/store/prints/calculations.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { index } from '../helpers/hand-definitions.ts';
import { market } from '../helpers/small-store.ts';
import { define, hour, idOf, START } from '../methodology/contracts.ts';
import { countTransactions, killedAt } from './killed-store.ts';
import { defineRate } from './recorded-world.ts';

const NAMES = ['A', 'B', 'C'];
/** The run to be cut off: it restates after a settlement, and calculates more than one window. */
const NOW = hour(100.3);
const LATER = hour(101.7);

/** A store calculated by one run, into which two settlements, one of them late, and many prices have come since. */
function storeBefore(): Store {
  const store = openStore(':memory:');
  seen(store, START, {});
  adopt(store, definitions());
  quotes(store, 0, 20);
  compute(store, hour(20.4), () => {});
  seen(store, NOW, { B: pays(80), C: pays(18) });
  quotes(store, 21, 100);
  return store;
}

/** @param changed with other sources of the rates, and other intervals */
function definitions(changed = false) {
  const often = { interval_minutes: 5 };
  const every = { interval_minutes: changed ? 10 : 5 };
  const base_at = formatInstant(START);
  const indices = [
    { ...define(NAMES, { ticker: 'ALL' }), ...every },
    { ...define({ A: 2, C: 1 }, { ticker: 'TWO' }), ...often },
    ...[
      index('RETURN', 'total_return', {
        ...often,
        base_at,
        base_index_id: 'ALL',
        settlement_cash: 'reinvested_pro_rata',
      }),
      index('RATES', 'basket', {
        ...often,
        base_at,
        weighting: { scheme: 'equal' },
        constituents: [{ rate: 'MEAN' }, { rate: 'ONE' }],
      }),
    ].map((each) => indexDefinition.parse(each)),
  ];
  const rates = [
    { ...defineRate('MEAN', 'simple_average', changed ? ['A', 'C'] : ['B', 'C']), ...often },
    { ...defineRate('ONE', 'event_contract', changed ? ['B'] : ['C']), ...every },
  ];
  return { indices, rates };
}

function adopt(store: Store, defined: ReturnType<typeof definitions>, at = START): void {
  store.write((writer) => adoptDefinitions(writer, defined, at, { keepMissing: false }));
}

const pays = (at: number) => ({ status: 'settled' as const, settled_at: hour(at), payout: 1 });

function seen(store: Store, at: Instant, settled: Record<string, ReturnType<typeof pays>>): void {
  store.write((writer) => {
    for (const name of NAMES) upsertMarket(writer, market({ market_id: idOf(name), ...settled[name] }), at);
  });
}

function quotes(store: Store, from: number, until: number): void {
  store.write((writer) => {
    for (const [i, name] of NAMES.entries()) {
      const observations = Array.from({ length: until - from + 1 }, (_none, k) => {
        const bid = 0.3 + ((from + k) % (5 + i)) / 50;
        return { observed_at: hour(from + k) - 7 * MINUTE_MS, bid, ask: bid + 0.02 };
      });
      insertObservations(
        writer,
        marketKey(writer, idOf(name)),
        { series: 'quote', observations },
        hour(until),
      );
    }
  });
}

function prints(store: Store): unknown[] {
  const sql = (table: string, value: string) =>
    `SELECT ticker, at, revision, ${value} FROM ${table} ORDER BY ticker, at, revision`;
  return store.read((reader) => [
    ...reader.all(sql('index_prints', 'level')),
    ...reader.all(sql('rate_prints', 'price')),
    ...reader.all(
      'SELECT ticker, at, reason, level_after FROM standing_divisor_steps ORDER BY ticker, at, step_id',
    ),
    ...reader.all('SELECT * FROM daily_closes'),
  ]);
}

const differences = (store: Store) => store.read((reader) => verify(reader, []).differences);

describe('a run that is killed before any of its transactions', () => {
  const whole = storeBefore();
  const transactions = countTransactions(whole, (counting) => compute(counting, NOW, () => {}));
  const atEach = it.each(Array.from({ length: transactions }, (_none, n) => n));
  const expected = prints(whole);
  expect(differences(whole)).toEqual([]);

  atEach('%i: is completed by repeating the same run', (n) => {
    const store = storeBefore();
    expect(() => compute(killedAt(store, n), NOW, () => {})).toThrow('killed');
    compute(store, NOW, () => {});
    expect(prints(store)).toEqual(expected);
    expect(differences(store)).toEqual([]);
  });

  atEach('%i: is carried on by a later run', (n) => {
    const store = storeBefore();
    expect(() => compute(killedAt(store, n), NOW, () => {})).toThrow('killed');
    expect(differences(store)).toEqual([]);
    compute(store, LATER, () => {});
    expect(differences(store)).toEqual([]);
    quotes(store, 102, 105);
    compute(store, hour(105.5), () => {});
    expect(differences(store)).toEqual([]);
  });

  atEach('%i: is repeated without what has been withdrawn since', (n) => {
    const store = storeBefore();
    expect(() => compute(killedAt(store, n), NOW, () => {})).toThrow('killed');
    const { indices, rates } = definitions();
    const isKept = ({ ticker }: { ticker: string }) => !['TWO', 'ONE'].includes(ticker);
    adopt(store, { indices: indices.filter(isKept), rates: rates.filter(isKept) }, NOW);
    expect(differences(store)).toEqual([]);
    compute(store, NOW, () => {});
    expect(differences(store)).toEqual([]);
    compute(store, LATER, () => {});
    expect(differences(store)).toEqual([]);
  });

  atEach('%i: goes on with what it began with, whatever has been changed since', (n) => {
    const store = storeBefore();
    expect(() => compute(killedAt(store, n), NOW, () => {})).toThrow('killed');
    const begun = store.read(findLastRun) === NOW;
    adopt(store, definitions(true), NOW);
    expect(differences(store)).toEqual([]);
    compute(store, NOW, () => {});
    if (begun) expect(prints(store)).toEqual(expected);
    expect(differences(store)).toEqual([]);
    compute(store, LATER, () => {});
    expect(differences(store)).toEqual([]);
  });

  atEach('%i: is carried on by a later run with other definitions', (n) => {
    const store = storeBefore();
    expect(() => compute(killedAt(store, n), NOW, () => {})).toThrow('killed');
    adopt(store, definitions(true), NOW);
    compute(store, LATER, () => {});
    expect(differences(store)).toEqual([]);
  });
});
