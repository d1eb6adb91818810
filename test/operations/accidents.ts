/** What befalls the venues, the place that is published to, and the store. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { FAULT_KINDS } from '../../scripts/world/http/faults.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { copyStore } from './demands.ts';
import { DONE, type Operation, pick } from './operation.ts';
import type { Outlet } from './outlet.ts';

export const fault: fc.Arbitrary<Operation> = fc
  .record({
    // What hangs or is slow takes long, and bombs take memory; others test them.
    kind: fc.constantFrom(...FAULT_KINDS.filter((kind) => !['hang', 'slow', 'bomb'].includes(kind))),
    path_prefix: fc.constantFrom(
      '/kalshi',
      '/gamma',
      '/clob',
      '/us',
      '/hyperliquid',
      '/forecastex',
      '/cftc',
      '/',
    ),
    times: fc.integer({ min: 1, max: 60 }),
    after: fc.nat({ max: 5 }),
  })
  .map((fault) => ({
    name: `venues: ${JSON.stringify(fault)}`,
    act: (place) => place.open.setFaults({ ...fault, code: 503 }),
  }));

export const cured: fc.Arbitrary<Operation> = fc.constant({
  name: 'venues: all well',
  act: (place) => place.open.clearFaults(),
});

const FAILURES: Parameters<Outlet['fail']>[1][] = [
  { kind: 'status', status: 503, code: 'SlowDown' },
  { kind: 'status', status: 500, code: 'InternalError' },
  { kind: 'reset_before' },
  { kind: 'reset_after' },
  { kind: 'cut' },
];

/** A bucket that fails now and then is asked again; nobody notices. */
export const failing: fc.Arbitrary<Operation> = fc
  .record({ one_in: fc.constantFrom(0, 0, 5, 20, 100), failure: fc.constantFrom(...FAILURES) })
  .map(({ one_in, failure }) => ({
    name: `one in ${one_in} requests to the bucket fails: ${JSON.stringify(failure)}`,
    act: (place) => place.outlet.fail(one_in, failure),
  }));

/** Someone damages the live tree. */
export const damage: fc.Arbitrary<Operation> = fc
  .array(fc.record({ pick, how: fc.constantFrom('other bytes', 'gone', 'added') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((damages) => ({
    name: `damage: ${damages.map(({ pick, how }) => `${how} (${pick})`).join(', ')}`,
    async act(place) {
      // A publish that was cut off is finished first, and would mend what it writes.
      await place.must(['publish', '--repair']);
      const keys = Object.keys(place.outlet.files()).filter((key) => key.startsWith('api/'));
      for (const { pick, how } of damages) {
        const key = keys[pick % keys.length] as string;
        if (how === 'added') place.outlet.write(`${key}.json`, '{}');
        else if (how === 'gone') place.outlet.remove(key);
        else place.outlet.write(key, '{"error":"other"}');
      }
      await place.must(['publish', '--verify'], [1]);
      await place.must(['publish', '--repair']);
      await place.must(['publish', '--verify']);
    },
  }));

/** The publication is lost, and comes back from the mirror or from nothing. */
export const loss: fc.Arbitrary<Operation> = fc.boolean().map((fromMirror) => ({
  name: `the publication is lost${fromMirror ? ' and restored from a mirror' : ''}`,
  async act(place) {
    if (fromMirror) await place.must(['mirror', 'spare']);
    place.outlet.clear();
    if (!fromMirror) {
      await place.must(['publish'], DONE);
      return;
    }
    for (const key of Object.keys(fileTree(place.path('spare'), 'archive')))
      place.outlet.write(key, readFileSync(place.path(`spare/${key}`)));
    rmSync(place.path('spare'), { recursive: true });
    await place.must(['publish', '--repair']);
    await place.must(['publish', '--verify']);
  },
}));

/** The store is copied, and a later operation puts the copy in its place. */
export const backup: fc.Arbitrary<Operation> = fc.constant({
  name: 'the store is copied',
  act: (place) => copyStore(place.path('foremark.db'), place.path('backup.db')),
});

export const comeBack: fc.Arbitrary<Operation> = fc.constant({
  name: 'the copy is put in place of the store',
  async act(place) {
    if (!existsSync(place.path('backup.db'))) return;
    await place.stopServer();
    for (const more of ['-wal', '-shm']) rmSync(place.path(`foremark.db${more}`), { force: true });
    cpSync(place.path('backup.db'), place.path('foremark.db'));
    // What was printed since is lost with the store.
    place.forgetPrints();
    await place.startServer();
  },
});
