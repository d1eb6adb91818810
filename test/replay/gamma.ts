import type { WireRow } from './recorded.ts';
import { type Answer, type Ask, integerParameter, ok, pageOf, type Route } from './route.ts';

/** Gamma rows as of a clock in UTC milliseconds, in the venue's order. */
export interface GammaCatalog {
  eventsAt(now: number): WireRow[];
  marketsAt(now: number): WireRow[];
  tagsAt(now: number): WireRow[];
}

/** Body for a path Gamma does not have. */
export const gammaUnknownPath: Answer = {
  status: 404,
  body: { type: 'not found error', error: 'not found' },
};

/** Polymarket's Gamma API over recorded rows: keyset listings, single reads, tags. */
export function gammaRoutes(catalog: GammaCatalog): Route[] {
  return [
    get(/^\/events\/keyset$/, (ask) => keyset(ask, 'events', catalog.eventsAt(ask.now), 500)),
    get(/^\/markets\/keyset$/, (ask) => keyset(ask, 'markets', catalog.marketsAt(ask.now), 100)),
    get(/^\/events\/slug\/([^/]+)$/, (ask, slug) => single(catalog.eventsAt(ask.now), 'slug', slug)),
    get(/^\/markets\/slug\/([^/]+)$/, (ask, slug) => single(catalog.marketsAt(ask.now), 'slug', slug)),
    get(/^\/events\/([^/]+)$/, (ask, id) => singleById(catalog.eventsAt(ask.now), id)),
    get(/^\/markets\/([^/]+)$/, (ask, id) => singleById(catalog.marketsAt(ask.now), id)),
    get(/^\/tags$/, (ask) => tags(ask, catalog.tagsAt(ask.now))),
  ];
}

function get(path: RegExp, answer: Route['answer']): Route {
  return { method: 'GET', path, answer };
}

/** Filters whose key differs from the row's field; each takes flat repeated keys. */
const filters: readonly [parameter: string, values: (row: WireRow) => unknown[]][] = [
  ['id', (row) => [row.id]],
  ['ids', (row) => [row.id]],
  ['slug', (row) => [row.slug]],
  ['condition_ids', (row) => [row.conditionId]],
  ['question_ids', (row) => [row.questionID]],
  ['clob_token_ids', (row) => tokensOf(row)],
  ['tag_id', (row) => tagsOf(row, 'id')],
  ['tag_slug', (row) => tagsOf(row, 'slug')],
];

function keyset(ask: Ask, name: 'events' | 'markets', rows: readonly WireRow[], largest: number): Answer {
  if (ask.query.has('offset')) return invalid('offset is not supported, use after_cursor');
  const limit = integerParameter(ask.query, 'limit') ?? 20;
  if (limit < 1) return invalid('limit is invalid');
  const closed = ask.query.get('closed') === 'true';
  const wanted = filters.map(([parameter, values]) => ({ given: ask.query.getAll(parameter), values }));
  if (wanted.some(({ given }) => given.length > 100)) return invalid('at most 100 ids');
  const matching = rows.filter(
    (row) =>
      (row.closed === true) === closed &&
      row.archived !== true &&
      wanted.every(
        ({ given, values }) => given.length === 0 || values(row).some((v) => given.includes(`${v}`)),
      ),
  );
  const page = pageOf(matching, Math.min(limit, largest), ask.query.get('after_cursor'));
  if (page === undefined) return invalid('after_cursor is invalid');
  return ok({ [name]: page.rows, ...(page.next === '' ? {} : { next_cursor: page.next }) });
}

function tags(ask: Ask, rows: readonly WireRow[]): Answer {
  const offset = integerParameter(ask.query, 'offset') ?? 0;
  return ok(rows.slice(offset, offset + (integerParameter(ask.query, 'limit') ?? 100)));
}

function singleById(rows: readonly WireRow[], id = ''): Answer {
  return /^\d+$/.test(id) ? single(rows, 'id', id) : invalid('id is invalid');
}

function single(rows: readonly WireRow[], field: 'id' | 'slug', value = ''): Answer {
  const row = rows.find((one) => `${one[field]}` === value);
  return row === undefined ? gammaUnknownPath : ok(row);
}

function invalid(error: string): Answer {
  return { status: 422, body: { type: 'validation error', error } };
}

/** Token ids of a market row, sent as a string holding a JSON array or as a real array. */
function tokensOf(row: WireRow): unknown[] {
  const tokens = row.clobTokenIds;
  const list: unknown = typeof tokens === 'string' && tokens !== '' ? JSON.parse(tokens) : tokens;
  return Array.isArray(list) ? list : [];
}

function tagsOf(row: WireRow, field: 'id' | 'slug'): unknown[] {
  const list = row.tags;
  return Array.isArray(list) ? list.map((tag: WireRow) => tag[field]) : [];
}
