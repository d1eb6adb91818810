/**
 * Kills the whole run at random instants, runs it again until it ends, and compares what is published then with what
 * runs that nobody killed published: npm run kills [-- --trials 20 --seed 1]. Exit 1 where anything differs.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { askNobody } from '../../src/commands/demo-settings.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { ended, endedWithin, startCli } from '../helpers/run-cli.ts';
import { makeWorldFolder } from '../helpers/world-folder.ts';
import { openWorld } from '../world/open-world.ts';

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const trials = Number(values.trials);

const FIRST = Date.parse('2026-10-29T12:00:00Z');
/** A first fill, then an hour's changes. */
const RUNS = [FIRST, FIRST + HOUR_MS];
/** A composite with its members, a total return with its own, a gauge; rates of a venue, of two, of a chain. */
const DEFINED = {
  indices: [
    'simfedease',
    'simfedease.tr',
    'simboeease',
    'simecbease',
    'simhotcpi',
    'simgasup',
    'simmacro',
    'simcoins.g',
  ],
  rates: ['sim.fed.2026-12.hold', 'sim.fed.2026-12.hold.m', 'sim.fed.2026-12.hold.v', 'sim.fed.next.hold'],
};
const random = seededRandom(Number(values.seed));

const folder = mkdtempSync(join(tmpdir(), 'foremark-kills-'));
const { world, served } = await openWorld({ now: FIRST, markets: 600 });

function makePlace(name: string): string {
  const place = join(folder, name);
  makeWorldFolder(place, {
    origin: served.origin,
    chosen: DEFINED,
    settings: ({ venues: { venue_a, venue_b_global } }) => {
      const { venues, registries } = askNobody();
      return { venues: { ...venues, venue_a, venue_b_global }, registries };
    },
  });
  return place;
}

/** Starts a run; kills it after some milliseconds when told to. @returns whether it came to its end */
async function run(place: string, now: number, killAfter?: number): Promise<boolean> {
  world.setNow(now);
  const child = startCli(['--now', formatInstant(now), '--json', 'run'], { cwd: place });
  const { code, err } = await (killAfter === undefined ? ended(child) : endedWithin(child, killAfter));
  if (code === null) return false;
  if (code !== 0) throw new Error(`a run ended with ${code}:\n${err}`);
  return true;
}

/** Says how often runs had to begin anew. */
const OF_RUNS = ['publication.json', 'explorer/status.json'];

/** What readers get of the numbers. */
function published(place: string): Record<string, string> {
  const files = fileTree(join(place, 'public'));
  return Object.fromEntries(
    Object.entries(files).filter(([key]) => !key.startsWith('archive/') && !OF_RUNS.includes(key)),
  );
}

const reference = makePlace('reference');
const expected: Record<string, string>[] = [];
const lasted: number[] = [];
for (const now of RUNS) {
  const started = performance.now();
  await run(reference, now);
  lasted.push(performance.now() - started);
  expected.push(published(reference));
}
const documents = Object.keys(expected[0] ?? {}).length;
console.log(`reference: ${documents} files, runs of ${lasted.map((ms) => Math.round(ms)).join(' and ')} ms`);

let kills = 0;
let wrong = 0;
for (let trial = 1; trial <= trials; trial++) {
  const place = makePlace(`trial-${trial}`);
  for (const [i, now] of RUNS.entries()) {
    const most = lasted[i] as number;
    while (random() < 0.75 && !(await run(place, now, 200 + random() * most))) kills++;
    await run(place, now);
    const after = published(place);
    const keys = new Set([...Object.keys(after), ...Object.keys(expected[i] ?? {})]);
    const differs = [...keys].filter((key) => after[key] !== expected[i]?.[key]);
    if (differs.length > 0) {
      wrong++;
      console.log(
        `trial ${trial}, run ${i + 1}: ${differs.length} files differ: ${differs.slice(0, 5).join(', ')}`,
      );
    }
  }
  const verified = await ended(startCli(['verify'], { cwd: place }));
  if (verified.code !== 0) {
    wrong++;
    console.log(`trial ${trial}: verify ended with ${verified.code}: ${verified.out}${verified.err}`);
  }
  console.log(`trial ${trial}: ${kills} kills so far`);
  rmSync(place, { recursive: true, force: true });
}
await served.close();
rmSync(folder, { recursive: true, force: true });
console.log(`${kills} kills in ${trials} trials, ${wrong} wrong`);
if (wrong > 0) process.exitCode = 1;
