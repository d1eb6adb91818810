import { expect, it } from 'vitest';
import { parseCandles } from '../../src/ingest/venues/hyperliquid/parse-candles.ts';
import { parseOutcomes } from '../../src/ingest/venues/hyperliquid/parse-outcomes.ts';
import { parseBooksPage } from '../../src/ingest/venues/kalshi/parse-books.ts';
import { parseCandlesPage, parseOneMarketCandles } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import * as kalshi from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { parseSeriesList } from '../../src/ingest/venues/kalshi/parse-series.ts';
import { parseTradesPage } from '../../src/ingest/venues/kalshi/parse-trades.ts';
import { parseBooksAnswer } from '../../src/ingest/venues/polymarket-global/parse-books.ts';
import * as gamma from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import {
  parseHistoryPage,
  parseTokenHistory,
} from '../../src/ingest/venues/polymarket-global/parse-history.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import { parseResolutions } from '../../src/ingest/venues/polymarket-global/parse-resolutions.ts';
import * as us from '../../src/ingest/venues/polymarket-us/parse-catalog.ts';
import { parseHistory } from '../../src/ingest/venues/polymarket-us/parse-history.ts';

const NOW = Date.parse('2026-11-10T12:00:00Z');
const ONE = { ticker: 'KX-1', market_ticker: 'KX-1' };

/** What an answer is wrapped in, with its list left to the test. */
const READERS: Record<string, (list: object) => { read?: number; points?: unknown[] }> = {
  events: kalshi.parseEventsPage,
  markets: kalshi.parseMarketsPage,
  series: parseSeriesList,
  trades: parseTradesPage,
  orderbooks: parseBooksPage,
  'markets with candles': (list) => parseCandlesPage(list, NOW),
  'candlesticks of one market': (list) => parseOneMarketCandles({ ...ONE, ...list }, NOW),
  'events of Gamma': gamma.parseEventsPage,
  'markets of Gamma': gamma.parseMarketsPage,
  'data of the listing': parseListingPage,
  'data of a history': (list) => parseHistoryPage(list, NOW, false),
  'data of resolutions': parseResolutions,
  'history of a token': (list) => parseTokenHistory(list, NOW),
  'events of the US': us.parseEventsPage,
  'markets of the US': us.parseMarketsPage,
  'history of the US': parseHistory,
  outcomes: (list) => parseOutcomes(list, { supplies: new Map(), templates: new Map() }, NOW),
};

it.each(Object.entries(READERS))(
  '%s may be null, which means empty; without them, the format has changed',
  (name, read) => {
    const key = name.split(' ')[0] as string;
    const page = read({ [key]: null });
    expect(page.read ?? page.points?.length).toBe(0);
    expect(() => read({})).toThrow(`${key} must be a list, got nothing`);
  },
);

it('a batch of candles or books holds null for a market without any', () => {
  const { byTicker, rejections } = parseCandlesPage({ markets: [{ ...ONE, candlesticks: null }] }, NOW);
  expect([[...byTicker], rejections]).toEqual([[['KX-1', []]], []]);
  expect(parseBooksAnswer(null).read).toBe(0);
});

it.each([
  ['bids', parseBooksAnswer([{ asset_id: '1', buys: [], asks: [] }]), 'a list'],
  ['asks', parseBooksAnswer([{ asset_id: '1', bids: null, sells: [] }]), 'a list'],
  ['orderbook_fp', parseBooksPage({ orderbooks: [{ ticker: 'KX-1', book: {} }] }), 'a record'],
  ['price', parseHistoryPage({ data: [{ timestamp: 1, value: 0.4 }] }, NOW, false), '0 to 1'],
  [
    'bids.0.price',
    parseBooksAnswer([{ asset_id: '1', bids: [{ p: '0.4', size: '1' }], asks: [] }]),
    '0 to 1',
  ],
  ['asks.0.size', parseBooksAnswer([{ asset_id: '1', bids: [], asks: [{ price: '0.4' }] }]), '0 or more'],
  ['c', parseCandles([{ t: NOW, close: '0.4' }], NOW), '0 to 1'],
  ['p', parseTokenHistory({ history: [{ t: 1, price: 0.4 }] }, NOW), '0 to 1'],
])(
  'a row may say that there is nothing, but must say so: without %s the format has changed',
  (field, page, allowed) => {
    expect(page.rejections.map((each) => each.reason)).toEqual([`${field} must be ${allowed}, got nothing`]);
  },
);

it('a book without a side, or a point without a price, is valid', () => {
  const books = [{ asset_id: '1', bids: null, asks: null }];
  const pages = [
    parseBooksAnswer(books),
    parseBooksPage({ orderbooks: [{ ticker: 'KX-1', orderbook: null }] }),
    parseHistoryPage({ data: [{ timestamp: 1, price: null }] }, NOW, false),
    parseTokenHistory({ history: [{ t: 1, p: null }] }, NOW),
  ];
  expect(pages.map((each) => [each.read, each.rejections])).toEqual(pages.map(() => [1, []]));
});

it.each<[string, (cursor: unknown) => { next: string | undefined }]>([
  ['Kalshi events', (cursor) => kalshi.parseEventsPage({ events: [], cursor })],
  ['Kalshi markets', (cursor) => kalshi.parseMarketsPage({ markets: [], cursor })],
  ['Kalshi trades', (cursor) => parseTradesPage({ trades: [], cursor })],
  ['Gamma events', (next_cursor) => gamma.parseEventsPage({ events: [], next_cursor })],
  ['Gamma markets', (next_cursor) => gamma.parseMarketsPage({ markets: [], next_cursor })],
  ['the listing', (next_cursor) => parseListingPage({ data: [], next_cursor })],
  ['a history', (next_cursor) => parseHistoryPage({ data: [], pagination: { next_cursor } }, NOW, false)],
])('a cursor of %s is a text, and one of another kind is not the end of the list', (_what, read) => {
  expect([undefined, null, ''].map((end) => read(end).next)).toEqual([undefined, undefined, undefined]);
  expect(['x'.repeat(30_000), 7].map((each) => read(each).next)).toEqual(['x'.repeat(30_000), '7']);
  for (const other of [{ page: 2 }, [], true])
    expect(() => read(other)).toThrow(
      /answer has an unexpected shape: (pagination\.)?(next_)?cursor must be a text/,
    );
});
