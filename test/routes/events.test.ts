import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { upsertEvents } from '../../src/store/catalog/catalog.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp, type Row, rows, rowWith } from '../helpers/small-app.ts';
import { IDS, NOW, put } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

const ids = (body: Row): unknown[] => rows(body).map((row) => row.event_id);
const NEWEST_FIRST = ['venue_b:901', 'venue_b:900', 'venue_a:KXZERO', 'venue_a:KXSTEADY', 'venue_a:KXSTAGED'];

describe('the list of events', () => {
  it('[4.2/2] is newest added first and counted exactly', async () => {
    expect(ids(await app.anyone('/events'))).toEqual(NEWEST_FIRST);
    expect(ids(await app.member('/events'))).toEqual(NEWEST_FIRST);
  });

  it('[4.2/2] has an event where its venue listed it, however late it was first seen', async () => {
    const late = {
      event_id: 'venue_b:late',
      family: 'venue_b_global',
      native_id: 'late',
      title: 'x',
    } as const;
    app.small.store.write((writer) =>
      upsertEvents(writer, [{ ...late, listed_at: Date.parse('2026-01-01') }], NOW),
    );
    expect(ids(await app.anyone('/events'))).toEqual([...NEWEST_FIRST, 'venue_b:late']);
  });

  it('[2.3/3] has its paging at the top level', async () => {
    const body = await app.anyone('/events?per_page=2&page=2');
    expect(body).toMatchObject({ total: 5, total_pages: 3, has_next: true });
    expect(body).not.toHaveProperty('meta');
    expect(ids(body)).toEqual(NEWEST_FIRST.slice(2, 4));
    expect(await app.anyone('/events?per_page=2&page=9')).toMatchObject({
      data: [],
      total: 5,
      has_next: false,
    });
  });

  it('[2.2/1] sums volume and open interest over markets, where the venue has no figure of its own', async () => {
    const listed = rows(await app.anyone('/events'));
    expect(rowWith(listed, 'event_id', 'venue_a:KXSTEADY')).toMatchObject({ volume: 15, market_count: 2 });
    expect(rowWith(listed, 'event_id', 'venue_b:901')).toMatchObject({ volume: 77 });
  });

  it('[2.2/1] leaves out what no market reports, and writes a measured zero as 0', async () => {
    const listed = rows(await app.anyone('/events'));
    expect(rowWith(listed, 'event_id', 'venue_a:KXZERO')).toMatchObject({ volume: 0, open_interest: 0 });
    for (const field of ['volume', 'open_interest'])
      expect(rowWith(listed, 'event_id', 'venue_b:900')).not.toHaveProperty(field);
    expect(rowWith(listed, 'event_id', 'venue_a:KXSTEADY')).not.toHaveProperty('open_interest');
    // Not the venue's own figure either, while no market has one.
    expect(rowWith(listed, 'event_id', 'venue_b:901')).not.toHaveProperty('open_interest');
  });

  it("[2.2/1] shows at least the sum of its markets' volume where the venue's own figure is older", async () => {
    put(app.small.store, { market_id: IDS.quiet, event_id: 'venue_b:901', volume: 80.5, volume_unit: 'usd' });
    const body = await app.anyone('/events?sort=volume');
    expect(rows(body)[0]).toMatchObject({ event_id: 'venue_b:901', volume: 80.5 });
  });

  it("[2.2/1] shows the venue's own open interest once a market reports one", async () => {
    put(app.small.store, { market_id: IDS.quiet, event_id: 'venue_b:901', volume: 3, open_interest: 2 });
    expect(rows(await app.anyone('/events'))[0]).toMatchObject({ event_id: 'venue_b:901', open_interest: 7 });
  });

  it('[4.2/1] sorts by the volume that it shows', async () => {
    const shown = rows(await app.anyone('/events?sort=volume')).map((row) => row.volume);
    expect(shown).toEqual([77, 15, 0, undefined, undefined]);
  });

  it('[4.2/1] sorts by title, and by close with absent values last either way', async () => {
    const titles = [
      'No figures at all',
      'Nobody traded',
      'Not yet in',
      'Steady things',
      'The venue counts itself',
    ];
    for (const [query, expected] of [
      ['sort=title', titles],
      ['sort=title&sort_dir=desc', titles.toReversed()],
    ] as const)
      expect(rows(await app.anyone(`/events?${query}`)).map((row) => row.title)).toEqual(expected);
    const closing = (native_id: string, days: number) => ({
      event_id: `venue_c:${native_id}`,
      family: 'venue_c' as const,
      native_id,
      title: native_id,
      listed_at: NOW - days * DAY_MS,
      closes_at: NOW + days * DAY_MS,
    });
    app.small.store.write((writer) => upsertEvents(writer, [closing('first', 1), closing('last', 2)], NOW));
    for (const [query, expected] of [
      ['sort=closes', ['venue_c:last', 'venue_c:first']],
      ['sort=closes&sort_dir=asc', ['venue_c:first', 'venue_c:last']],
    ] as const) {
      expect(ids(await app.anyone(`/events?${query}`)).slice(0, 2), query).toEqual(expected);
      expect(ids(await app.anyone(`/events?${query}`)), query).toHaveLength(7);
    }
  });

  it('[2.2/2] with embed=markets shows markets as the market list does, each marked as constituent or not', async () => {
    put(app.small.store, { market_id: 'venue_a:KXZERO-X', event_id: 'venue_a:KXZERO' });
    for (const body of [
      await app.anyone('/events?embed=markets'),
      await app.member('/events?embed=markets'),
    ]) {
      const zero = rowWith(rows(body), 'event_id', 'venue_a:KXZERO');
      expect(zero.is_constituent).toBe(true);
      expect(rows(zero, 'markets').map((row) => [row.market_id, row.is_constituent])).toEqual([
        [IDS.neverPriced, true],
        [IDS.oneSided, true],
        ['venue_a:KXZERO-X', false],
      ]);
      const { is_constituent: _own, ...shown } = rowWith(rows(zero, 'markets'), 'market_id', IDS.oneSided);
      expect(shown).toEqual(await app.anyone(`/markets/${IDS.oneSided}`));
    }
    expect(rows(await app.anyone('/events'))[0]).not.toHaveProperty('markets');
    expect(rows(await app.anyone('/events'))[0]).not.toHaveProperty('is_constituent');
  });

  it('[3/1] does not treat an event as having a constituent because of a staged contract', async () => {
    const staged = rowWith(rows(await app.anyone('/events?embed=markets')), 'event_id', 'venue_a:KXSTAGED');
    expect(staged.is_constituent).toBe(false);
  });

  it('[4.2/1] filters by venue', async () => {
    expect(ids(await app.anyone('/events?venue=venue_b'))).toEqual(['venue_b:901', 'venue_b:900']);
    expect(await app.anyone('/events?venue=venue_c')).toMatchObject({ data: [], total: 0, total_pages: 0 });
  });

  it('[4.2/4] with scope=constituents keeps events that hold a constituent of a public index', async () => {
    const kept = await app.member('/events?scope=constituents');
    expect(ids(kept)).toEqual(NEWEST_FIRST.slice(0, 4));
    expect(kept.total).toBe(4);
    expect(ids(await app.member('/events?scope=all'))).toEqual(NEWEST_FIRST);
  });

  it('[4.2/1][5/4] bounds the addition by created_since and created_until, both inclusive, for keys alone', async () => {
    expect(ids(await app.member('/events?created_since=2026-03-08'))).toEqual(['venue_b:901', 'venue_b:900']);
    expect(ids(await app.member('/events?created_until=2026-03-06T00:00:00Z'))).toEqual(
      NEWEST_FIRST.slice(3),
    );
    expect(
      ids(
        await app.member(
          '/events?created_since=2026-03-07T00:00:00Z&created_until=2026-03-08T00:00:00%2B00:00',
        ),
      ),
    ).toEqual(['venue_b:900', 'venue_a:KXZERO']);
    // The names that they had before.
    expect(ids(await app.member('/events?start=2026-03-07&end=2026-03-08'))).toEqual([
      'venue_b:900',
      'venue_a:KXZERO',
    ]);
    // Beside those that they have now, these count for nothing.
    expect(
      ids(
        await app.member(
          '/events?start=2026-01-01&end=2026-01-02&created_since=2026-03-07&created_until=2026-03-08',
        ),
      ),
    ).toEqual(['venue_b:900', 'venue_a:KXZERO']);
    // Where the venue does not say when it listed an event, it was added when it was first seen.
    const unsaid = {
      event_id: 'venue_c:unsaid',
      family: 'venue_c',
      native_id: 'unsaid',
      title: 'x',
    } as const;
    app.small.store.write((writer) => upsertEvents(writer, [unsaid], NOW));
    for (const window of ['created_since=2026-04-15', 'created_since=2026-04-15&created_until=2026-04-16'])
      expect(ids(await app.member(`/events?${window}`)), window).toEqual(['venue_c:unsaid']);
    expect(ids(await app.member('/events?created_until=2026-04-15'))).toEqual(NEWEST_FIRST);
    expect(ids(await app.anyone('/events'))).toEqual(['venue_c:unsaid', ...NEWEST_FIRST]);
    for (const query of ['created_since=2026-03-08', 'created_since=never', 'scope=constituents', 'scope=x'])
      expect(ids(await app.anyone(`/events?${query}`)), query).toEqual(['venue_c:unsaid', ...NEWEST_FIRST]);
  });

  it('[7/5] refuses the date windows that are for markets, on both tiers and in the export', async () => {
    for (const name of ['expires_after', 'expires_before'])
      for (const [path, headers] of [
        ['/api/v1/public/events', {}],
        ['/api/v1/events', bearer(app.small.keys.acme)],
        ['/api/v1/export/events/csv', bearer(app.small.keys.acme)],
      ] as const) {
        const { status, body } = await app.get(`${path}?${name}=2026-01-01`, headers);
        expect(status).toBe(400);
        expect(body).toMatchObject({ error: 'unsupported_parameter', details: [{ param: name }] });
      }
  });
});
