import { describe, expect, it } from 'vitest';
import { adoptDefinitions } from '../../../src/store/definitions/adopt-definitions.ts';
import {
  findDefinition,
  listIndexDefinitions,
  listRateDefinitions,
} from '../../../src/store/definitions/definitions.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { defineRate } from '../../compute/recorded-world.ts';
import { define } from '../../methodology/contracts.ts';

const one = define(['A'], { ticker: 'ONE' });
const two = define(['B'], { ticker: 'TWO' });
const rate = defineRate('ONE', 'simple_average', ['A', 'C']);

const adopt = (store: Store, indices = [one, two], options = { keepMissing: false }, now = 1) =>
  store.write((writer) => adoptDefinitions(writer, { indices, rates: [rate] }, now, options));

const inForce = (store: Store) =>
  store.read((reader) =>
    listIndexDefinitions(reader).map(({ definition, definition_key }) => [definition.ticker, definition_key]),
  );

describe('adoptDefinitions', () => {
  it('puts them in force once, an index and a rate of one ticker side by side', () => {
    const store = openStore(':memory:');
    expect(adopt(store)).toEqual({ added: ['ONE', 'TWO', 'ONE'], changed: [], withdrawn: [] });
    expect(adopt(store)).toEqual({ added: [], changed: [], withdrawn: [] });
    expect(inForce(store)).toEqual([
      ['ONE', 1],
      ['TWO', 2],
    ]);
    expect(store.read((reader) => listRateDefinitions(reader))).toMatchObject([{ definition: rate }]);
    const names = 'SELECT market_id FROM market_names ORDER BY market_key';
    expect(store.read((reader) => reader.all(names))).toEqual(
      ['A', 'B', 'C'].map((name) => ({ market_id: `venue_a:${name}` })),
    );
  });

  it('gives a changed one a new key, and keeps the earlier for prints that name it', () => {
    const store = openStore(':memory:');
    adopt(store);
    const changed = { ...one, name: 'Renamed' };
    expect(adopt(store, [changed, two])).toEqual({ added: [], changed: ['ONE'], withdrawn: [] });
    expect(inForce(store)).toEqual([
      ['ONE', 4],
      ['TWO', 2],
    ]);
    expect(store.read((reader) => findDefinition(reader, 1))).toEqual(one);
    expect(store.read((reader) => findDefinition(reader, 4))).toEqual(changed);
    expect(store.read((reader) => findDefinition(reader, 99))).toBeUndefined();
  });

  it('withdraws one that is gone, which can come back', () => {
    const store = openStore(':memory:');
    adopt(store);
    expect(adopt(store, [two]).withdrawn).toEqual(['ONE']);
    expect(inForce(store)).toEqual([['TWO', 2]]);
    expect(adopt(store).changed).toEqual(['ONE']);
    expect(inForce(store)).toEqual([
      ['ONE', 4],
      ['TWO', 2],
    ]);
  });

  it('withdraws nothing with keepMissing', () => {
    const store = openStore(':memory:');
    adopt(store);
    expect(adopt(store, [two], { keepMissing: true }).withdrawn).toEqual([]);
    expect(
      inForce(store)
        .map(([ticker]) => ticker)
        .sort(),
    ).toEqual(['ONE', 'TWO']);
  });

  it('keeps their order as the order of presentation', () => {
    const store = openStore(':memory:');
    adopt(store);
    adopt(store, [two, one]);
    expect(inForce(store)).toEqual([
      ['TWO', 2],
      ['ONE', 1],
    ]);
  });
});
