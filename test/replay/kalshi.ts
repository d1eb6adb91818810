import { kalshiCandleRoutes } from './kalshi-candles.ts';
import { badRequest, type KalshiCatalog, kalshiNotFound } from './kalshi-catalog.ts';
import type { WireRow } from './recorded.ts';
import { type Answer, type Ask, integerParameter, listParameter, ok, pageOf, type Route } from './route.ts';

/** Filter words of the venue and the market states they cover. */
const statesOf: Readonly<Record<string, readonly string[]>> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
};

/** Everything the recordings hold settled after this instant is still in the live tier. */
const cutoff = '2020-01-01T00:00:00Z';

/** Kalshi's trade API over recorded rows; the historical tier is empty. */
export function kalshiRoutes(catalog: KalshiCatalog): Route[] {
  return [
    get(/^\/exchange\/status$/, () => ok({ exchange_active: true, trading_active: true })),
    get(/^\/historical\/cutoff$/, () =>
      ok({ market_settled_ts: cutoff, trades_created_ts: cutoff, orders_updated_ts: cutoff }),
    ),
    get(/^\/historical\/markets$/, () => ok({ markets: [], cursor: '' })),
    get(/^\/historical\/trades$/, () => ok({ trades: [], cursor: '' })),
    get(/^\/series$/, (ask) => ok({ series: catalog.seriesAt(ask.now, ask.query.get('category')) })),
    get(/^\/series\/([^/]+)$/, (ask, ticker) => singleSeries(catalog, ask, ticker)),
    get(/^\/events$/, (ask) => events(catalog, ask)),
    get(/^\/events\/([^/]+)$/, (ask, ticker) => singleEvent(catalog, ask, ticker)),
    get(/^\/markets$/, (ask) => markets(catalog, ask)),
    get(/^\/markets\/trades$/, (ask) => trades(catalog, ask)),
    get(/^\/markets\/orderbooks$/, (ask) => orderbooks(catalog, ask)),
    ...kalshiCandleRoutes(catalog),
    get(/^\/markets\/([^/]+)\/orderbook$/, (ask, ticker) =>
      rowOrNotFound(catalog.orderbookAt(ticker ?? '', ask.now)),
    ),
    get(/^\/markets\/([^/]+)$/, (ask, ticker) => singleMarket(catalog, ask, ticker)),
  ];
}

function get(path: RegExp, answer: Route['answer']): Route {
  return { method: 'GET', path, answer };
}

function rowOrNotFound(row: WireRow | undefined): Answer {
  return row === undefined ? kalshiNotFound : ok(row);
}

function knownMarkets(catalog: KalshiCatalog, now: number): WireRow[] {
  return [...catalog.unlistedMarketsAt(now), ...catalog.marketsAt(now)];
}

function singleSeries(catalog: KalshiCatalog, { now }: Ask, ticker?: string): Answer {
  const series = catalog.seriesAt(now, null).find((row) => row.ticker === ticker);
  return rowOrNotFound(series && { series });
}

function events(catalog: KalshiCatalog, { query, now }: Ask): Answer {
  const status = query.get('status');
  const states = status === null ? undefined : statesOf[status];
  if (status !== null && states === undefined) return badRequest(`invalid status ${status}`);
  const known = knownMarkets(catalog, now);
  const tickers = listParameter(query, 'tickers');
  const series = query.get('series_ticker');
  const rows = catalog.eventsAt(now).filter((event) => {
    // A recorded open-event list carries no markets: its events are open by where they were found.
    const children = childrenOf(known, event).map((market) => `${market.status}`);
    const found = children.length === 0 ? ['active'] : children;
    return (
      (states === undefined || found.some((state) => states.includes(state))) &&
      (series === null || event.series_ticker === series) &&
      (tickers.length === 0 || tickers.includes(`${event.event_ticker}`))
    );
  });
  const limit = integerParameter(query, 'limit') ?? 200;
  if (limit < 1 || limit > 200) return badRequest('limit must be 1 to 200');
  const page = pageOf(rows, limit, query.get('cursor'), catalog.cursors.events);
  if (page === undefined) return badRequest('invalid cursor');
  const nested = query.get('with_nested_markets') === 'true';
  const shown = nested ? page.rows.map((row) => ({ ...row, markets: childrenOf(known, row) })) : page.rows;
  return ok({ events: shown, milestones: [], cursor: page.next });
}

