import { expect, it } from 'vitest';
import { rounds } from '../helpers/rounds.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { lateWorlds } from './season/late-worlds.ts';
import { randomWorlds } from './season/random-worlds.ts';
import { compareStores, hasPython } from './season/season.ts';

const WORLDS = rounds(2);
const LATE_WORLDS = rounds(1);
const folder = temporaryFolder();

it.skipIf(!hasPython)(
  '[2.4][2.5] an independent program gives every print and answer of random worlds',
  () => {
    const { compared, differences } = compareStores(randomWorlds(folder, WORLDS, 2026));
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(30_000 * WORLDS);
  },
);

it.skipIf(!hasPython)(
  'and all restatements, of worlds in which facts come late, are corrected, and are recalculated',
  () => {
    const { compared, differences } = compareStores(lateWorlds(folder, LATE_WORLDS, 21));
    expect(differences).toBe('');
    expect(compared).toBeGreaterThan(50_000 * LATE_WORLDS);
  },
);
