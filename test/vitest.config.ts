import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that put something else in the place of a module; all others share theirs, since loading them takes long. */
const MOCKING = ['test/publish/power-cut.test.ts'];

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Vitest would leave one core to itself.
    maxWorkers: availableParallelism(),
    // A machine that does other work meanwhile must not fail a test: one that takes seconds here was seen to take 60.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The product works in UTC whatever the machine says; so do its tests.
    env: { TZ: 'UTC' },
    projects: [
      { extends: true, test: { name: 'mocking', include: MOCKING } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: MOCKING, isolate: false },
      },
    ],
  },
});
