import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/serve/serve.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { hasRecorded, readWireRow, recordedFiles, rowsOf, type WireRow } from '../replay/recorded.ts';
import { startReplay } from '../replay/replay.ts';
import { configFor, feedOf, runIngest } from './run-ingest.ts';

interface EventBody {
  event_id: string;
  title: string;
  description?: string;
}

describe.skipIf(!hasRecorded)('the open events of some days, read day by day', () => {
  /** Of each event the row of the last day that lists it, and when it was first and last listed. */
  const listed = new Map<string, { row: WireRow; first: number; last: number }>();
  let store: Store;
  let app: ReturnType<typeof createApp>;

  beforeAll(async () => {
    store = openStore(':memory:');
    let now = 0;
    for (const path of recordedFiles('kalshi-open-events-2025', /^events_\d{8}/)) {
      const list = readWireRow(path);
      now = Date.parse(`${list.timestamp}Z`);
      const day = new Date(now).toISOString().slice(0, 10);
      const replay = await startReplay(`catalog-pages/kalshi-open-${day}`);
      const settings = configFor(replay.origin);
      settings.venues.venue_a.base_url = replay.endpoints.venue_a;
      const feed = feedOf(await runIngest(store, settings, { only: 'venue_a', now }), 'venue_a/events');
      await replay.close();
      const rows = rowsOf(list, 'events');
      expect(feed).toMatchObject({ condition: 'good', rows_read: rows.length, rows_left_out: 0 });
      for (const row of rows) {
        const ticker = String(row.event_ticker);
        listed.set(ticker, { row, first: listed.get(ticker)?.first ?? now, last: now });
      }
    }
    const sites = { venue_a: 'https://a.example', venue_b_global: 'https://b.example' };
    app = createApp({ store, now: () => now, sites, label: '', report: () => {} });
  });
  afterAll(() => store?.close());

  const events = async (query: string): Promise<EventBody[]> => {
    const response = await app.request(`/api/v1/public/events?${query}`);
    return ((await response.json()) as { data: EventBody[] }).data;
  };

  it('each is kept as last listed, with the days of its first and last listing', () => {
    const sql = `SELECT native_id, title, description, series, category, first_seen_at AS first, last_seen_at AS last
      FROM events ORDER BY native_id`;
    const expected = [...listed].map(([native_id, { row, first, last }]) => ({
      native_id,
      title: row.title,
      description: row.sub_title === '' ? null : row.sub_title,
      series: row.series_ticker,
      category: row.category,
      first,
      last,
    }));
    expected.sort((a, b) => (a.native_id < b.native_id ? -1 : 1));
    expect(store.read((reader) => reader.all(sql))).toEqual(expected);
  });

  it('[4.2/2] those first listed last come first', async () => {
    const firsts = (await events('per_page=500')).map(
      ({ event_id }) => listed.get(event_id.slice('venue_a:'.length))?.first ?? 0,
    );
    expect(firsts.length).toBeGreaterThan(0);
    expect(firsts).toEqual(firsts.toSorted((a, b) => b - a));
  });

  it('[4.2/1] each is found by its ticker, and by its title with the year or day that only its sub-title has', async () => {
    const asked = [...listed].filter((_each, i) => i % 97 === 0);
    for (const [ticker, { row }] of asked) {
      expect((await events(`search=${ticker}`))[0]?.event_id).toBe(`venue_a:${ticker}`);
      const text = `${row.title} ${row.sub_title}`.slice(0, 200);
      const found = await events(`search=${encodeURIComponent(text)}`);
      expect(
        found.map(({ event_id }) => event_id),
        text,
      ).toContain(`venue_a:${ticker}`);
    }
  });
});
