import { join } from 'node:path';
import fc from 'fast-check';
import { openStore } from '../../../src/store/store.ts';
import { EVERY_FAMILY } from '../../compute/every-family.ts';
import { adopt, HOURS, keep, run } from '../../compute/recorded-world.ts';
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
    adoptMethods(store, STAGE, edits[i] ?? []);
    run(store, hour(HOURS));
    store.close();
    return path;
  });
}
