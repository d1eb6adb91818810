import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Tests in a process of their own: two put something else in the place of a module, one loads modules anew. All others
 * share theirs, since loading these takes long.
 */
const APART = [
  'test/publish/full-disk.test.ts',
  'test/publish/power-cut.test.ts',
  'test/replay/other-forms.test.ts',
];

/**
 * What takes longest, with a command of its own, `npm run test:end-to-end`: the demo as a whole, the explorer in Chromium, the
 * largest recorded sets, and random worlds against the independent program.
 */
const END_TO_END = [
  'test/commands/demo.test.ts',
  'test/explorer/explorer.test.ts',
  'test/explorer/odd-data.test.ts',
  'test/oracle/season.test.ts',
  'test/real/us-president-2020.test.ts',
  'test/real/us-president-2024.test.ts',
  'test/real/world-cup-2026.test.ts',
];

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // One more than cores, since some tests wait; Vitest would leave one core to itself.
    maxWorkers: availableParallelism() + 1,
    // A machine that does other work meanwhile must not fail a test: one that takes seconds here was seen to take 60.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The product works in UTC whatever the machine says; so do its tests.
    env: { TZ: 'UTC' },
    // What the commands load that tests start is compiled once.
    globalSetup: 'test/helpers/compile-cache.ts',
    projects: [
      { extends: true, test: { name: 'apart', include: APART } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...APART, ...END_TO_END],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'end-to-end', include: END_TO_END } },
    ],
  },
});
