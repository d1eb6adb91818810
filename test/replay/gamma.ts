import { ok, type Reply } from '../../scripts/world/http/route.ts';
import type { WireRow } from './recorded.ts';
import { type Ask, get, pageOf, type Route } from './route.ts';
import type { PolymarketCatalog } from './scenario.ts';

/** Body for a path Gamma does not have. */
export const gammaUnknownPath: Reply = {
  status: 404,
  body: { type: 'not found error', error: 'not found' },
};

/** What is asked of Polymarket's Gamma API, over recorded rows: its keyset listings. */
export function gammaRoutes(catalog: PolymarketCatalog): Route[] {
  return [
    get('/events/keyset', (ask) => keyset(ask, 'events', catalog.eventsAt(ask.now))),
    get('/markets/keyset', (ask) => keyset(ask, 'markets', catalog.marketsAt(ask.now))),
  ];
}

function keyset(ask: Ask, name: 'events' | 'markets', listed: WireRow[]): Reply {
  const closed = ask.query.get('closed') === 'true';
  const conditions = ask.query.getAll('condition_ids');
  const { rows, next } = pageOf(
    listed,
    ask,
    (row) =>
      (row.closed === true) === closed &&
      row.archived !== true &&
      (conditions.length === 0 || conditions.includes(`${row.conditionId}`)),
    'after_cursor',
  );
  return ok({ [name]: rows, ...(next === '' ? {} : { next_cursor: next }) });
}
