import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newWalkState } from '../../src/ingest/catalog/catalog-walk.ts';
import { keepCatalog } from '../../src/ingest/catalog/keep-catalog.ts';
import { recallPage, seeOrKeepPage } from '../../src/ingest/catalog/known-pages.ts';
import { parseEventsPage } from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { config } from '../../src/model/config.ts';
import { MINUTE_MS } from '../../src/model/time.ts';
import {
  changeUnseenMarket,
  findMarket,
  toCatalogMarket,
  upsertMarket,
} from '../../src/store/catalog/catalog.ts';
import { forgetPages } from '../../src/store/catalog/page-notes.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { rounds } from '../helpers/rounds.ts';
import { configFor, feedOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const FEED = 'venue_a/events';
const NOW = Date.parse('2026-11-10T12:00:00Z');
const MARKETS = 6;

/** What a page says of a market. */
const said = fc.record({
  market: fc.integer({ min: 0, max: MARKETS - 1 }),
  bid: fc.constantFrom('0.0000', '0.4000', '0.5000'),
  volume: fc.constantFrom('7.00', '90.00'),
});
const page = fc.uniqueArray(said, { selector: (each) => each.market, minLength: 1, maxLength: 3 });
/** What befalls a market between two pages or two crawls, beside the pages. */
const touch = fc.record({
  kind: fc.constantFrom('settled' as const, 'not listed' as const, 'quoted' as const),
  market: fc.integer({ min: 0, max: MARKETS - 1 }),
});
const crawl = fc.record({
  minutes: fc.constantFrom(1, 10, 61, 91),
  touched: fc.array(touch, { maxLength: 1 }),
  cut: fc.boolean(),
  named: fc.constantFrom<string[]>([], [], ['venue_a:M-0']),
});
// The same few pages over and over, so that some are met again.
const crawls = fc.array(page, { minLength: 2, maxLength: 3 }).chain((few) =>
  fc.array(
    crawl.chain((each) =>
      fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 3 }).map((pages) => ({ ...each, pages })),
    ),
    { minLength: 2, maxLength: 6 },
  ),
);

interface Crawl {
  minutes: number;
  pages: { market: number; bid: string; volume: string }[][];
  touched: { kind: 'settled' | 'not listed' | 'quoted'; market: number }[];
  /** Whether it ended before the pages that it did not meet were forgotten. */
  cut: boolean;
  named: readonly string[];
}

function bodyOf(rows: Crawl['pages'][number]): Buffer {
  const events = rows.map(({ market, bid, volume }) => ({
    event_ticker: `E-${market}`,
    title: `Event ${market}`,
    markets: [
      {
        ticker: `M-${market}`,
        event_ticker: `E-${market}`,
        status: 'active',
        yes_bid_dollars: bid,
        yes_ask_dollars: '0.6000',
        volume_fp: volume,
      },
    ],
  }));
  return Buffer.from(JSON.stringify({ events, cursor: '' }));
}

function keep(store: Store, { pages, named, touched, cut }: Crawl, now: number, remembers: boolean): number {
  const ids = named.map((market_id) => ({ market_id }) as never);
  const state = newWalkState({ named: ids, config: config.parse({}) });
  let recalled = 0;
  for (const rows of pages) {
    const body = bodyOf(rows);
    let wasRead = false;
    const read = () => {
      wasRead = true;
      return parseEventsPage(JSON.parse(body.toString()));
    };
    store.write((writer) => {
      if (!remembers) return keepCatalog(writer, read(), now, state);
      const note = recallPage(writer, FEED, body, now, state);
      return seeOrKeepPage(writer, { feed: FEED, body, note, read }, now, state);
    });
    if (!wasRead) recalled++;
  }
  store.write((writer) => {
    for (const { kind, market } of touched) {
      const row = findMarket(writer, `venue_a:M-${market}`);
      if (!row) continue;
      const { market_key } = row;
      const observations = [{ observed_at: now + 1, bid: 0.7 }];
      if (kind === 'quoted')
        insertObservations(writer, market_key, { series: 'candle_60', observations }, now);
      else if (kind === 'settled')
        upsertMarket(writer, { ...toCatalogMarket(row), status: 'settled', settled_at: now, payout: 1 }, now);
      else if (row.last_seen_at < now)
        changeUnseenMarket(writer, row, { status: 'closed', venue_status: kind }, now);
    }
    if (!cut) forgetPages(writer, FEED, now);
  });
  return recalled;
}

