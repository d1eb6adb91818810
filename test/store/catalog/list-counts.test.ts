import { expect, it } from 'vitest';
import { countMarkets } from '../../../src/store/catalog/market-lists.ts';
import { openStore } from '../../../src/store/store.ts';
import { put } from '../../small-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();

it('[2.3/1] a count is exact whoever wrote since: this connection, another one, or nobody', () => {
  const path = `${folder}/counts.db`;
  const own = openStore(path);
  const other = openStore(path);
  const count = (filter = {}) => own.read((reader) => countMarkets(reader, filter));
  const [a, b] = [{ platform: 'venue_a' as const }, { platform: 'venue_b' as const }];
  const counts = () => [count(), count(a), count(b)];
  expect(counts()).toEqual([0, 0, 0]);
  put(own, { market_id: 'venue_a:1' });
  expect(counts()).toEqual([1, 1, 0]);
  put(other, { market_id: 'venue_b:2' });
  expect(counts()).toEqual([2, 1, 1]);
  other.write((writer) => {
    put(other, { market_id: 'venue_b:3' });
    expect(countMarkets(writer, b)).toBe(2);
    expect(counts()).toEqual([2, 1, 1]);
  });
  expect(counts()).toEqual([3, 1, 2]);
  expect(() =>
    own.write((writer) => {
      put(own, { market_id: 'venue_a:4' });
      expect(countMarkets(writer, a)).toBe(2);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(counts()).toEqual([3, 1, 2]);
  for (const store of [own, other]) store.close();
});
