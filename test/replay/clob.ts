import { isRow, type WireRow } from './recorded.ts';
import { type Answer, type Ask, integerParameter, ok, type Route } from './route.ts';
import { epochSeconds, finestGrain, historyOf, type Point } from './series.ts';

/** What the CLOB answers from: books and price points by token, and its recorded market pages. */
export interface ClobCatalog {
  bookAt(token: string, now: number): WireRow | undefined;
  pointsOf(token: string): readonly Point[];
  /** The recorded first page of `/markets`, with the cursor it ended on. */
  marketsPage(now: number): WireRow | undefined;
  marketAt(condition: string, now: number): WireRow | undefined;
}

/** Seconds of the windows the history routes know by name; `max` and `all` are everything. */
export const intervalSeconds: Readonly<Record<string, number>> = {
  max: Number.POSITIVE_INFINITY,
  all: Number.POSITIVE_INFINITY,
  '1m': 30 * 86_400,
  '1w': 7 * 86_400,
  '1d': 86_400,
  '6h': 6 * 3_600,
  '1h': 3_600,
};

/** Longest explicit history window, in seconds. */
export const longestWindowSeconds = 15 * 86_400;

const endCursor = 'LTE=';

/** Body for a path the CLOB does not have. */
export const clobUnknownPath: Answer = { status: 404, body: { error: 'not found' } };

/** Polymarket's CLOB over recorded books and prices: books, midpoint, price history, market pages. */
export function clobRoutes(catalog: ClobCatalog): Route[] {
  const book = (ask: Ask): WireRow | undefined => catalog.bookAt(ask.query.get('token_id') ?? '', ask.now);
  return [
    { method: 'GET', path: /^\/book$/, answer: (ask) => found(book(ask)) },
    { method: 'POST', path: /^\/books$/, answer: (ask) => ok(booksOf(catalog, ask)) },
    { method: 'GET', path: /^\/midpoint$/, answer: (ask) => midpoint(book(ask)) },
    { method: 'GET', path: /^\/prices-history$/, answer: (ask) => pricesHistory(catalog, ask) },
    { method: 'GET', path: /^\/markets$/, answer: (ask) => markets(catalog, ask) },
    {
      method: 'GET',
      path: /^\/markets\/([^/]+)$/,
      answer: (ask, condition = '') => {
        const row = catalog.marketAt(condition, ask.now);
        return row === undefined ? { status: 404, body: { error: 'market not found' } } : ok(row);
      },
    },
  ];
}

function found(book: WireRow | undefined): Answer {
  if (book !== undefined) return ok(book);
  return { status: 404, body: { error: 'No orderbook exists for the requested token id' } };
}

/** Only a flat array is understood; the older wrapper object answers an empty list, as the venue does. */
function booksOf(catalog: ClobCatalog, ask: Ask): WireRow[] {
  if (!Array.isArray(ask.body)) return [];
  return ask.body
    .filter(isRow)
    .slice(0, 500)
    .map(({ token_id }) => (typeof token_id === 'string' ? catalog.bookAt(token_id, ask.now) : undefined))
    .filter((book) => book !== undefined);
}

function midpoint(book: WireRow | undefined): Answer {
  const best = (side: 'bids' | 'asks', pick: (...prices: number[]) => number): number | undefined => {
    const levels = book?.[side];
    const prices = Array.isArray(levels) ? levels.filter(isRow).map((level) => Number(level.price)) : [];
    return prices.length === 0 ? undefined : pick(...prices);
  };
  const bid = best('bids', Math.max);
  const ask = best('asks', Math.min);
  return bid === undefined || ask === undefined
    ? found(undefined)
    : ok({ mid: `${Number(((bid + ask) / 2).toFixed(6))}` });
}

/** The parameter is called `market` and wants a token id; `fidelity` is in minutes. */
function pricesHistory(catalog: ClobCatalog, ask: Ask): Answer {
  const { query, now } = ask;
  const points = catalog.pointsOf(query.get('market') ?? '');
  const startTs = integerParameter(query, 'startTs');
  const named = query.get('interval');
  const span = named === null ? undefined : intervalSeconds[named];
  if ((startTs === undefined) === (span === undefined)) {
    return { status: 400, body: { error: 'invalid filters: provide startTs and endTs, or interval' } };
  }
  const end = startTs === undefined ? now / 1000 + 1 : (integerParameter(query, 'endTs') ?? now / 1000) + 1;
  const start = startTs ?? now / 1000 - (span ?? 0);
  if (startTs !== undefined && end - 1 - start > longestWindowSeconds) {
    return { status: 400, body: { error: "invalid filters: 'startTs' and 'endTs' interval is too long" } };
  }
  const bucket_seconds = Math.max((integerParameter(query, 'fidelity') ?? 1) * 60, finestGrain(points) ?? 60);
  const history = historyOf(points, { start, end, bucket_seconds, now });
  return ok({ history: history.map((point) => ({ t: epochSeconds(point), p: point.price })) });
}

function markets(catalog: ClobCatalog, ask: Ask): Answer {
  const page = catalog.marketsPage(ask.now);
  const cursor = ask.query.get('next_cursor') ?? '';
  if (page !== undefined && cursor === '') return ok(page);
  if (cursor === '' || cursor === page?.next_cursor || cursor === endCursor) {
    return ok({ data: [], next_cursor: endCursor, limit: page?.limit ?? 1000, count: 0 });
  }
  return { status: 400, body: { error: 'invalid next_cursor' } };
}
