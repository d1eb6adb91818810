import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { IngestReport } from '../../src/ingest/ingest.ts';
import type { Config } from '../../src/model/config.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findNote } from '../../src/store/notes.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { raw } from './fixture-venue.ts';
import { configFor, configForWorld, factsOf, feedOf, NOW, runIngest, testEffects } from './run-ingest.ts';
import { withLimit } from './time-limits.ts';
import { answerAsTwoVenues } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { conditionId, gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

type VenueName = keyof Config['venues'];

/** Paths of the paged listings. */
const LISTINGS =
  /\/kalshi\/(trade-api\/v2\/)?events\?(?!.*tickers)|\/kalshi\/markets\?.*min_updated_ts|\/gamma\/events\/keyset|\/clob\/markets\?|\/clob\/markets$|\/us\/v1\/events\?/;

/** Shorter than any that is asked for. */
const EVENTS_A_PAGE = 6;

/** One run whose listings have time for a number of pages. */
async function runFor(
  pages: number,
  store: Store,
  settings: Config,
  { now = NOW, only }: { now?: number; only: VenueName },
): Promise<IngestReport> {
  return withLimit(settings.ingest.deadline_seconds * 750, (listing) => {
    const effects = testEffects();
    const counting: typeof fetch = async (url, init) => {
      const asked = String(url).replace(/\blimit=\d+/, `limit=${EVENTS_A_PAGE}`);
      const response = await effects.fetch(asked, init);
      if (LISTINGS.test(asked) && --pages === 0) listing.abort();
      return response;
    };
    return runIngest(store, settings, { now, only, effects: { ...effects, fetch: counting } });
  });
}

describe('a list that does not fit into one run', () => {
  let settings: Config;
  /** What the list holds, an event with one market a page; a page is asked for by its number. */
  let listed: string[];
  let asked: string[];

  withVenueAndStore(() => {
    listed = [...'abcdefgh'];
    asked = [];
    settings = configFor(venue.origin);
    answerAsTwoVenues(venue);
    answerList(answer);
  });

  /** How the list is answered; nothing is ever found by its name. */
  const answerList = (list: (query: URLSearchParams) => unknown) =>
    venue.on('/kalshi/events', (query) => (query.has('tickers') ? page([]) : list(query)));

  const page = (letters: readonly string[], cursor = '') => ({
    events: letters.map((letter) =>
      kalshiEvent([kalshiMarket(`KX-${letter}`, { event_ticker: `EV-${letter}` })], {
        event_ticker: `EV-${letter}`,
      }),
    ),
    cursor,
  });
  const answer = (query: URLSearchParams) => {
    const number = Number(query.get('cursor') ?? 0);
    asked.push(`${query.get('series_ticker') ?? ''}${number}`);
    return page(listed.slice(number, number + 1), number + 1 < listed.length ? String(number + 1) : '');
  };
  const run = async (pages: number, now = NOW) =>
    feedOf(await runFor(pages, store, settings, { now, only: 'venue_a' }), 'venue_a/events');
  const statuses = () =>
    Object.fromEntries(
      store.read((reader) =>
        reader
          .all<{ native_id: string; status: string }>('SELECT native_id, status FROM markets ORDER BY 1')
          .map(({ native_id, status }) => [native_id.slice(3), status]),
      ),
    );

  it('is resumed in the next run, and complete once its end was reached', async () => {
    expect(await run(3)).toMatchObject({
      condition: 'partial',
      message: 'ingest.deadline_seconds leaves no time for page 4; the next run goes on there',
    });
    expect(await run(4, NOW + 1)).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('page 7'),
    });
    expect(await run(4, NOW + 2)).toMatchObject({ condition: 'good', message: null, rows_read: 6 });
    expect(asked).toEqual([...'012', ...'2345', ...'567']);
    expect(crawlOf(store, 'venue_a/events')).toMatchObject({ rows: 8, began: NOW, at: NOW + 2 });
    // Markets on its first pages were seen, and are not looked up.
    expect(venue.requests.filter(({ query }) => query.has('tickers'))).toEqual([]);
    expect(Object.keys(statuses())).toEqual(listed);
    const pages = store.read((reader) => reader.all('SELECT 1 FROM page_notes'));
    expect(pages.length).toBe(8);
    asked = [];
    await run(3, NOW + 3);
    expect(asked).toEqual([...'012']);
  });

  it('has its changes requested from the time it began', async () => {
    settings = configFor(venue.origin, { full_crawl_minutes: 1000 });
    for (const hour of [0, 1, 2]) await run(4, NOW + hour * HOUR_MS);
    venue.requests.length = 0;
    await run(3, NOW + 3 * HOUR_MS);
    const changes = venue.requests.find(
      ({ path, query }) => path === '/kalshi/markets' && query.has('min_updated_ts'),
    );
    expect(Number(changes?.query.get('min_updated_ts'))).toBe(NOW / 1000 - 60);
  });

  it('resumes its changes too, and next requests those since they began', async () => {
    settings = configFor(venue.origin, { full_crawl_minutes: 1000 });
    await run(20);
    const asked: (string | null)[] = [];
    venue.on('/kalshi/markets', (query) => {
      if (!query.has('min_updated_ts')) return { markets: [], cursor: '' };
      const number = Number(query.get('cursor') ?? 0);
      asked.push(`${Number(query.get('min_updated_ts')) - NOW / 1000 + 60}:${number}`);
      const event_ticker = `EV-${listed[number]}`;
      const market = kalshiMarket(`KX-${listed[number]}`, { event_ticker, volume_fp: '77.00' });
      return { markets: [market], cursor: number < 7 ? String(number + 1) : '' };
    });
    expect(await run(3, NOW + HOUR_MS)).toMatchObject({
      condition: 'partial',
      message: 'ingest.deadline_seconds leaves no time for page 4; the next run goes on there',
    });
    expect(await run(20, NOW + 2 * HOUR_MS)).toMatchObject({ condition: 'good' });
    expect(asked).toEqual([...'012', ...'234567'].map((each) => `0:${each}`));
    expect(await run(1, NOW + 3 * HOUR_MS)).toMatchObject({ condition: 'partial' });
    expect(asked.at(-1)).toBe('3600:0');
    // A full crawl that is due meanwhile starts from the beginning.
    settings = configFor(venue.origin, { full_crawl_minutes: 60 });
    listed.push('i');
    expect(await run(20, NOW + 4 * HOUR_MS)).toMatchObject({ condition: 'good' });
    expect(crawlOf(store, 'venue_a/events')).toMatchObject({ rows: 9, began: NOW + 4 * HOUR_MS });
  });

  it('closes what two complete crawls lack, and nothing before', async () => {
    let hour = 0;
    const next = () => run(4, NOW + hour++ * HOUR_MS);
    const crawl = async () => {
      for (let i = 0; i < 3; i++) await next();
    };
    await crawl();
    const all = statuses();
    listed.splice(1, 1, 'x');
    await crawl();
    expect(statuses()).toEqual({ ...all, x: 'active' });
    // Neither while the second one is under way.
    await next();
    await next();
    expect(statuses()).toEqual({ ...all, x: 'active' });
    expect(await next()).toMatchObject({ condition: 'good' });
    expect(statuses()).toEqual({ ...all, x: 'active', b: 'closed' });
  });

  const LOST: [string, () => unknown][] = [
    ['is refused', () => raw('{"error":{"code":"bad_request","message":"invalid cursor"}}', 400)],
    ['is answered with nothing', () => page([])],
    ['is answered with the first page', () => page(listed.slice(0, 1), '1')],
  ];
  it.each(LOST)('begins anew, in the same run, where the place %s', async (_, spoilt) => {
    await run(3);
    answerList((query) => {
      if (query.get('cursor') !== '2' || asked.length !== 3) return answer(query);
      asked.push('lost');
      return spoilt();
    });
    expect(await run(20, NOW + 1)).toMatchObject({ condition: 'good' });
    expect(asked).toEqual([...'012', 'lost', ...'01234567']);
  });

  it('begins anew in the run after one that failed there', async () => {
    await run(3);
    venue.on('/kalshi/events', () => raw('', 503));
    expect(await run(20, NOW + 1)).toMatchObject({ condition: 'failed' });
    answerList(answer);
    await run(3, NOW + 2);
    expect(asked).toEqual([...'012012']);
  });

  it('begins anew after a day, and when the request to the venue changes', async () => {
    await run(3);
    await run(3, NOW + DAY_MS + 1);
    expect(asked).toEqual([...'012012']);
    asked = [];
    settings.venues.venue_a.series = ['P', 'Q'];
    await run(2, NOW + DAY_MS + 2);
    settings.venues.venue_a.series = ['P'];
    await run(1, NOW + DAY_MS + 3);
    expect(asked).toEqual(['P0', 'P1', 'P0']);
  });

  it('of several parts is resumed in the part that was reached', async () => {
    listed = [...'abcd'];
    settings.venues.venue_a.series = ['P', 'Q', 'R'];
    for (const [at, pages] of [4, 5, 5].entries()) await run(pages, NOW + at);
    const pages = ['P0 P1 P2 P3', 'Q0 Q1 Q2 Q3 R0', 'R0 R1 R2 R3'];
    expect(asked).toEqual(pages.join(' ').split(' '));
    expect(crawlOf(store, 'venue_a/events')).toMatchObject({ rows: 12, began: NOW, at: NOW + 2 });
  });

  it('of several parts begins anew where the part that was reached is no longer requested', async () => {
    settings.venues.venue_a.tags = ['Wet'];
    const series = ['P', 'R', 'Q'].map((ticker) => ({ ticker, title: 'Rain', tags: ['Wet'] }));
    venue.on('/kalshi/series', () => ({ series }));
    await run(10);
    expect(asked.at(-1)).toBe('Q1');
    asked = [];
    store.write((writer) => writer.run("UPDATE series SET tags = '[]' WHERE native_id = 'Q'"));
    series.pop();
    await run(2, NOW + 1);
    expect(asked).toEqual(['P0', 'P1']);
  });

  it('of several parts begins anew where one of them was not read to its end', async () => {
    settings.venues.venue_a.series = ['P', 'Q'];
    answerList((query) => {
      const isRound = query.get('series_ticker') === 'P' && query.get('cursor') === '1';
      return isRound ? page(['b'], '1') : answer(query);
    });
    for (const at of [0, 1]) expect(await run(4, NOW + at)).toMatchObject({ condition: 'partial' });
    expect(asked).toEqual(['P0', 'Q0', 'Q1', 'P0', 'Q0', 'Q1']);
  });

  it('is not resumed by a full crawl when it held only what was new since the last', async () => {
    settings = configFor(venue.origin, { full_crawl_minutes: 100 });
    const cursors: (string | null)[] = [];
    venue.on('/gamma/events/keyset', (query) => {
      const number = Number(query.get('after_cursor') ?? 0);
      cursors.push(query.get('after_cursor'));
      return {
        events: [gammaEvent([gammaMarket(number)], { id: `${number}` })],
        ...(number < 4 ? { next_cursor: `${number + 1}` } : {}),
      };
    });
    for (const [hour, pages] of [
      [0, 9],
      [1, 2],
      [2, 1],
    ] as const)
      await runFor(pages, store, settings, { now: NOW + hour * HOUR_MS, only: 'venue_b_global' });
    expect(cursors.slice(5)).toEqual([null, '1', null]);
  });

  it('is resumed in the CLOB listing too', async () => {
    settings.venues.venue_b_global.catalog = 'clob';
    venue.on('/clob/markets', (query) => {
      const number = Number(query.get('next_cursor') ?? 0);
      asked.push(`${number}`);
      const tokens = [{ token_id: '1' }, { token_id: '2' }];
      const market = { condition_id: conditionId(number), question: 'Will it?', active: true, closed: false };
      return { data: [{ ...market, tokens }], next_cursor: number < 7 ? `${number + 1}` : 'LTE=' };
    });
    for (const condition of ['partial', 'partial', 'good']) {
      const report = await runFor(4, store, settings, { only: 'venue_b_global' });
      expect(feedOf(report, 'venue_b_global/markets').condition).toBe(condition);
    }
    expect(asked).toEqual([...'0123', ...'3456', ...'67']);
  });

  it('is not complete after all if it was rejected in one of its runs', async () => {
    listed = Array.from({ length: 8 }, (_, i) => `${i}`);
    const many = (query: URLSearchParams, volume_fp: string) => {
      const number = Number(query.get('cursor') ?? 0);
      const markets = Array.from({ length: 30 }, (_, i) =>
        kalshiMarket(`KX-${number}-${i}`, {
          event_ticker: `EV-${number}`,
          ...(number === 0 ? { volume_fp } : {}),
        }),
      );
      return {
        events: [kalshiEvent(markets, { event_ticker: `EV-${number}` })],
        cursor: number < 7 ? String(number + 1) : '',
      };
    };
    answerList((query) => many(query, '7.00'));
    expect(await run(9)).toMatchObject({ condition: 'good' });
    answerList((query) => many(query, '0.00'));
    await run(3, NOW + HOUR_MS);
    expect(await run(9, NOW + 2 * HOUR_MS)).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('volume is zero or missing'),
    });
    expect(crawlOf(store, 'venue_a/events')).toMatchObject({ at: NOW });
  });

  it('is not resumed for ever when it leads back to a page of an earlier run', async () => {
    await run(3);
    listed[4] = 'b';
    expect(await run(9, NOW + 1)).toMatchObject({
      condition: 'partial',
      message: 'page 5 repeats page 2; the rest of the list was not read',
    });
    await run(9, NOW + 2);
    expect(asked.slice(6, 7)).toEqual(['0']);
  });
});

