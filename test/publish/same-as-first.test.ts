import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { rounds } from '../helpers/rounds.ts';
import {
  adopt,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  openSmallStore,
  put,
  RATES,
} from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { Killed, type MemorySink, memorySink } from './memory-sink.ts';

const built = temporaryFolder();
beforeAll(() => {
  writeFileSync(join(built, 'index.html'), '<!doctype html>');
});

/** A store with everything published of it, over some days. */
class World {
  readonly small = openSmallStore();
  readonly sink = memorySink(2);
  now = NOW;

  /** Advances some hours, with a current price, or with a late one. */
  go(hours: number, price: number, late: number): void {
    this.now += hours * HOUR_MS;
    observe(this.small.store, IDS.swinging, [book(this.now - late * HOUR_MS, price)]);
    compute(this.small.store, this.now, () => {});
  }

  settle(status: 'active' | 'settled'): void {
    const outcome = status === 'settled' ? { settled_at: this.now, payout: 1 } : {};
    put(this.small.store, { market_id: IDS.steady, status, ...outcome }, this.now);
  }

  define(indices: number, rates: number): void {
    adopt(this.small.store, INDICES.slice(indices), RATES.slice(rates), this.now);
  }

  async publish(sink: MemorySink = this.sink): Promise<void> {
    const all = { bulk: true, cards: true, explorer: built, program: 'a', variants: ['gz'] as const };
    const { store } = this.small;
    await publishStore(store, sink, this.now, all);
  }

  async rollBack(): Promise<void> {
    const { generation } = JSON.parse(String(this.sink.objects.get('archive/pointer.json')));
    if (generation > 1) await rollback(generation - 1, { sink: this.sink, now: this.now, variants: ['gz'] });
  }

  /** Runs something that is killed at some request. */
  async killed(at: number, work: () => Promise<void>): Promise<void> {
    const last = this.sink.requests + at;
    this.sink.before = (request) => {
      if (request >= last) throw new Killed();
    };
    await work().catch((thrown) => expect(thrown).toBeInstanceOf(Killed));
    this.sink.before = undefined;
  }
}

type Step = { name: string; step: (world: World) => unknown };
const killedAt = fc.nat({ max: 250 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      hours: fc.constantFrom(1, 6, 30),
      price: fc.constantFrom(0.3, 0.45),
      late: fc.constantFrom(0, 40),
    })
    .map(({ hours, price, late }) => ({
      name: `${hours} hours on, ${price} of ${late} hours before`,
      step: (world: World) => world.go(hours, price, late),
    })),
  fc.constantFrom('active' as const, 'settled' as const).map((status) => ({
    name: status,
    step: (world: World) => world.settle(status),
  })),
  fc.record({ indices: fc.nat({ max: 2 }), rates: fc.nat({ max: 2 }) }).map(({ indices, rates }) => ({
    name: `without ${indices} indices and ${rates} rates`,
    step: (world: World) => world.define(indices, rates),
  })),
  fc.constant({ name: 'publish', step: (world: World) => world.publish() }),
  killedAt.map((at) => ({
    name: `publish, killed at ${at}`,
    step: (world: World) => world.killed(at, () => world.publish()),
  })),
  fc.constant({ name: 'roll back', step: (world: World) => world.rollBack() }),
  killedAt.map((at) => ({
    name: `roll back, killed at ${at}`,
    step: (world: World) => world.killed(at, () => world.rollBack()),
  })),
);

/** What a host shows, except for the archive and the daily catalogs, which nothing can make again. */
function shown({ objects }: MemorySink): Record<string, string> {
  const apart = /^archive\/|^publication\.json|^bulk\/(catalog|manifest)/;
  return Object.fromEntries(
    [...objects].filter(([key]) => !apart.test(key)).map(([key, body]) => [key, body.toString('latin1')]),
  );
}

it('[C/4] after any changes, kills and rollbacks, a publish equals a first publish of the same store', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 10 }), async (chosen) => {
      const world = new World();
      try {
        await world.publish();
        for (const { step } of chosen) await step(world);
        await world.publish();
        const first = memorySink(2);
        await world.publish(first);
        const [a, b] = [shown(world.sink), shown(first)];
        const differ = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
          (key) => a[key] !== b[key],
        );
        expect(differ).toEqual([]);
      } finally {
        world.small.close();
      }
    }),
    { numRuns: rounds(3) },
  );
});
