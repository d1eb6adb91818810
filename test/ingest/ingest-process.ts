/** One run of ingest as a process of its own, so that a test can kill it: `<store> <origin> <now> <market…>`. */
import { flushCompileCache } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { ingest } from '../../src/ingest/ingest.ts';
import { takeRunLock } from '../../src/store/run-lock.ts';
import { insertRun } from '../../src/store/runs.ts';
import { openStore } from '../../src/store/store.ts';
import { configFor, nameMarkets } from './run-ingest.ts';

// What is killed keeps nothing at its end.
flushCompileCache();
const [path = '', origin = '', now = '', baseAt = '', ...markets] = process.argv.slice(2);
takeRunLock(path);
const store = openStore(path);
nameMarkets(store, markets, baseAt);
const started = Number(now);
await ingest({
  store,
  config: configFor(origin),
  effects: {
    now: Date.now,
    fetch,
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
    random: Math.random,
  },
  runId: store.write((writer) => insertRun(writer, 'ingest', started)),
  now: started,
  progress: () => {},
});
store.close();
