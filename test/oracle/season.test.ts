import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { EVERY_FAMILY } from '../compute/every-family.ts';
import { adopt, HOURS, keep, run, type Seen } from '../compute/recorded-world.ts';
import { hour, idOf } from '../methodology/contracts.ts';
import { adoptMethods } from './season/adopt-methods.ts';
import { compareStores, hasPython } from './season/season.ts';
import { sizedWorld } from './season/sized-worlds.ts';

const WORLDS = 24;
const folder = mkdtempSync(join(tmpdir(), 'foremark-season-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The store of a world, calculated by one run. */
function storeOf(seen: Seen[], i: number): string {
  const path = join(folder, `${i}.db`);
  const store = openStore(path);
  keep(store, seen, hour(HOURS));
  adopt(store, EVERY_FAMILY);
  adoptMethods(store, {
    prefix: 'M.',
    markets: ['A', 'B', 'C', 'D', 'E', 'F'].map(idOf),
    base_at: hour(0),
    until: hour(HOURS),
    interval_minutes: 60,
  });
  run(store, hour(HOURS));
  store.close();
  return path;
}

it.skipIf(!hasPython)(
  '[2.4][2.5] an independent program gives the prints of random worlds',
  () => {
    const stores = fc.sample(sizedWorld, { numRuns: WORLDS, seed: 2026 }).map(storeOf);
    const { compared, differences } = compareStores(stores);
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(20_000);
  },
  60_000,
);
