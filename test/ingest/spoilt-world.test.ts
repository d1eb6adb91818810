import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { configForWorld, runIngest, testEffects } from './run-ingest.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');

/** What may stand where a venue wrote something else. */
const WRONG: readonly unknown[] = [
  null,
  '',
  ' ',
  'NaN',
  '1e999',
  '-0.1',
  'x'.repeat(5000),
  '\u0000',
  'id\u0000',
  '\ud800',
  '2026-13-45T99:99:99Z',
  '9999999999999999999',
  '__proto__',
  -1,
  1e308,
  1e18,
  0.5,
  true,
  [],
  [null],
  {},
  { a: 1 },
];

/** An answer in which one field in so many is wrong, missing, or there twice; its own fields stay. */
function spoil(value: unknown, share: number, next: () => number, depth = 0): unknown {
  if (depth > 1 && next() < share) return WRONG[Math.floor(next() * WRONG.length)];
  if (Array.isArray(value)) {
    const rows = value.map((each) => spoil(each, share, next, depth + 1));
    return depth > 0 && rows.length > 0 && next() < share ? [...rows, rows[0]] : rows;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => depth < 2 || next() >= share / 2);
  return Object.fromEntries(kept.map(([name, each]) => [name, spoil(each, share, next, depth + 1)]));
}

describe('a venue that writes anything anywhere', () => {
  let open: OpenWorld;
  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 10, topics: ['central-banks'] });
  });
  afterAll(() => open.served.close());

  it.each([0.005, 0.05, 0.2])(
    'with a share of %s of its fields wrong, each run ends with a report',
    async (share) => {
      const next = seededRandom(1 + share * 1000);
      const effects = {
        ...testEffects(),
        fetch: async (...asked: Parameters<typeof fetch>) => {
          const answer = await fetch(...asked);
          const text = await answer.text();
          const spoilt = answer.status === 200 ? JSON.stringify(spoil(JSON.parse(text), share, next)) : text;
          return new Response(spoilt, { status: answer.status, headers: answer.headers });
        },
      };
      const store = memoryStore();
      const settings = configForWorld(open);
      settings.venues.venue_b_us.enabled = true;
      settings.venues.venue_c.enabled = true;
      for (const hour of [0, 1, 2]) {
        const now = NOW + hour * HOUR_MS;
        open.world.setNow(now);
        const report = await runIngest(store, settings, { now, effects });
        expect(report.feeds.length).toBeGreaterThan(8);
        for (const { feed, condition, rows_left_out, message } of report.feeds)
          if (condition !== 'good') expect(message ?? rows_left_out, feed).toBeTruthy();
      }
      const kept = store.read((reader) =>
        reader.get<{ markets: number; wrong: number }>(
          `SELECT (SELECT count(*) FROM markets) AS markets, (SELECT count(*) FROM price_tail
           WHERE max(bid, ask, last) > 1 OR min(bid, ask, last) < 0) AS wrong`,
        ),
      );
      expect(kept?.wrong).toBe(0);
      if (share < 0.1) expect(kept?.markets).toBeGreaterThan(50);
    },
  );
});
