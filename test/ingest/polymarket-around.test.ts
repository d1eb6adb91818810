import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket } from './wire-fixtures.ts';

const EVENTS = 300;
const ODD = 150;

describe('a page of Polymarket’s list that the venue fails at', () => {
  withVenueAndStore(() => {
    answerAsTwoVenues(venue);
  });

  const ids = Array.from({ length: EVENTS }, (_, i) => i);
  const known = () =>
    ids.filter((i) => store.read((reader) => findMarket(reader, `venue_b:${conditionId(i)}`)) !== undefined);

  /** The list in the order of its ids or, where that is asked for, of another field. */
  const answerList = (fails: (rows: readonly number[], inOrder: boolean) => boolean) =>
    venue.on('/gamma/events/keyset', (query) => {
      const order = query.has('order') && query.get('ascending') === 'false' ? ids.toReversed() : ids;
      const from = Number(query.get('after_cursor') ?? 0);
      const to = from + Number(query.get('limit'));
      const rows = order.slice(from, to);
      if (fails(rows, query.has('order'))) return raw('{}', 500);
      const events = rows.map((i) => gammaEvent([gammaMarket(i)], { id: `${i}` }));
      return { events, ...(to < EVENTS ? { next_cursor: `${to}` } : {}) };
    });
  const run = () => runIngest(store, configFor(venue.origin), { only: 'venue_b_global' });

  it('is bypassed: the rest is read from the other end of the list', async () => {
    answerList((rows) => rows.includes(ODD));
    const feed = feedOf(await run(), 'venue_b_global/events');
    const unread = ids.filter((i) => !known().includes(i));
    expect(unread).toContain(ODD);
    expect(unread.length).toBeLessThan(50);
    expect(feed).toMatchObject({ condition: 'partial', message: expect.stringContaining('answered 500') });
  });

  it('does not have the whole list read again each time, where one in another order ends well', async () => {
    answerList((rows, inOrder) => !inOrder && rows.includes(ODD));
    const settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    const at = async (minutes: number) => {
      venue.requests.length = 0;
      const now = NOW + minutes * MINUTE_MS;
      const report = await runIngest(store, settings, { only: 'venue_b_global', now });
      return [
        feedOf(report, 'venue_b_global/events').condition,
        venue.requests.filter(({ path, query }) => path === '/gamma/events/keyset' && query.has('order'))
          .length,
        venue.requests.filter(({ query }) => query.has('start_date_min')).length > 0,
      ];
    };
    expect(await at(0)).toEqual(['partial', 3, false]);
    expect(known()).toEqual(ids);
    expect(await at(10)).toEqual(['partial', 3, true]);
    answerList(() => false);
    expect(await at(20)).toEqual(['good', 0, true]);
    expect(await at(70)).toEqual(['good', 0, false]);
  });

  it('is not bypassed where the venue fails at all of them', async () => {
    answerList(() => true);
    expect(feedOf(await run(), 'venue_b_global/events').condition).toBe('failed');
    const asked = venue.requests.filter((each) => each.path === '/gamma/events/keyset');
    expect(asked.filter((each) => each.query.has('order'))).toEqual([]);
  });

  it('is not suspected where the list ends well, which is then read once', async () => {
    answerList(() => false);
    await run();
    expect(known()).toEqual(ids);
    expect(venue.requests.filter((each) => each.path === '/gamma/events/keyset')).toHaveLength(3);
  });
});
