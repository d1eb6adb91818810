import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['test/**/*.test.ts'],
    // Vitest would leave one core to itself.
    maxWorkers: availableParallelism(),
    // A machine that does other work meanwhile must not fail a test: one that takes seconds here was seen to take 60.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The product works in UTC whatever the machine says; so do its tests.
    env: { TZ: 'UTC' },
  },
});
