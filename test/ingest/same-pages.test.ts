// What a page of a catalog says does not depend on how it is written.
import { describe, expect, it } from 'vitest';
import type { CatalogPage } from '../../src/ingest/catalog/listed-market.ts';
import * as kalshi from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import * as gamma from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import * as us from '../../src/ingest/venues/polymarket-us/parse-catalog.ts';
import { hasRecorded, isRow, readWire, readWireRow, rowsOf } from '../replay/recorded.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

type Rows = readonly unknown[];

interface Page {
  rows: () => Rows;
  parse: (rows: Rows) => CatalogPage;
}

const kalshiEvents = (events: Rows) => kalshi.parseEventsPage({ events });
const kalshiMarkets = (markets: Rows) => kalshi.parseMarketsPage({ markets });
const gammaEvents = (events: Rows) => gamma.parseEventsPage({ events });
const gammaMarkets = (markets: Rows) => gamma.parseMarketsPage({ markets });
const usEvents = (events: Rows) => us.parseEventsPage({ events });
const usMarkets = (markets: Rows) => us.parseMarketsPage({ markets });

const FIXTURES: Record<string, Page> = {
  'Kalshi events': {
    rows: () => [
      kalshiEvent([kalshiMarket('KX-A'), kalshiMarket('KX-B')]),
      kalshiEvent([kalshiMarket('KX-C')], { event_ticker: 'KX-ALONE' }),
      kalshiEvent(undefined, { event_ticker: 'KX-EMPTY' }),
    ],
    parse: kalshiEvents,
  },
  'Kalshi markets': { rows: () => [kalshiMarket('KX-A'), kalshiMarket('KX-B')], parse: kalshiMarkets },
  'Gamma events': {
    rows: () => [
      gammaEvent([gammaMarket(1), gammaMarket(2)]),
      gammaEvent([gammaMarket(3)], { id: '2' }),
      gammaEvent([], { id: '3' }),
    ],
    parse: gammaEvents,
  },
  'Gamma markets': {
    rows: () => [1, 2].map((i) => gammaMarket(i, { events: [{ id: '7', title: 'Seven', slug: 'seven' }] })),
    parse: gammaMarkets,
  },
  'US events': {
    rows: () => [
      usEvent([usMarket('a'), usMarket('b', { title: 'Away' })]),
      usEvent([usMarket('c')], { slug: 'z' }),
    ],
    parse: usEvents,
  },
  'US markets': { rows: () => [usMarket('a'), usMarket('b', { question: 'Rain?' })], parse: usMarkets },
};

const RECORDED: Record<string, Page> = {
  'Kalshi events, May 2026 and February 2025': {
    rows: () => {
      const { event, markets } = readWireRow('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json');
      const open = rowsOf(readWire('kalshi-open-events-2025/events_20250219.json.gz'), 'events');
      return [isRow(event) ? { ...event, markets } : event, ...open.slice(0, 200)];
    },
    parse: kalshiEvents,
  },
  'Gamma markets, June 2026': {
    rows: () => rowsOf(readWire('three-venue-markets-2026-06/polymarket_markets.json')),
    parse: gammaMarkets,
  },
  'Gamma events, November 2025': {
    rows: () => rowsOf(readWire('polymarket-wire-2025-11/gamma_events_by_slug.json')),
    parse: gammaEvents,
  },
  'the CLOB, November 2025': {
    rows: () => rowsOf(readWire('polymarket-wire-2025-11/clob_markets_page1.json.gz'), 'data').slice(0, 200),
    parse: (data) => parseListingPage({ data }),
  },
};

/** Other ways to write the same page. */
const SAME: Record<string, (rows: Rows) => Rows> = {
  'its rows in reverse': (rows) => rows.toReversed(),
  'each row twice': (rows) => rows.flatMap((row) => [row, row]),
  'all rows again at the end': (rows) => [...rows, ...rows],
  'the markets of an event in reverse': (rows) => rows.map(withMarkets((markets) => markets.toReversed())),
  'the markets of an event twice': (rows) => rows.map(withMarkets((markets) => [...markets, ...markets])),
  'its keys in reverse': (rows) => rows.map(rewritten((fields) => fields.toReversed())),
  'keys that nobody knows': (rows) =>
    rows.map(rewritten((fields) => [['__proto__', null], ['new', { of: [1] }], ...fields])),
  'rows that are none': (rows) => [null, 7, 'x', [], ...rows, {}],
};

type Fields = readonly (readonly [string, unknown])[];

function rewritten(rewrite: (fields: Fields) => Fields): (value: unknown) => unknown {
  const of = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(of);
    if (!isRow(value)) return value;
    return Object.fromEntries(
      rewrite(Object.entries(value).map(([name, each]) => [name, of(each)] as const)),
    );
  };
  return of;
}

function withMarkets(rewrite: (markets: Rows) => Rows): (row: unknown) => unknown {
  return (row) =>
    isRow(row) && Array.isArray(row.markets) ? { ...row, markets: rewrite(row.markets) } : row;
}

/** What a page says: its events and markets by id, and what was left out, apart from rows without any id. */
function saidBy({ events, markets, rejections }: CatalogPage) {
  return {
    events: Object.fromEntries(events.map((each) => [each.event_id, each])),
    markets: Object.fromEntries(markets.map((each) => [each.market.market_id, each])),
    left_out: new Set(rejections.flatMap((each) => (each.native_id === null ? [] : each.native_id))),
  };
}

const check = ({ rows, parse }: Page) => {
  const said = saidBy(parse(rows()));
  expect(Object.keys({ ...said.events, ...said.markets }).length).toBeGreaterThan(0);
  for (const [way, write] of Object.entries(SAME)) expect(saidBy(parse(write(rows()))), way).toEqual(said);
};

describe('a page that is written otherwise says the same', () => {
  it.each(Object.entries(FIXTURES))('%s', (_, page) => check(page));

  it.skipIf(!hasRecorded).each(Object.entries(RECORDED))('%s, as they were recorded', (_, page) =>
    check(page),
  );
});
