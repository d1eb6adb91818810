import { readWire, readWireRow, recordedFiles, rowsOf, type WireRow } from '../recorded.ts';
import { type KalshiCatalog, noKalshi, noPolymarket, type Scenario } from '../scenario.ts';

const JANUARY = 'kalshi-api-2026-01';
const MAY = recordedFiles('kalshi-event-nested-2026-05', /^KX.*\.json/);
const JUNE = recordedFiles('three-venue-markets-2026-06', /^kalshi_markets/);
const OPEN_EVENTS = recordedFiles('kalshi-open-events-2025', /^events_\d{8}/);
const CLOB_PAGES = recordedFiles('polymarket-wire-2025-11', /^clob_markets_page/);
const SAMPLES = 'polymarket-samples';

/**
 * The recorded sets of catalog pages, rows as they stood on the wire. A set answers from the instant it was
 * recorded on; before it, its venue is empty. A venue a set does not cover is empty throughout.
 */
export const pageSets: Readonly<Record<string, () => Scenario>> = {
  ...(recordedFiles(JANUARY, /_response/).length > 0 && { 'kalshi-2026-01': kalshi202601 }),
  ...(MAY.length > 0 && { 'kalshi-2026-05': kalshi202605 }),
  ...(JUNE.length > 0 && { 'kalshi-2026-06': kalshi202606 }),
  ...Object.fromEntries(
    OPEN_EVENTS.map((path) => [
      `kalshi-open-${path.replace(/.*events_(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3')}`,
      () => kalshiOpenEvents(path),
    ]),
  ),
  ...(CLOB_PAGES.length > 0 && { 'polymarket-clob-2025-11': polymarketClob202511 }),
  ...(recordedFiles(SAMPLES, /json/).length > 0 && { 'polymarket-samples': polymarketSamples }),
};

/** January 2026: integer cents beside dollar strings; five-row pages that went on, and single answers. */
function kalshi202601(): Scenario {
  const recorded_at = '2026-01-12T22:08:12Z';
  const from = since(recorded_at);
  // What was not recorded answers an empty list.
  const file = (name: string): WireRow => {
    const [path] = recordedFiles(JANUARY, new RegExp(`^${name}_response\\.json`));
    return path === undefined ? {} : readWireRow(path);
  };
  const rowsIn = (wire: WireRow, key: string) => rowsOf(wire[key] ?? []);
  const single = file('market_single').market;
  const orderbook = file('orderbook');
  const candles = rowsIn(file('series_candlesticks'), 'candlesticks');
  const markets = ['markets_list', 'event_single'].flatMap((name) => rowsIn(file(name), 'markets'));
  const bookTicker = `${rowsOf([single])[0]?.ticker}`;
  const candleTicker = `${file('series_candlesticks').ticker}`;
  return {
    recorded_at,
    polymarket: noPolymarket,
    kalshi: {
      seriesAt: from(rowsIn(file('series_list'), 'series')),
      eventsAt: from(rowsIn(file('events_list'), 'events')),
      marketsAt: from(markets),
      candlesOf: (ticker, period, now) => {
        if (ticker === candleTicker && period === 1440) return from(candles)(now);
        const known = from(markets)(now).some((market) => market.ticker === ticker);
        return known ? [] : undefined;
      },
      orderbookAt: (ticker, now) => (ticker === bookTicker ? from([orderbook])(now)[0] : undefined),
    },
  };
}

/** May 2026: events with their markets, dollar strings and `_fp` sizes only. */
function kalshi202605(): Scenario {
  const nested = MAY.map(readWireRow);
  const recorded_at = '2026-05-09T00:00:00Z';
  const events = rowsOf(nested.map((each) => each.event));
  const markets = nested.flatMap((each) => rowsOf(each, 'markets'));
  return { recorded_at, polymarket: noPolymarket, kalshi: rowsCatalog(recorded_at, events, markets) };
}

/** June 2026: combination markets whose envelope was not recorded, in the list's envelope. */
function kalshi202606(): Scenario {
  const recorded_at = '2026-06-21T19:00:00Z';
  const markets = JUNE.flatMap((path) => rowsOf(readWire(path)));
  return { recorded_at, polymarket: noPolymarket, kalshi: rowsCatalog(recorded_at, [], markets) };
}

/** The whole open-event list of one day, without markets. */
function kalshiOpenEvents(path: string): Scenario {
  const list = readWireRow(path);
  const recorded_at = new Date(`${list.timestamp}Z`.replace(/(Z|\+00:00)Z$/, 'Z')).toISOString();
  return {
    recorded_at,
    polymarket: noPolymarket,
    kalshi: rowsCatalog(recorded_at, rowsOf(list, 'events'), []),
  };
}

/** November 2025: pages of a thousand markets of the CLOB as one, and Gamma events of the same day. */
function polymarketClob202511(): Scenario {
  const recorded_at = '2025-11-25T23:00:00Z';
  const from = since(recorded_at);
  const pages = CLOB_PAGES.map(readWireRow);
  const page = { ...pages[0], data: pages.flatMap((each) => rowsOf(each, 'data')) };
  const events = recordedFiles('polymarket-wire-2025-11', /^gamma_events/).flatMap((path) =>
    rowsOf(readWire(path)),
  );
  return {
    recorded_at,
    kalshi: noKalshi,
    polymarket: {
      ...noPolymarket,
      eventsAt: from(events),
      marketsAt: from(marketsOf(events)),
      marketsPage: (now) => from([page])(now)[0],
    },
  };
}

/** Gamma samples of several dates, open-market rows of June 2026, and a CLOB page of a hundred. */
function polymarketSamples(): Scenario {
  const recorded_at = '2026-06-21T19:00:00Z';
  const from = since(recorded_at);
  /** Rows of the samples of a name, each of which holds a row or a list of them. */
  const samples = (name: RegExp): WireRow[] =>
    recordedFiles(SAMPLES, name).flatMap((path) => {
      const wire = readWire(path);
      return rowsOf(Array.isArray(wire) ? wire : [wire]);
    });
  const events = samples(/^gamma_event\.json/);
  const open = recordedFiles('three-venue-markets-2026-06', /^polymarket_markets/).flatMap((path) =>
    rowsOf(readWire(path)),
  );
  const [page = {}] = samples(/^http_responses__markets\.json/);
  const books = samples(/^clob_book_response/);
  const all = distinct([...samples(/^gamma_market/), ...open, ...marketsOf(events)], 'conditionId');
  return {
    recorded_at,
    kalshi: noKalshi,
    polymarket: {
      ...noPolymarket,
      eventsAt: from(events),
      marketsAt: from(all),
      bookAt: (token, now) => from(books)(now).find((row) => row.asset_id === token),
      marketsPage: (now) => from([page])(now)[0],
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
