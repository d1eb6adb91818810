import { ok, type Reply } from '../../scripts/world/http/route.ts';
import type { WireRow } from './recorded.ts';
import { type Ask, get, integerParameter, listParameter, pageOf, type Route } from './route.ts';
import type { KalshiCatalog } from './scenario.ts';

/** Filter words that are asked for and the market state that each covers. */
const stateOf: Readonly<Record<string, string>> = { open: 'active', settled: 'finalized' };

/** Everything the recordings hold settled after this instant is still in the live tier. */
const cutoff = '2020-01-01T00:00:00Z';

/** Body for a path or a name Kalshi does not have. */
export const kalshiNotFound: Reply = {
  status: 404,
  body: { error: { code: 'not_found', message: 'not found' } },
};

/** What is asked of Kalshi's trade API, over recorded rows; the historical tier is empty. */
export function kalshiRoutes(catalog: KalshiCatalog): Route[] {
  return [
    get('/historical/cutoff', () => ok({ market_settled_ts: cutoff, trades_created_ts: cutoff })),
    get('/historical/markets', () => ok({ markets: [], cursor: '' })),
    get('/series', ({ now }) => ok({ series: catalog.seriesAt(now) })),
    get('/events', (ask) => events(catalog, ask)),
    get('/markets', (ask) => markets(catalog, ask)),
    get('/markets/orderbooks', (ask) => orderbooks(catalog, ask)),
    get('/markets/candlesticks', (ask) => candlesOfMany(catalog, ask)),
    get('/series/:series/markets/:ticker/candlesticks', (ask) => candlesOfOne(catalog, ask)),
  ];
}

function events(catalog: KalshiCatalog, ask: Ask): Reply {
  const { query, now } = ask;
  const state = stateOf[query.get('status') ?? ''];
  const tickers = listParameter(query, 'tickers');
  const children = Map.groupBy(catalog.marketsAt(now), (market) => market.event_ticker);
  const { rows, next } = pageOf(catalog.eventsAt(now), ask, (event) => {
    // A recorded open-event list carries no markets: its events are open by where they were found.
    const states = children.get(event.event_ticker)?.map((market) => market.status) ?? ['active'];
    return (
      (state === undefined || states.includes(state)) &&
      (tickers.length === 0 || tickers.includes(`${event.event_ticker}`))
    );
  });
  const nested = query.get('with_nested_markets') === 'true';
  const shown = rows.map((row) => ({ ...row, markets: children.get(row.event_ticker) ?? [] }));
  return ok({ events: nested ? shown : rows, milestones: [], cursor: next });
}

function markets(catalog: KalshiCatalog, ask: Ask): Reply {
  const { query, now } = ask;
  const state = stateOf[query.get('status') ?? ''];
  const tickers = listParameter(query, 'tickers');
  const { rows, next } = pageOf(
    catalog.marketsAt(now),
    ask,
    (market) =>
      (state === undefined || market.status === state) &&
      (tickers.length === 0 || tickers.includes(`${market.ticker}`)) &&
      !(query.get('mve_filter') === 'exclude' && 'mve_collection_ticker' in market) &&
      isInside(query, 'settled', market.settlement_ts) &&
      isInside(query, 'updated', market.updated_time),
  );
  return ok({ markets: rows, cursor: next });
}

/** Both bounds are exclusive, in whole seconds. */
function isInside(query: URLSearchParams, family: 'settled' | 'updated', time: unknown): boolean {
  const after = integerParameter(query, `min_${family}_ts`);
  const before = integerParameter(query, `max_${family}_ts`);
  if (after === undefined && before === undefined) return true;
  const at = Date.parse(`${time}`) / 1000;
  return at > (after ?? Number.NEGATIVE_INFINITY) && at < (before ?? Number.POSITIVE_INFINITY);
}

/** Batch of order books: the parameter is repeated, not a comma list. */
function orderbooks(catalog: KalshiCatalog, { query, now }: Ask): Reply {
  const rows = query.getAll('tickers').flatMap((ticker) => {
    const book = catalog.orderbookAt(ticker, now);
    return book === undefined ? [] : [{ ticker, ...book }];
  });
  return ok({ orderbooks: rows });
}

function candlesOfOne(catalog: KalshiCatalog, ask: Ask): Reply {
  const { ticker = '' } = ask.params;
  const candlesticks = candlesOf(catalog, ask, ticker);
  return candlesticks === undefined ? kalshiNotFound : ok({ ticker, candlesticks });
}

function candlesOfMany(catalog: KalshiCatalog, ask: Ask): Reply {
  const rows = listParameter(ask.query, 'market_tickers').flatMap((market_ticker) => {
    const candlesticks = candlesOf(catalog, ask, market_ticker);
    return candlesticks === undefined ? [] : [{ market_ticker, candlesticks }];
  });
  return ok({ markets: rows });
}

function candlesOf(catalog: KalshiCatalog, { query, now }: Ask, ticker: string): WireRow[] | undefined {
  const [start, end, period] = ['start_ts', 'end_ts', 'period_interval'].map((name) =>
    Number(query.get(name)),
  );
  return catalog
    .candlesOf(ticker, period ?? 0, now)
    ?.filter(({ end_period_ts: at }) => Number(at) >= (start ?? 0) && Number(at) <= (end ?? 0));
}
