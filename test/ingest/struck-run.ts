import { expect } from 'vitest';
import type { IngestReport } from '../../src/ingest/ingest.ts';
import { type OpenWorld, rows } from '../world/open-world.ts';

/** Answers that come spoilt whatever they are of. */
export const SPOILT_ANSWERS = [
  { kind: 'truncate' },
  { kind: 'cut' },
  { kind: 'html' },
  { kind: 'reset' },
  { kind: 'bomb', megabytes: 10 },
  { kind: 'status', code: 503 },
];

/**
 * Expects a run that the world's faults strike to end with a report, which says of each feed that they touched what was
 * wrong, and the run after it to find nothing wrong.
 *
 * @param again the run after it, where that is not the same once more
 */
export async function expectRecovery(
  open: OpenWorld,
  faults: readonly object[],
  run: () => Promise<IngestReport>,
  again = run,
): Promise<void> {
  await open.setFaults(...faults);
  const struck = await run();
  const { body } = await open.get('/_world/faults');
  expect(rows(body, 'faults').map(({ times }) => times)).toEqual(faults.map(() => 0));
  for (const feed of struck.feeds)
    if (feed.condition !== 'good') expect(feed.message, feed.feed).toMatch(/\w/);
  await open.clearFaults();
  const after = await again();
  expect(after.feeds.map((feed) => [feed.feed, feed.condition])).toEqual(
    after.feeds.map(({ feed }) => [feed, 'good']),
  );
}
