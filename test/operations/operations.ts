/** The operations that are tried in random order: what a schedule, operators, editors and accidents do. */
import fc from 'fast-check';
import { MINUTE_MS } from '../../src/model/time.ts';
import { backup, comeBack, cured, damage, failing, fault, loss } from './accidents.ts';
import { backwards, command, full, stage, together } from './commands.ts';
import { demandPublication, demandRecord } from './demands.ts';
import { editing, restoring, setting } from './editors.ts';
import { DONE, type Operation, pick } from './operation.ts';
import { keys, serving } from './readers.ts';

const time: fc.Arbitrary<Operation> = fc
  .constantFrom(0.001, 1, 10, 15, 60, 60, 61, 180, 720, 1440, 2 * 1440, 8 * 1440)
  .map((minutes) => ({
    name: `${minutes} minutes on`,
    act: (place) => place.goOn(minutes * MINUTE_MS),
  }));

/** Publishes, and compares what is published with everything that it must equal. */
export const publishAndCompare = (pick: number): Operation => ({
  name: `publish and compare (${pick})`,
  async act(place) {
    await place.must(['publish'], DONE);
    await demandPublication(place, pick);
  },
});

export const checkRecord: Operation = { name: 'check the record', act: demandRecord };

/** All operations by how often they are chosen. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 20, arbitrary: stage },
  { weight: 16, arbitrary: command },
  { weight: 16, arbitrary: editing },
  { weight: 14, arbitrary: time },
  { weight: 10, arbitrary: together },
  { weight: 6, arbitrary: fault },
  { weight: 5, arbitrary: setting },
  { weight: 8, arbitrary: pick.map(publishAndCompare) },
  { weight: 5, arbitrary: full },
  { weight: 5, arbitrary: fc.constant(checkRecord) },
  { weight: 2, arbitrary: cured },
  { weight: 4, arbitrary: restoring },
  { weight: 2, arbitrary: failing },
  { weight: 2, arbitrary: damage },
  { weight: 3, arbitrary: keys },
  { weight: 2, arbitrary: serving },
  { weight: 2, arbitrary: loss },
  { weight: 1, arbitrary: backwards },
  { weight: 2, arbitrary: backup },
  { weight: 2, arbitrary: comeBack },
);
