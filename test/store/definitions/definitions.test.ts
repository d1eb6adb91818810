import { describe, expect, it } from 'vitest';
import { adoptDefinitions } from '../../../src/store/definitions/adopt-definitions.ts';
import {
  findDefinition,
  listIndexDefinitions,
  listIndexDefinitionsAt,
  listRateDefinitions,
  listVersions,
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

describe('the versions of an index', () => {
  const store = openStore(':memory:');
  /** Adopts the index under another name, and its namesake among the rates too. */
  const rename = (name: string, now: number, takesEffectAt: number) =>
    store.write((writer) =>
      adoptDefinitions(writer, { indices: [{ ...one, name }, two], rates: [{ ...rate, name }] }, now, {
        keepMissing: true,
        effectOf: () => takesEffectAt,
      }),
    );
  rename('first', 1, 1);
  rename('replaced before it took effect', 10, 100);
  rename('second', 20, 50);
  rename('replaced as it took effect', 60, 100);
  rename('third', 100, 200);

  it('are those that took or will take effect, without those of a rate of the same ticker', () => {
    const versions = store.read((reader) => listVersions(reader, 'ONE'));
    expect(versions.map((each) => [each.definition.name, each.takes_effect_at])).toEqual([
      ['first', 0],
      ['second', 50],
      ['replaced as it took effect', 100],
      ['third', 200],
    ]);
    expect(store.read((reader) => listVersions(reader, 'TWO'))).toMatchObject([{ definition: two }]);
  });

  it.each([
    [0, 'first'],
    [49, 'first'],
    [50, 'second'],
    [99, 'second'],
    [100, 'replaced as it took effect'],
    [199, 'replaced as it took effect'],
    [200, 'third'],
  ])('at %i show %s', (at, name) => {
    const inForceThen = store.read((reader) => listIndexDefinitionsAt(reader, at));
    expect(inForceThen.map(({ definition }) => definition.name)).toEqual([name, two.name]);
  });
});
