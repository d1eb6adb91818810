/**
 * Does random things to a store and what it publishes, as a schedule, operators, editors and accidents do, and demands
 * after each what must hold whatever was done: npm run operations [-- --seed 1 --steps 60 --rounds 1]. A round begins
 * anew with the next seed. It says what it does; at the first thing that is wrong it ends with 1 and leaves the folder.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { demandPrints } from './demands.ts';
import { DONE, type Operation } from './operation.ts';
import { checkRecord, operations, publishAndCompare } from './operations.ts';
import { Workplace } from './workplace.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '1' },
  },
});
const steps = Number(values.steps);
const first = Number(values.seed);

/** What is done in a round: the plan depends on the seed alone, not on how its steps end. */
function planOf(seed: number): Operation[] {
  const lists = fc.noBias(fc.array(operations, { minLength: steps, maxLength: steps, size: 'max' }));
  const [chosen = []] = fc.sample(lists, { seed, numRuns: 1 });
  const run: Operation = { name: 'run', act: (place) => place.must(['run'], DONE) };
  const cure: Operation = {
    name: 'venues and bucket: all well',
    act(place) {
      place.outlet.fail(0, { kind: 'reset_before' });
      return place.open.clearFaults();
    },
  };
  return [run, ...chosen, cure, run, publishAndCompare(0), checkRecord];
}

/** @returns whether everything held */
async function tryOut(seed: number): Promise<boolean> {
  const place = await Workplace.make(seed);
  let step = 0;
  let holds = true;
  try {
    for (const { name, act } of planOf(seed)) {
      console.log(`${step}: ${name}`);
      await act(place);
      if (!place.server) await place.startServer();
      place.server?.check();
      place.prints = demandPrints(place, place.prints);
      step++;
    }
    await place.stopServer();
    console.log(`seed ${seed}: ${step} steps, ${place.prints.size} prints: everything held`);
  } catch (thrown) {
    holds = false;
    console.log(
      `seed ${seed}, step ${step}: ${thrown instanceof Error ? thrown.stack : thrown}\n` +
        `repeat it with npm run operations -- --seed ${seed} --steps ${steps}; it is left in ${place.folder}`,
    );
  }
  await place.close({ keep: !holds });
  return holds;
}

for (let round = 0; round < Number(values.rounds); round++)
  if (!(await tryOut(first + round))) {
    process.exitCode = 1;
    break;
  }
