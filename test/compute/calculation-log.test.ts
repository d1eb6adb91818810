import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CalculationLog,
  dueInstants,
  findCalculating,
  loadCalculationLog,
  wasInForce,
} from '../../src/compute/series/calculated-instants.ts';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import type { InForce } from '../../src/store/definitions/definitions.ts';
import { insertCalculation, insertUnfinished } from '../../src/store/prints/calculations.ts';
import { setStanding } from '../../src/store/prints/standings.ts';
import { openStore, type Reader, type Store } from '../../src/store/store.ts';
import { at, basket, START } from '../helpers/hand-definitions.ts';

const SERIES = { kind: 'index', ticker: 'LOG' } as const;

interface World {
  /** Hours of runs, and the share of what was due that each calculated before it was cut off. */
  runs: { at: number; kept: number }[];
  /** Hours at which the series is adopted, withdrawn, adopted again and changed, in order. */
  life: readonly number[];
  /** Hour of its first print. */
  base: number;
}

const runs = fc.uniqueArray(
  fc.record({ at: fc.integer({ min: 0, max: 60 }), kept: fc.constantFrom(1, 1, 1, 0.5, 0) }),
  { selector: ({ at }) => at, minLength: 1, maxLength: 25 },
);
const life = fc
  .array(fc.integer({ min: 0, max: 50 }), { minLength: 4, maxLength: 4 })
  .map((hours) => hours.sort((a, b) => a - b));
const worlds = fc.record({ runs, life, base: fc.integer({ min: 0, max: 40 }) });

function versionsOf({ life: [adopted = 0, withdrawn = 0, back = 0, changed = 0], base }: World): InForce[] {
  const definition = indexDefinition.parse(basket('LOG', ['A'], { base_at: formatInstant(at(base)) }));
  const spans: [number, number | null][] = [
    [adopted, withdrawn],
    [back, changed],
    [changed, null],
  ];
  return spans.map(([from, until], i) => ({
    kind: 'index',
    ticker: definition.ticker,
    digest: '',
    position: 0,
    definition_key: i + 1,
    definition,
    adopted_at: at(from),
    takes_effect_at: at(from),
    withdrawn_at: until === null ? null : at(until),
  }));
}

/** Records the runs of a world in a store. @returns the last instant that was calculated */
function record(store: Store, { runs }: World, versions: readonly InForce[]): Instant | undefined {
  let after: Instant | undefined;
  const indices = [versions[0]?.definition as IndexDefinition];
  store.write((writer) => {
    adoptDefinitions(writer, { indices, rates: [] }, START, { keepMissing: false });
    const ordered = runs.toSorted((a, b) => a.at - b.at);
    for (const [i, each] of ordered.entries()) {
      const run = at(each.at);
      insertCalculation(writer, run);
      const version = versions.find((one) => wasInForce(one, run));
      if (!version) continue;
      const due = dueInstants(version.definition, after, run);
      const done = due.slice(0, Math.ceil(each.kept * due.length));
      after = done.at(-1) ?? after;
      // Only the next run notes that one was cut off.
      if (done.length < due.length && i < ordered.length - 1)
        insertUnfinished(writer, SERIES, { calculated_at: run, reached_at: after ?? null });
    }
    if (after !== undefined) setStanding(writer, SERIES, { calculated_to: after, definition_key: 1 });
  });
  return after;
}

/** What the store of a world tells, from an instant on. */
function inWorld(world: World, tell: (reader: Reader, versions: InForce[], reached: Instant) => void): void {
  const store = openStore(':memory:');
  const versions = versionsOf(world);
  const reached = record(store, world, versions) ?? 0;
  store.read((reader) => tell(reader, versions, reached));
  store.close();
}

it('what calculated a series from an instant on is found without all that came before', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: -1, max: 130 }), (world, half) => {
      const from = at(half / 2);
      inWorld(world, (reader, versions) => {
        const laterOf = ({ runs }: CalculationLog) =>
          runs.filter(({ instants }) => (instants.at(-1) ?? 0) >= from);
        const whole = laterOf(loadCalculationLog(reader, SERIES, versions));
        expect(laterOf(loadCalculationLog(reader, SERIES, versions, from))).toEqual(whole);
        const [first] = whole;
        expect(findCalculating(reader, SERIES, versions, from)).toEqual(
          first && { run: first.run, version: first.version },
        );
      });
    }),
  );
});

it('of a thousand runs, only the last is read to restate its hour', () => {
  const runs = Array.from({ length: 1000 }, (_none, at) => ({ at, kept: 1 }));
  inWorld({ runs, life: [0, 2000, 2000, 2000], base: 0 }, (reader, versions, reached) => {
    const log = loadCalculationLog(reader, SERIES, versions, reached);
    expect(log.runs.map((each) => each.instants)).toEqual([[reached]]);
  });
});