const TABLES = ['events', 'markets', 'market_statuses', 'market_search', 'price_tail', 'latest_quotes'];
const contents = (store: Store) =>
  store.read((reader) => TABLES.map((table) => reader.all(`SELECT * FROM ${table} ORDER BY 1, 2`)));

describe('pages that were read before', () => {
  withVenueAndStore();

  it('leave the same as reading them again would, whatever else touched their markets', () => {
    let recalled = 0;
    fc.assert(
      fc.property(crawls, (walk) => {
        const [remembering, reading] = [openStore(':memory:'), openStore(':memory:')];
        let now = NOW;
        for (const each of walk) {
          recalled += keep(remembering, each, now, true);
          keep(reading, each, now, false);
          expect(contents(remembering)).toEqual(contents(reading));
          now += each.minutes * MINUTE_MS;
        }
      }),
      { numRuns: rounds(60) },
    );
    expect(recalled).toBeGreaterThan(20);
  });

  const market = (number: number) => [{ market: number, bid: '0.4000', volume: '7.00' }];
  const once: Crawl = { minutes: 0, cut: false, touched: [], named: [], pages: [market(1)] };
  const other: Crawl = { ...once, pages: [market(2)] };

  it('are read again when their quotes are 90 minutes old, and forgotten when a crawl does not find them', () => {
    const store = openStore(':memory:');
    expect(keep(store, once, NOW, true)).toBe(0);
    const stale = NOW + 90 * MINUTE_MS;
    expect(keep(store, once, stale, true)).toBe(1);
    expect(keep(store, once, stale + 1, true)).toBe(0);
    expect(keep(store, other, stale + 2, true)).toBe(0);
    expect(keep(store, once, stale + 3, true)).toBe(0);
  });

  it('are read again when one of their markets was closed meanwhile', () => {
    const store = openStore(':memory:');
    keep(store, once, NOW, true);
    keep(store, { ...other, touched: [{ kind: 'not listed', market: 1 }], cut: true }, NOW + 1, true);
    expect(keep(store, once, NOW + 2, true)).toBe(0);
    expect(store.read((reader) => findMarket(reader, 'venue_a:M-1'))).toMatchObject({ status: 'active' });
  });

  it('report their left-out rows again, each time', async () => {
    answerAsTwoVenues(venue);
    const bad = kalshiMarket('KX-2', { yes_bid_dollars: 'much' });
    listOnKalshi(venue, 'KX-1', bad);
    for (const minutes of [0, 15]) {
      const now = NOW + minutes * MINUTE_MS;
      const report = await runIngest(store, configFor(venue.origin), { now, only: 'venue_a' });
      expect(feedOf(report, FEED)).toMatchObject({ rows_read: 3, rows_left_out: 1, condition: 'good' });
    }
    const told = store.read((reader) => ({
      left_out: reader.all('SELECT native_id, path, reason FROM rejects WHERE feed = ?', FEED),
      notes: reader.all('SELECT quoted_at, seen_at FROM page_notes'),
    }));
    expect(told.left_out).toEqual(
      Array(2).fill({
        native_id: 'KX-2',
        path: 'markets.1.yes_bid_dollars',
        reason: 'yes_bid_dollars must be 0 to 1, got "much"',
      }),
    );
    expect(told.notes).toEqual([{ quoted_at: NOW, seen_at: NOW + 15 * MINUTE_MS }]);
  });

  it('do not accumulate when no crawl completes', async () => {
    answerAsTwoVenues(venue);
    const notes = async (minutes: number) => {
      const page = { events: [kalshiEvent([kalshiMarket('KX-1', { volume_fp: `${minutes}.00` })])] };
      venue.on('/kalshi/events', () => ({ ...page, cursor: 'again' }));
      const now = NOW + minutes * MINUTE_MS;
      const report = await runIngest(store, configFor(venue.origin), { now, only: 'venue_a' });
      expect(feedOf(report, FEED).condition).toBe('partial');
      return store.read((reader) => reader.all('SELECT digest FROM page_notes')).length;
    };
    expect([await notes(0), await notes(60), await notes(120), await notes(180)]).toEqual([1, 2, 1, 2]);
  });
});
