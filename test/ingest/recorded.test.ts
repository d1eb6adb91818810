import { describe, expect, it } from 'vitest';
import type { CatalogPage } from '../../src/ingest/catalog/listed-market.ts';
import { parseBooksPage } from '../../src/ingest/venues/kalshi/parse-books.ts';
import { parseCandlesPage } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import * as kalshi from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import * as gamma from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import { openStore } from '../../src/store/store.ts';
import { hasRecorded, isRow, readWire, readWireRow, type WireRow } from '../replay/recorded.ts';
import { startReplay } from '../replay/replay.ts';
import { configFor, feedOf, runIngest } from './run-ingest.ts';

/** What became of a page: rows, events and markets taken in, and how many were left out for which reason. */
function accountOf(page: CatalogPage) {
  const reasons: Record<string, number> = {};
  for (const { reason } of page.rejections) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const ids = new Set(page.markets.map(({ market }) => market.market_id));
  expect(page.events.length + page.markets.length + page.rejections.length).toBe(page.read);
  return { rows: page.read, events: page.events.length, markets: ids.size, reasons };
}

function nested(wire: WireRow): unknown {
  return { events: [{ ...(isRow(wire.event) ? wire.event : {}), markets: wire.markets }] };
}

const COMBO = 'a combination of markets of other events is not carried';
const NO_CONDITION = 'condition_id must be an id, got ""';
const NO_TOKEN = 'tokens.0.token_id must be an id, got ""';
const NO_OUTCOMES = 'outcomes must be two, got 0';

const january = (name: string) => readWireRow(`kalshi-api-2026-01/${name}_response.json`);
const sample = (name: string) => readWire(`polymarket-samples/${name}.json`);
const gammaMarkets = (...names: string[]) => gamma.parseMarketsPage({ markets: names.map(sample) });

