import { beforeEach, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { joinRuns } from '../../src/compute/recalculation/joined-runs.ts';
import { loadCalculationLog } from '../../src/compute/series/calculated-instants.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { listDefinitionHistory } from '../../src/store/definitions/definitions.ts';
import { compactTail } from '../../src/store/prices/price-compaction.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { index as defined } from '../helpers/hand-definitions.ts';
import { market } from '../helpers/small-store.ts';
import { define, hour } from '../methodology/contracts.ts';

const ID = 'venue_a:A';
const index = define({ A: 1 });

let store: Store;
beforeEach(() => {
  store = openStore(':memory:');
  see(0);
  adopt(0);
});

/** Definitions in force from an hour on. */
function adopt(at: number, definition = index): void {
  const definitions = { indices: [definition], rates: [] };
  store.write((writer) => adoptDefinitions(writer, definitions, hour(at), { keepMissing: false }));
}

/** The market as its venue describes it at an hour. */
function see(at: number, status: 'active' | 'paused' = 'active'): void {
  store.write((writer) => upsertMarket(writer, market({ market_id: ID, status }), hour(at)));
}

/** A book of an hour that becomes known at another. */
function quote(at: number, known = at): void {
  const observations = [{ observed_at: hour(at), bid: 0.4 + at / 100, ask: 0.6 }];
  store.write((writer) =>
    insertObservations(writer, marketKey(writer, ID), { series: 'quote', observations }, hour(known)),
  );
}

/** A run at each of the hours, each with a book of its hour unless that is left out. */
function run(hours: readonly number[], without: readonly number[] = []): void {
  for (const at of hours) {
    if (!without.includes(at)) quote(at);
    compute(store, hour(at), () => {});
  }
}

/** The hours calculated with what was known at each. */
const joined = (ticker = index.ticker) =>
  store.read((reader) => {
    const versions = listDefinitionHistory(reader).filter(({ definition }) => definition.ticker === ticker);
    const { runs } = loadCalculationLog(reader, { kind: 'index', ticker }, versions);
    return joinRuns(reader, versions, runs).map((each) => ({
      known: (each.run - hour(0)) / HOUR_MS,
      hours: each.instants.map((at) => (at - hour(0)) / HOUR_MS),
    }));
  });

it('runs are read together when each knew everything later runs know about its instants', () => {
  run([0, 1, 2, 3]);
  expect(joined()).toEqual([{ known: 3, hours: [0, 1, 2, 3] }]);
});

it.each([1, 2])(
  'a price of hour %i that came after run 2, in the tail or a chunk, separates the runs',
  (late) => {
    run([0, 1, 2], [late]);
    quote(late, 2.5);
    run([3, 4]);
    const parted = [
      { known: 2, hours: [0, 1, 2] },
      { known: 4, hours: [3, 4] },
    ];
    expect(joined()).toEqual(parted);
    store.write((writer) => compactTail(writer, { from: 1 }));
    expect(joined()).toEqual(parted);
  },
);

it('a late price that came before every run it concerns separates none', () => {
  quote(1.5, 2);
  run([0, 1, 2, 3], [2]);
  expect(joined()).toEqual([{ known: 3, hours: [0, 1, 2, 3] }]);
});

it('a change to a market separates the runs, since it may concern the past', () => {
  run([0, 1, 2]);
  see(2.5, 'paused');
  run([3]);
  expect(joined()).toEqual([
    { known: 2, hours: [0, 1, 2] },
    { known: 3, hours: [3] },
  ]);
});

it('a changed definition separates the runs', () => {
  run([0, 1]);
  adopt(1.5, define({ A: 2 }));
  run([2, 3]);
  expect(joined()).toEqual([
    { known: 1, hours: [0, 1] },
    { known: 3, hours: [2, 3] },
  ]);
});

it('each run of a series made of other series is read by itself', () => {
  const base_at = formatInstant(hour(0));
  const child = indexDefinition.parse(
    defined('TEST.TR', 'total_return', { base_at, base_index_id: index.ticker }),
  );
  const definitions = { indices: [index, child], rates: [] };
  store.write((writer) => adoptDefinitions(writer, definitions, hour(0), { keepMissing: false }));
  run([0, 1]);
  expect(joined('TEST.TR').map((each) => each.hours)).toEqual([[0], [1]]);
  expect(joined().map((each) => each.hours)).toEqual([[0, 1]]);
});
