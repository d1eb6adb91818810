import { expect, it } from 'vitest';
import { newWalkState, outcomeStands } from '../../src/ingest/catalog/catalog-walk.ts';
import { acceptCrawl } from '../../src/ingest/catalog/crawl.ts';
import { Feed } from '../../src/ingest/feed.ts';
import type { VenueRun } from '../../src/ingest/venues/venue.ts';
import { config } from '../../src/model/config.ts';
import { DAY_MS } from '../../src/model/time.ts';
import type { MarketRow } from '../../src/store/catalog/catalog.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { NOW } from './run-ingest.ts';

it.each([
  ['with half of the rows', { rows: 50, nested: 1 }, { nested: 9 }, NOW - 1, null],
  [
    'with less than half',
    { rows: 49, nested: 1 },
    { nested: 9 },
    NOW - 1,
    /^the venue listed 49 rows after 100 /,
  ],
  ['with less than half a day later', { rows: 49, nested: 1 }, { nested: 9 }, NOW - DAY_MS, null],
  [
    'without a market',
    { rows: 99, nested: 0 },
    { nested: 9 },
    NOW - 1,
    /^the venue listed 99 events without any/,
  ],
  ['of a list that has none nested', { rows: 99, nested: 0 }, { nested: 0 }, NOW - 1, null],
  ['of nothing', { rows: 0, nested: 0 }, { nested: 0 }, NOW - DAY_MS, /^the venue listed nothing$/],
])('a full crawl %s is believed, or doubted with the reason', (_, found, before, at, doubt) => {
  const store = memoryStore();
  const run = { store, now: NOW, named: [], config: config.parse({}) } as unknown as VenueRun;
  const feed = new Feed(
    { store, runId: 1, now: NOW, progress: () => {} },
    () => Promise.reject(),
    'venue/list',
  );
  const crawled = { ...found, began: NOW };
  const last = { at, began: at, rows: 100, scope: '{}', ...before };
  const walk = { run, feed, state: newWalkState(run) };
  const accepted = acceptCrawl(walk, { since: undefined, last, scope: '{}' }, crawled);
  expect(accepted).toEqual(doubt === null ? crawled : undefined);
  expect(feed.report.message).toEqual(doubt === null ? null : expect.stringMatching(doubt));
});

it('an outcome is checked again until it has stood for seven days', () => {
  const known = (status: string, settled_at: number | null) => ({ status, settled_at }) as MarketRow;
  expect(outcomeStands(known('settled', NOW - 7 * DAY_MS), NOW)).toBe(true);
  expect(outcomeStands(known('settled', NOW - 7 * DAY_MS + 1), NOW)).toBe(false);
  expect(outcomeStands(known('active', NOW - 8 * DAY_MS), NOW)).toBe(false);
  expect(outcomeStands(undefined, NOW)).toBe(false);
});
