import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Rooms whose tests share their modules: they change nothing of the process, and loading is most of their time. */
const SHARED = ['charts', 'methodology', 'model', 'routes', 'store'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

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
      { extends: true, test: { name: 'each', include: ['test/**/*.test.ts'], exclude: SHARED } },
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
    ],
  },
});
