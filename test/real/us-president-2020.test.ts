import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { findIndexPrint } from '../../src/store/prints/index-prints.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { BASE, NOW, playStates2020 } from './us-president-2020.ts';

describe.skipIf(!hasRecorded)('the 56 races of 2020 as PredictIt showed them, from June to September', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'foremark.db');
  let store: Store;

  beforeAll(() => {
    store = openStore(path);
    playStates2020(store);
  });

  afterAll(() => {
    store.close();
  });

  it.skipIf(!hasPython)('give the prints that an independent program gives', () => {
    const { compared, differences } = compareStores([path]);
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(10_000);
  });

  it('the Democrats lost a twentieth in the swing states, and the Republicans gained', () => {
    const levels = (ticker: string) =>
      store.read((reader) =>
        [Date.parse(BASE), NOW].map((at) => findIndexPrint(reader, ticker, at)?.level ?? 0),
      );
    expect(levels('SWING20')).toEqual([1000, expect.closeTo(953.83, 2)]);
    const [before = 0, after = 0] = levels('SWING20.G');
    expect(after).toBeGreaterThan(before);
  });

  it('is verified, and a repeated run changes nothing', () => {
    expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
    expect(compute(store, NOW + HOUR_MS, () => {}).failures).toEqual([]);
  });
});
