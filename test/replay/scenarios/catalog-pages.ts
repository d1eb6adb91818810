import type { KalshiCatalog } from '../kalshi-catalog.ts';
import { readWire, readWireRow, rowsOf, type WireRow } from '../recorded.ts';
import { isIn, noKalshi, noPolymarket, type Scenario } from '../scenario.ts';

/**
 * Sets of recorded catalog pages, rows as they stood on the wire. A set answers from the instant it was
 * recorded on; before it, its venue is empty. A venue a set does not cover is empty throughout.
 */
export const pageSets: Readonly<Record<string, () => Scenario>> = {
  'kalshi-2026-01': kalshi202601,
  'kalshi-2026-05': kalshi202605,
  'kalshi-2026-06': kalshi202606,
  ...Object.fromEntries(
    ['2025-02-19', '2025-02-20', '2025-02-21', '2025-02-24', '2025-03-13'].map((day) => [
      `kalshi-open-${day}`,
      () => kalshiOpenEvents(day),
    ]),
  ),
  'polymarket-clob-2025-11': polymarketClob202511,
  'polymarket-samples': polymarketSamples,
};

/** January 2026: integer cents beside dollar strings; five-row pages that went on, and single answers. */
function kalshi202601(): Scenario {
  const recorded_at = '2026-01-12T22:08:12Z';
  const from = since(recorded_at);
  const file = (name: string): WireRow => readWireRow(`kalshi-api-2026-01/${name}_response.json`);
  const events = file('events_list');
  const markets = file('markets_list');
  const trades = file('trades_list');
  const single = file('market_single').market;
  const orderbook = file('orderbook');
  const series = rowsOf(file('series_list'), 'series');
  const candles = rowsOf(file('series_candlesticks'), 'candlesticks');
  const listed = rowsOf(markets, 'markets');
  const unlisted = rowsOf(file('event_single'), 'markets');
  const bookTicker = `${rowsOf([single])[0]?.ticker}`;
  const candleTicker = `${file('series_candlesticks').ticker}`;
  return {
    recorded_at,
    polymarket: noPolymarket,
    kalshi: {
      // The list was asked for by category; one of its rows (KXPARIS) calls another category its own.
      seriesAt: (now, category) => {
        const answered = category === null || category === 'Climate and Weather';
        return from(series)(now).filter((row) => answered || isIn(row, category));
      },
      eventsAt: from(rowsOf(events, 'events')),
      marketsAt: from(listed),
      unlistedMarketsAt: from(unlisted),
      candlesOf: (ticker, period, now) => {
        if (ticker === candleTicker && period === 1440) return from(candles)(now);
        const known = from([...listed, ...unlisted])(now).some((market) => market.ticker === ticker);
        return known ? [] : undefined;
      },
      orderbookAt: (ticker, now) => (ticker === bookTicker ? from([orderbook])(now)[0] : undefined),
      tradesAt: from(rowsOf(trades, 'trades')),
      cursors: {
        events: `${events.cursor}`,
        markets: `${markets.cursor}`,
        trades: `${trades.cursor}`,
      },
    },
  };
}

/** May 2026: one event with its 25 markets, dollar strings and `_fp` sizes only. */
function kalshi202605(): Scenario {
  const nested = readWireRow('kalshi-event-nested-2026-05/KXNBAMENTION-26MAY09OKCLAL.json');
  const recorded_at = '2026-05-09T00:00:00Z';
  const event = rowsOf([nested.event]);
  return {
    recorded_at,
    polymarket: noPolymarket,
    kalshi: rowsCatalog(recorded_at, event, rowsOf(nested, 'markets')),
  };
}

/** June 2026: five combination markets whose envelope was not recorded, in the list's envelope. */
function kalshi202606(): Scenario {
  const recorded_at = '2026-06-21T19:00:00Z';
  const markets = rowsOf(readWire('three-venue-markets-2026-06/kalshi_markets.json'));
  return { recorded_at, polymarket: noPolymarket, kalshi: rowsCatalog(recorded_at, [], markets) };
}

