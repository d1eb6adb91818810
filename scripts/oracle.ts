/**
 * Command: has an independent program in Python recalculate, from the raw facts, everything that the product publishes of a
 * simulated season and of random worlds: by every methodology and option, with changes and deletions by an editor, and with
 * facts that come late, are corrected or are backfilled.
 * `npm run oracle [-- --store file --seed 2026]`: the store of one run of the demo, and which worlds.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { compute } from '../src/compute/compute.ts';
import { findLastRun } from '../src/store/prints/calculations.ts';
import { openStore } from '../src/store/store.ts';
import { adoptMethods } from '../test/oracle/season/adopt-methods.ts';
import { editors } from '../test/oracle/season/editors.ts';
import { lateWorlds } from '../test/oracle/season/late-worlds.ts';
import { randomWorlds } from '../test/oracle/season/random-worlds.ts';
import { compareStores } from '../test/oracle/season/season.ts';

const WORLDS = 24;
const LONG_WORLDS = 3;
const ROOT = join(import.meta.dirname, '..');

/** Markets of the season: some of them pause, settle or end. Single trades are known for the first only. */
const MARKETS = [
  'SIMFED-26DEC-H0',
  'SIMFED-26OCT-C25',
  'SIMFED-26DEC-H25',
  'SIMCBL-27-OKC',
  'SIMCBLWINS-27-OKC-41',
  'SIMCBLWINS-27-OKC-46',
  'SIMECB-26JUL-C25',
  'SIMCPI-26SEP-T3',
].map((id) => `venue_a:${id}`);

/** Calculates the methods that the demo does not show over the facts of its season. */
function addMethods(path: string, seed: number): void {
  const store = openStore(path);
  const now = store.read(findLastRun) ?? 0;
  const base_at = Date.parse('2026-07-06T00:00:00Z');
  const stage = { prefix: 'M-', markets: MARKETS, base_at, until: now, interval_minutes: 60 };
  const [edits = []] = fc.sample(editors, { numRuns: 1, seed });
  adoptMethods(store, stage, edits);
  const { failures } = compute(store, now, () => {});
  store.close();
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
}

const { values } = parseArgs({
  options: { store: { type: 'string' }, seed: { type: 'string', default: '2026' } },
});
const seed = Number(values.seed);
const folder = mkdtempSync(join(tmpdir(), 'foremark-oracle-'));
try {
  if (!values.store) {
    const demo = ['src/main.mjs', 'demo', '--exit', '--folder', folder];
    const ended = spawnSync(process.execPath, demo, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    if (ended.status !== 0) throw new Error('the demo did not end well');
  }
  const season = join(folder, 'season.db');
  copyFileSync(values.store ?? join(folder, 'foremark.db'), season);
  addMethods(season, seed);
  const worlds = [
    ...randomWorlds(folder, WORLDS, seed),
    ...lateWorlds(folder, WORLDS, seed),
    // Ten days, since nothing older than seven is restated by itself.
    ...lateWorlds(folder, LONG_WORLDS, seed, 8),
  ];
  const { said, differences } = compareStores([season, ...worlds], { all: true });
  process.stdout.write(said);
  process.stderr.write(differences);
  process.exitCode = differences === '' && said !== '' ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
