import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { selectRatePrints } from '../../src/store/prints/rate-prints.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { PAIRS, playTwoVenues, readSnapshots } from './two-venue-live-2026-08.ts';

describe.skipIf(!hasRecorded)(
  '52 snapshots of two venues, as a site showed them for a day and a half',
  () => {
    const folder = temporaryFolder();
    const path = join(folder, 'foremark.db');
    const snapshots = readSnapshots();
    let store: Store;

    beforeAll(() => {
      store = openStore(path);
      playTwoVenues(store, snapshots);
    });

    afterAll(() => {
      store.close();
    });

    it('give rates whose price lies between the venues, and whose spread is the gap that the site worked out', () => {
      let compared = 0;
      for (const { ticker, kalshi, polymarket } of PAIRS) {
        const prints = store.read((reader) => selectRatePrints(reader, ticker, 0, Number.MAX_SAFE_INTEGER));
        const byInstant = new Map(prints.map((print) => [print.at, print]));
        for (const { at, gaps } of snapshots) {
          const gap = gaps.find((each) => each.kalshi === kalshi && each.polymarket === polymarket);
          if (!gap) continue;
          const print = byInstant.get(at);
          expect((print?.spread ?? 0) * 100, ticker).toBeCloseTo(gap.cents, 9);
          expect((print?.price ?? 0) * 200, ticker).toBeCloseTo(gap.sum_cents, 9);
          compared++;
        }
      }
      expect(compared).toBe(49);
    });

    it.skipIf(!hasPython)('give the prints that an independent program gives, and are verified', () => {
      const { compared, differences } = compareStores([path]);
      expect(differences).toBe('');
      expect(compared).toBeGreaterThan(1_000);
      expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
    });
  },
);
