import { describe, expect, it } from 'vitest';
import { parseCandlesPage } from '../../src/ingest/venues/kalshi/parse-candles.ts';
import * as kalshi from '../../src/ingest/venues/kalshi/parse-catalog.ts';
import { parseSeriesList } from '../../src/ingest/venues/kalshi/parse-series.ts';
import { parseTradesPage } from '../../src/ingest/venues/kalshi/parse-trades.ts';
import * as gamma from '../../src/ingest/venues/polymarket-global/parse-gamma.ts';
import { parseListingPage } from '../../src/ingest/venues/polymarket-global/parse-listing.ts';
import * as us from '../../src/ingest/venues/polymarket-us/parse-catalog.ts';
import type { Rejection } from '../../src/ingest/wire/wire-rows.ts';
import { hasRecorded, isRow, readWire, readWireRow, rowsOf, type WireRow } from '../replay/recorded.ts';
import { usEvent, usMarket } from './us-fixtures.ts';
import { gammaEvent, gammaMarket, kalshiCandle, kalshiEvent, kalshiMarket } from './wire-fixtures.ts';

const NOW = Date.parse('2026-11-10T12:00:00Z');
const DATE = /^\d{4}-\d\d-\d\dT/;
const isNumeric = (value: unknown) =>
  typeof value === 'string' && value !== '' && !Number.isNaN(Number(value));

/** Other ways to write the same value, which must read the same. */
const SAME: Record<string, (value: unknown) => unknown> = {
  'number as text': (value) => (typeof value === 'number' ? String(value) : value),
  'text as number': (value) => (isNumeric(value) && Number(value) < 1e15 ? Number(value) : value),
  exponent: (value) =>
    typeof value === 'number' || isNumeric(value) ? Number(value).toExponential() : value,
  'yes or no as text': (value) => (typeof value === 'boolean' ? String(value) : value),
  'date with blank': (value) =>
    DATE.test(String(value)) ? String(value).replace('T', ' ').replace('Z', '+00') : value,
  'date with offset': (value) => (DATE.test(String(value)) ? String(value).replace('Z', '+00:00') : value),
};

/** Ways to write nothing, or something irrelevant: a row is left out for it only where the field is its id. */
const NOTHING: Record<string, (value: unknown) => unknown> = {
  absent: () => undefined,
  null: () => null,
  empty: (value) => (typeof value === 'object' ? null : ''),
  'year 1': (value) => (DATE.test(String(value)) ? '0001-01-01T00:00:00Z' : value),
  'year 9999': (value) => (DATE.test(String(value)) ? '9999-12-31T23:59:59Z' : value),
  'no date': (value) => (DATE.test(String(value)) ? '2026-02-30T10:00:00Z' : value),
};
const WRONG: readonly unknown[] = [
  -1,
  1e20,
  '-0.01',
  'something',
  true,
  [],
  {},
  [null],
  'ü\u2028\u0085🎉'.repeat(9000),
];

/** The result of reading a page. */
interface Read {
  read: number;
  events?: readonly unknown[];
  markets?: readonly unknown[];
  rejections: readonly Rejection[];
}

interface RowSet {
  rows: () => WireRow[];
  parse: (rows: readonly unknown[]) => Read;
  /** Required fields of a row. */
  needed: readonly string[];
}

const january = (name: string) => readWireRow(`kalshi-api-2026-01/${name}_response.json`);
const sample = (name: string) => {
  const wire = readWire(`polymarket-samples/${name}.json`);
  return isRow(wire) ? [wire] : rowsOf(wire);
};
const KALSHI_MARKET = ['ticker', 'event_ticker', 'status'];
const GAMMA_MARKET = ['conditionId', 'question', 'outcomes'];
const kalshiMarkets = (markets: readonly unknown[]) => kalshi.parseMarketsPage({ markets });
const gammaMarkets = (markets: readonly unknown[]) => gamma.parseMarketsPage({ markets });

const FIXTURES: Record<string, RowSet> = {
  'a Kalshi market': {
    rows: () => [kalshiMarket('KX-A'), kalshiMarket('KX-B')],
    parse: kalshiMarkets,
    needed: KALSHI_MARKET,
  },
  'a Kalshi event': {
    rows: () => ['A', 'B'].map((event_ticker) => kalshiEvent([], { event_ticker })),
    parse: (events) => kalshi.parseEventsPage({ events }),
    needed: ['event_ticker', 'title'],
  },
  'a Kalshi candle': {
    rows: () => [kalshiCandle(NOW / 1000 - 7200), kalshiCandle(NOW / 1000 - 3600)],
    parse: (candlesticks) => parseCandlesPage({ markets: [{ market_ticker: 'A', candlesticks }] }, NOW),
    needed: ['end_period_ts', 'yes_bid', 'yes_ask'],
  },
  'a Gamma market': {
    rows: () => [gammaMarket(1), gammaMarket(2)],
    parse: gammaMarkets,
    needed: GAMMA_MARKET,
  },
  'a Gamma event': {
    rows: () => ['1', '2'].map((id) => gammaEvent([], { id })),
    parse: (events) => gamma.parseEventsPage({ events }),
    needed: ['id', 'title'],
  },
  'a US market': {
    rows: () => [usMarket('a'), usMarket('b')],
    parse: (markets) => us.parseMarketsPage({ markets }),
    needed: ['slug'],
  },
  'a US event': {
    rows: () => ['a', 'b'].map((slug) => usEvent([], { slug })),
    parse: (events) => us.parseEventsPage({ events }),
    needed: ['slug', 'title'],
  },
};

