import { join } from 'node:path';
import fc from 'fast-check';
import type { Instant } from '../../../src/model/units.ts';
import { openStore } from '../../../src/store/store.ts';
import { EVERY_FAMILY } from '../../compute/every-family.ts';
import { adopt, HOURS, instantOf, keep, run, type Seen } from '../../compute/recorded-world.ts';
import { hour, idOf } from '../../methodology/contracts.ts';
import { adoptMethods } from './adopt-methods.ts';
import { editors } from './editors.ts';
import { sizedWorld } from './sized-worlds.ts';

const STAGE = {
  prefix: 'M-',
  markets: ['A', 'B', 'C', 'D', 'E', 'F'].map(idOf),
  base_at: hour(0),
  until: hour(HOURS),
  interval_minutes: 60,
};

/**
 * Calculates every method over random worlds of six markets and thirty hours, each in a store of its own.
 *
 * @returns the paths of the stores
 */
export function randomWorlds(folder: string, count: number, seed: number): string[] {
  const edits = fc.sample(editors, { numRuns: count, seed });
  return fc.sample(sizedWorld, { numRuns: count, seed }).map((seen, i) => {
    const path = join(folder, `world-${i}.db`);
    const store = openStore(path);
    keep(store, seen, hour(HOURS));
    adopt(store, EVERY_FAMILY);
    adoptMethods(store, { ...STAGE, settlements: settlementsOf(seen) }, edits[i] ?? []);
    run(store, hour(HOURS));
    store.close();
    return path;
  });
}

function settlementsOf(seen: readonly Seen[]): Map<string, Instant> {
  const settled = seen.filter((each) => each.kind === 'status' && each.status === 'settled');
  return new Map(settled.map((each) => [idOf(each.name), instantOf(each)]));
}