function crawlOf(store: Store, feed: string): unknown {
  return store.read((reader) => findNote(reader, feed, 'full_crawl', z.unknown()));
}

describe('the long lists of the simulated world', () => {
  let open: OpenWorld;
  const at = Date.parse('2026-10-29T12:00:00Z');

  beforeAll(async () => {
    open = await openWorld({ now: at, markets: 1200, events_a_page: EVENTS_A_PAGE });
  });
  afterAll(() => open.served.close());

  const settings = () => configForWorld(open);

  it.each(['venue_a', 'venue_b_global', 'venue_b_us'] as const)(
    'of %s give the same tables in a few runs as in one',
    async (only) => {
      const feed = `${only}/events`;
      const once = openStore(':memory:');
      const report = await runFor(Number.POSITIVE_INFINITY, once, settings(), { now: at, only });
      expect(feedOf(report, feed).condition).toBe('good');
      expect(feedOf(report, feed).requests).toBeGreaterThan(8);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 1, maxLength: 5 }),
          async (times) => {
            const store = openStore(':memory:');
            let runs = 0;
            for (; ; runs++) {
              const pages = times[runs % times.length] as number;
              const { condition } = feedOf(await runFor(pages, store, settings(), { now: at, only }), feed);
              if (condition === 'good') break;
              expect(runs).toBeLessThan(100);
            }
            expect(factsOf(store)).toEqual(factsOf(once));
            store.close();
          },
        ),
        { numRuns: 3 },
      );
      once.close();
    },
  );
});