/** The whole open-event list of one day, without markets. */
function kalshiOpenEvents(day: string): Scenario {
  const list = readWireRow(`kalshi-open-events-2025/events_${day.replaceAll('-', '')}.json.gz`);
  const recorded_at = new Date(`${list.timestamp}Z`.replace(/(Z|\+00:00)Z$/, 'Z')).toISOString();
  return {
    recorded_at,
    polymarket: noPolymarket,
    kalshi: rowsCatalog(recorded_at, rowsOf(list, 'events'), []),
  };
}

/** November 2025: the CLOB's first page of a thousand markets, and one Gamma event of the same day. */
function polymarketClob202511(): Scenario {
  const recorded_at = '2025-11-25T23:00:00Z';
  const from = since(recorded_at);
  const page = readWireRow('polymarket-wire-2025-11/clob_markets_page1.json.gz');
  const events = rowsOf(readWire('polymarket-wire-2025-11/gamma_events_by_slug.json'));
  return {
    recorded_at,
    kalshi: noKalshi,
    polymarket: {
      ...noPolymarket,
      eventsAt: from(events),
      marketsAt: from(marketsOf(events)),
      marketsPage: (now) => from([page])(now)[0],
      marketAt: (condition, now) => {
        return from(rowsOf(page, 'data'))(now).find((market) => market.condition_id === condition);
      },
    },
  };
}

/** Gamma samples of several dates, five open-market rows of June 2026, and a CLOB page of a hundred. */
function polymarketSamples(): Scenario {
  const recorded_at = '2026-06-21T19:00:00Z';
  const from = since(recorded_at);
  const file = (name: string): unknown => readWire(`polymarket-samples/${name}`);
  const events = rowsOf(file('gamma_event.json'));
  const markets = rowsOf(
    [
      'gamma_market',
      'gamma_market_closed_binary_accepting_false',
      'gamma_market_closed_binary_accepting_true',
      'gamma_market_closed_nonbinary_legacy',
      'gamma_market_closed_zero_zero_legacy',
      'gamma_market_sports_market_map_handicap',
      'gamma_market_sports_market_money_line',
    ].map((name) => file(`${name}.json`)),
  );
  const open = rowsOf(readWire('three-venue-markets-2026-06/polymarket_markets.json'));
  const page = rowsOf([file('http_responses__markets.json.gz')])[0] ?? {};
  const singles = rowsOf([
    file('clob_market_closed_binary_accepting_false.json'),
    file('clob_market_closed_binary_accepting_true.json'),
  ]);
  const book = rowsOf([file('clob_book_response.json')]);
  const all = distinct([...markets, ...open, ...marketsOf(events)], 'conditionId');
  return {
    recorded_at,
    kalshi: noKalshi,
    polymarket: {
      ...noPolymarket,
      eventsAt: from(events),
      marketsAt: from(all),
      tagsAt: from(rowsOf(file('gamma_tags.json'))),
      bookAt: (token, now) => from(book)(now).find((row) => row.asset_id === token),
      marketsPage: (now) => from([page])(now)[0],
      marketAt: (condition, now) => {
        const known = [...singles, ...rowsOf(page, 'data')];
        return from(known)(now).find((market) => market.condition_id === condition);
      },
    },
  };
}

/** A catalog of one list of events and one of markets, nothing else recorded. */
function rowsCatalog(recorded_at: string, events: WireRow[], markets: WireRow[]): KalshiCatalog {
  const from = since(recorded_at);
  return {
    ...noKalshi,
    eventsAt: from(events),
    marketsAt: from(markets),
    candlesOf: (ticker, _period, now) => {
      return from(markets)(now).some((market) => market.ticker === ticker) ? [] : undefined;
    },
  };
}

/** Rows from the instant they were recorded on, none before it. */
function since(recorded_at: string): (rows: readonly WireRow[]) => (now: number) => WireRow[] {
  return (rows) => (now) => (now >= Date.parse(recorded_at) ? [...rows] : []);
}

/** Markets embedded in Gamma events, each with its parent in `events` as the markets list gives it. */
function marketsOf(events: readonly WireRow[]): WireRow[] {
  return events.flatMap((event) => {
    const { markets: _children, ...parent } = event;
    return rowsOf(event, 'markets').map((market) => ({ ...market, events: [parent] }));
  });
}

function distinct(rows: readonly WireRow[], field: string): WireRow[] {
  return [...new Map(rows.map((row) => [row[field], row])).values()];
}