const RECORDED: Record<string, RowSet> = {
  'Kalshi markets, May 2026': {
    rows: () => rowsOf(readWire('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json'), 'markets'),
    parse: kalshiMarkets,
    needed: KALSHI_MARKET,
  },
  'Kalshi market, January 2026': {
    rows: () => rowsOf(january('event_single'), 'markets'),
    parse: kalshiMarkets,
    needed: KALSHI_MARKET,
  },
  'Kalshi series': {
    rows: () => rowsOf(january('series_list'), 'series').slice(0, 20),
    parse: (series) => parseSeriesList({ series }),
    needed: ['ticker', 'title'],
  },
  'Kalshi trades': {
    rows: () => rowsOf(january('trades_list'), 'trades'),
    parse: (trades) => parseTradesPage({ trades }),
    needed: ['trade_id', 'created_time', 'count'],
  },
  'Gamma markets, June 2026': {
    rows: () => rowsOf(readWire('three-venue-markets-2026-06/polymarket_markets.json')),
    parse: gammaMarkets,
    needed: GAMMA_MARKET,
  },
  'Gamma markets of several years': {
    rows: () =>
      [
        'gamma_market',
        'gamma_market_closed_zero_zero_legacy',
        'gamma_market_closed_nonbinary_legacy',
      ].flatMap(sample),
    parse: gammaMarkets,
    needed: GAMMA_MARKET,
  },
  'Gamma event': {
    rows: () => sample('gamma_event'),
    parse: (events) => gamma.parseEventsPage({ events }),
    needed: ['id', 'title'],
  },
  'CLOB markets': {
    rows: () =>
      rowsOf(readWire('polymarket-wire-2025-11/clob_markets_page1.json.gz'), 'data')
        .filter((row) => row.condition_id !== '')
        .slice(0, 20),
    parse: (data) => parseListingPage({ data }),
    needed: ['condition_id', 'question', 'tokens'],
  },
};

function fieldsOf(rows: readonly WireRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The rows with one field of the first of them that has it written otherwise. */
function withField(rows: readonly WireRow[], field: string, write: (value: unknown) => unknown) {
  const place = rows.findIndex((row) => field in row);
  const { [field]: before, ...rest } = rows[place] ?? {};
  const value = write(before);
  return { place, rows: rows.with(place, value === undefined ? rest : { ...rest, [field]: value }) };
}

/** Each row is read or named, and what is named is the field. @returns whether it was left out, unlike as it was written */
function readOdd(
  { parse }: RowSet,
  rows: readonly WireRow[],
  { rejections: before }: Read,
  field: string,
  write: (value: unknown) => unknown,
) {
  const odd = withField(rows, field, write);
  const page = parse(odd.rows);
  const told = `${field} as ${JSON.stringify(odd.rows[odd.place]?.[field])?.slice(0, 60)}`;
  if (page.events && page.markets)
    expect(page.events.length + page.markets.length + page.rejections.length, told).toBe(page.read);
  const added = page.rejections.length - before.length;
  expect([0, 1], told).toContain(added);
  // A date may identify a candle or a trade; a price may be what makes it one.
  for (const { path, reason } of added === 1 ? page.rejections : [])
    expect(`${path} ${reason}`, told).toMatch(/must be|must have|must not be|is missing/);
  return added === 1;
}

const checkSet = (set: RowSet) => {
  const rows = set.rows();
  const as = set.parse(rows);
  for (const field of fieldsOf(rows)) {
    if (!set.needed.includes(field))
      for (const [name, write] of Object.entries(SAME))
        expect(set.parse(withField(rows, field, write).rows), `${field}: ${name}`).toEqual(as);
    for (const [name, write] of Object.entries(NOTHING))
      if (readOdd(set, rows, as, field, write)) expect(set.needed, `${field}: ${name}`).toContain(field);
    for (const value of WRONG) readOdd(set, rows, as, field, () => value);
  }
};

describe('a row with a field in another form', () => {
  it.each(Object.entries(FIXTURES))('%s is read, or left out with the field that is wrong', (_, set) =>
    checkSet(set),
  );

  it.skipIf(!hasRecorded).each(Object.entries(RECORDED))(
    '%s, as they were recorded, are read, or left out with the field that is wrong',
    (_, set) => checkSet(set),
  );
});
