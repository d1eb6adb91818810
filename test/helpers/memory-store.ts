import { onTestFinished, TestRunner } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

/** An empty store in memory. One that a test opens is closed after it, whether or not the test passes. */
export function memoryStore(): Store {
  const store = openStore(':memory:');
  if (TestRunner.getCurrentTest()) onTestFinished(() => store.close());
  return store;
}