function singleEvent(catalog: KalshiCatalog, { query, now }: Ask, ticker?: string): Answer {
  const event = catalog.eventsAt(now).find((row) => row.event_ticker === ticker);
  if (event === undefined) return kalshiNotFound;
  const children = childrenOf(knownMarkets(catalog, now), event);
  if (query.get('with_nested_markets') === 'true') return ok({ event: { ...event, markets: children } });
  return ok({ event, markets: children });
}

function childrenOf(markets: readonly WireRow[], event: WireRow): WireRow[] {
  return markets.filter((market) => market.event_ticker === event.event_ticker);
}

function markets(catalog: KalshiCatalog, { query, now }: Ask): Answer {
  const limit = integerParameter(query, 'limit') ?? 100;
  if (limit < 1 || limit > 1000) return badRequest('limit must be 1 to 1000');
  const status = query.get('status');
  const states = status === null ? undefined : statesOf[status];
  if (status !== null && states === undefined) return badRequest(`invalid status ${status}`);
  const tickers = listParameter(query, 'tickers');
  const event = query.get('event_ticker');
  const combos = query.get('mve_filter');
  const named = tickers.length > 0 || event !== null;
  const series = query.get('series_ticker');
  const seriesByEvent = new Map(catalog.eventsAt(now).map((row) => [row.event_ticker, row.series_ticker]));
  const rows = (named ? knownMarkets(catalog, now) : catalog.marketsAt(now)).filter(
    (market) =>
      (states === undefined || states.includes(`${market.status}`)) &&
      (tickers.length === 0 || tickers.includes(`${market.ticker}`)) &&
      (event === null || market.event_ticker === event) &&
      (series === null || seriesByEvent.get(market.event_ticker) === series) &&
      (combos === null || 'mve_collection_ticker' in market === (combos === 'only')) &&
      insideTimes(market, query),
  );
  const page = pageOf(rows, limit, query.get('cursor'), named ? '' : catalog.cursors.markets);
  return page === undefined ? badRequest('invalid cursor') : ok({ markets: page.rows, cursor: page.next });
}

/** Time filters and the field each bounds; both bounds are exclusive, in whole seconds. */
const timeFields: readonly [family: string, field: string][] = [
  ['created', 'created_time'],
  ['close', 'close_time'],
  ['settled', 'settlement_ts'],
  ['updated', 'updated_time'],
];

function insideTimes(market: WireRow, query: URLSearchParams): boolean {
  return timeFields.every(([family, field]) => {
    const after = integerParameter(query, `min_${family}_ts`);
    const before = integerParameter(query, `max_${family}_ts`);
    if (after === undefined && before === undefined) return true;
    const at = Date.parse(`${market[field]}`) / 1000;
    return at > (after ?? Number.NEGATIVE_INFINITY) && at < (before ?? Number.POSITIVE_INFINITY);
  });
}

function singleMarket(catalog: KalshiCatalog, { now }: Ask, ticker?: string): Answer {
  const market = knownMarkets(catalog, now).find((row) => row.ticker === ticker);
  return rowOrNotFound(market && { market });
}

function trades(catalog: KalshiCatalog, { query, now }: Ask): Answer {
  const ticker = query.get('ticker');
  const after = integerParameter(query, 'min_ts') ?? Number.NEGATIVE_INFINITY;
  const before = integerParameter(query, 'max_ts') ?? Number.POSITIVE_INFINITY;
  const rows = catalog.tradesAt(now).filter((trade) => {
    const at = Date.parse(`${trade.created_time}`) / 1000;
    return (ticker === null || trade.ticker === ticker) && at >= after && at <= before;
  });
  const limit = Math.min(integerParameter(query, 'limit') ?? 100, 1000);
  const page = pageOf(rows, limit, query.get('cursor'), catalog.cursors.trades);
  return page === undefined ? badRequest('invalid cursor') : ok({ trades: page.rows, cursor: page.next });
}

/** Batch of order books: the parameter is repeated, not a comma list. */
function orderbooks(catalog: KalshiCatalog, { query, now }: Ask): Answer {
  const tickers = query.getAll('tickers');
  if (tickers.length === 0 || tickers.length > 100) return badRequest('tickers must be 1 to 100');
  const rows = tickers.map((ticker) => ({ ticker, book: catalog.orderbookAt(ticker, now) }));
  return ok({
    orderbooks: rows
      .filter(({ book }) => book !== undefined)
      .map(({ ticker, book }) => ({ ticker, ...book })),
  });
}
