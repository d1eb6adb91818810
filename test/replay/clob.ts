import { ok, type Reply } from '../../scripts/world/http/route.ts';
import { isRow } from './recorded.ts';
import { type Ask, get, integerParameter, type Route } from './route.ts';
import type { PolymarketCatalog } from './scenario.ts';
import { epochSeconds, finestGrain, historyOf } from './series.ts';

const endCursor = 'LTE=';

/** Body for a path the CLOB does not have. */
export const clobUnknownPath: Reply = { status: 404, body: { error: 'not found' } };

/** What is asked of Polymarket's CLOB, over recorded books and prices: books, price history, market pages. */
export function clobRoutes(catalog: PolymarketCatalog): Route[] {
  return [
    get('/book', ({ query, now }) => {
      const book = catalog.bookAt(query.get('token_id') ?? '', now);
      if (book !== undefined) return ok(book);
      return { status: 404, body: { error: 'No orderbook exists for the requested token id' } };
    }),
    { method: 'POST', path: '/books', answer: (ask) => books(catalog, ask) },
    get('/prices-history', (ask) => pricesHistory(catalog, ask)),
    get('/markets', (ask) => markets(catalog, ask)),
  ];
}

function books(catalog: PolymarketCatalog, { body, now }: Ask): Reply {
  const wanted: unknown = JSON.parse(body);
  if (!Array.isArray(wanted)) return ok([]);
  const found = wanted.filter(isRow).map(({ token_id }) => catalog.bookAt(`${token_id}`, now));
  return ok(found.filter((book) => book !== undefined));
}

/** The parameter is called `market` and wants a token id; `fidelity` is in minutes. */
function pricesHistory(catalog: PolymarketCatalog, { query, now }: Ask): Reply {
  const points = catalog.pointsOf(query.get('market') ?? '');
  const start = integerParameter(query, 'startTs') ?? 0;
  const end = (integerParameter(query, 'endTs') ?? now / 1000) + 1;
  const bucket_seconds = Math.max((integerParameter(query, 'fidelity') ?? 1) * 60, finestGrain(points) ?? 60);
  const history = historyOf(points, { start, end, bucket_seconds, now });
  return ok({ history: history.map((point) => ({ t: epochSeconds(point), p: point.price })) });
}

function markets(catalog: PolymarketCatalog, { query, now }: Ask): Reply {
  const page = catalog.marketsPage(now);
  if (page !== undefined && !query.has('next_cursor')) return ok(page);
  return ok({ data: [], next_cursor: endCursor, limit: 1000, count: 0 });
}