describe.skipIf(!hasRecorded)('recorded pages (need the recorded data, see REAL_DATA)', () => {
  it.each([
    ['Kalshi events, January 2026', () => kalshi.parseEventsPage(january('events_list')), [5, 5, 0, {}]],
    [
      'Kalshi combo events',
      () => kalshi.parseEventsPage(january('events_multivariate_list')),
      [5, 0, 0, { [COMBO]: 5 }],
    ],
    [
      'Kalshi markets, January 2026',
      () => kalshi.parseMarketsPage(january('markets_list')),
      [5, 0, 0, { [COMBO]: 5 }],
    ],
    [
      'Kalshi event with its market',
      () => kalshi.parseEventsPage(nested(january('event_single'))),
      [2, 1, 1, {}],
    ],
    [
      'Kalshi event with markets, May 2026',
      () =>
        kalshi.parseEventsPage(
          nested(readWireRow('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json')),
        ),
      [26, 1, 25, {}],
    ],
    [
      'Kalshi markets, June 2026',
      () => kalshi.parseMarketsPage({ markets: readWire('three-venue-markets-2026-06/kalshi_markets.json') }),
      [5, 0, 0, { [COMBO]: 5 }],
    ],
    [
      'CLOB page of 1,000',
      () => parseListingPage(readWire('polymarket-wire-2025-11/clob_markets_page1.json.gz')),
      [1000, 0, 945, { [NO_CONDITION]: 54, [NO_TOKEN]: 1 }],
    ],
    [
      'CLOB page of 100',
      () => parseListingPage(readWire('polymarket-samples/http_responses__markets.json.gz')),
      [100, 0, 99, { [NO_TOKEN]: 1 }],
    ],
    [
      'CLOB markets',
      () =>
        parseListingPage({
          data: [
            'clob_market_closed_binary_accepting_false',
            'clob_market_closed_binary_accepting_true',
            'http_responses__market',
          ].map(sample),
        }),
      [3, 0, 3, {}],
    ],
    [
      'Gamma event by slug, November 2025',
      () => gamma.parseEventsPage({ events: readWire('polymarket-wire-2025-11/gamma_events_by_slug.json') }),
      [2, 1, 1, {}],
    ],
    ['Gamma event', () => gamma.parseEventsPage({ events: sample('gamma_event') }), [3, 1, 2, {}]],
    [
      'Gamma event cut by its authors',
      () => gamma.parseEventsPage({ events: [sample('http_responses__event')] }),
      [4, 1, 0, { [NO_OUTCOMES]: 3 }],
    ],
    [
      'Gamma markets cut by their authors',
      () => gamma.parseMarketsPage({ markets: sample('http_responses__markets_list') }),
      [3, 0, 0, { [NO_OUTCOMES]: 3 }],
    ],
    [
      'Gamma markets, June 2026',
      () =>
        gamma.parseMarketsPage({ markets: readWire('three-venue-markets-2026-06/polymarket_markets.json') }),
      [6, 1, 5, {}],
    ],
    [
      'Gamma markets of several years',
      () =>
        gammaMarkets(
          'gamma_market',
          'gamma_market_closed_binary_accepting_false',
          'gamma_market_closed_binary_accepting_true',
          'gamma_market_closed_nonbinary_legacy',
          'gamma_market_closed_zero_zero_legacy',
          'gamma_market_sports_market_map_handicap',
          'gamma_market_sports_market_money_line',
        ),
      [9, 2, 7, {}],
    ],
  ] as const)(
    '%s: every row is read or named with its reason',
    (_, parse, [rows, events, markets, reasons]) => {
      expect(accountOf(parse())).toEqual({ rows, events, markets, reasons });
    },
  );

  it.each([
    ['20250219', 1911],
    ['20250220', 1938],
    ['20250221', 1928],
    ['20250224', 1936],
    ['20250313', 908],
  ])('the open events of %s are all read', (day, rows) => {
    const page = kalshi.parseEventsPage(readWire(`kalshi-open-events-2025/events_${day}.json.gz`));
    expect(accountOf(page)).toEqual({ rows, events: rows, markets: 0, reasons: {} });
  });

  it('the outcomes of the CLOB page are the winners it names, its void markets and, without these, whole prices', () => {
    const { markets } = parseListingPage(readWire('polymarket-wire-2025-11/clob_markets_page1.json.gz'));
    const count = (payout: number | undefined) =>
      markets.filter(({ market }) => market.payout === payout).length;
    expect([count(1), count(0), count(0.5), count(undefined)]).toEqual([335, 377, 7, 226]);
    expect(
      markets.every(({ market }) => (market.status === 'settled') === (market.payout !== undefined)),
    ).toBe(true);
  });

  it('a closed market without a sound outcome is closed, and shows no old book', () => {
    const page = gammaMarkets(
      'gamma_market_closed_nonbinary_legacy',
      'gamma_market_closed_zero_zero_legacy',
      'gamma_market_closed_binary_accepting_true',
    );
    expect(page.markets.map(({ market, quote }) => [market.status, market.payout, quote])).toEqual([
      ['closed', undefined, undefined],
      ['closed', undefined, undefined],
      ['settled', 1, undefined],
    ]);
  });

  it('prices are those of the venue in both generations', () => {
    const [mars] = kalshi.parseEventsPage(nested(january('event_single'))).markets;
    expect(mars?.quote?.prices).toEqual({
      bid: 0.06,
      ask: 0.07,
      last: 0.06,
      volume: 35001,
      open_interest: 13679,
    });
    const may = readWireRow('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json');
    const [word] = kalshi.parseEventsPage(nested(may)).markets;
    expect(word?.market.question).toBe(
      'What will the announcers say during Thunder vs Lakers Professional Basketball Game – Alley-oop',
    );
    expect(word?.quote?.prices).toEqual({
      bid: 0.56,
      ask: 0.59,
      last: 0.53,
      volume: 2573.91,
      open_interest: 2287.91,
    });
  });

  it('candles without a trade carry the previous trade, and a book of nulls is empty', () => {
    const candles = parseCandlesPage(january('candlesticks_batch'), Date.parse('2026-01-13T00:00:00Z'));
    const observations = candles.byTicker.get('KXELONMARS-99') ?? [];
    expect([candles.read, candles.rejections, observations.length]).toEqual([90, [], 90]);
    expect(observations[0]).toEqual({
      observed_at: 1760500800000,
      bid: 0.08,
      ask: 0.11,
      last: 0.11,
      volume: 0,
      open_interest: 12432,
    });
    const book = parseBooksPage({ orderbooks: [{ ticker: 'KX-1', ...january('orderbook') }] });
    expect([...book.byId]).toEqual([['KX-1', {}]]);
  });

  it.each([
    ['kalshi-2026-01', 'venue_a/events', 'gamma', { rows_read: 6, rows_left_out: 0, condition: 'good' }],
    [
      'kalshi-open-2025-02-19',
      'venue_a/events',
      'gamma',
      { rows_read: 1911, rows_left_out: 0, condition: 'good' },
    ],
    [
      'polymarket-clob-2025-11',
      'venue_b_global/markets',
      'clob',
      { rows_read: 1000, rows_left_out: 55, condition: 'good' },
    ],
    [
      'polymarket-clob-2025-11',
      'venue_b_global/events',
      'gamma',
      { rows_read: 2, rows_left_out: 0, condition: 'good' },
    ],
  ] as const)(
    '%s is read over HTTP from its first page to its last',
    async (set, feed, catalog, expected) => {
      const replay = await startReplay(`catalog-pages/${set}`);
      const store = openStore(':memory:');
      const settings = configFor(replay.origin);
      const { venue_a, gamma: gamma_url, clob: clob_url, data: data_url } = replay.endpoints;
      settings.venues.venue_a.base_url = venue_a;
      Object.assign(settings.venues.venue_b_global, { catalog, gamma_url, clob_url, data_url });
      expect(feedOf(await runIngest(store, settings), feed)).toMatchObject(expected);
      store.close();
      await replay.close();
    },
  );
});
