/** Ways to corrupt an answer that leave it valid JSON. They know the shapes of lists, not of venues. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type JsonObject = { [key: string]: Json };

const CURSORS = ['cursor', 'next_cursor'] as const;
const IDS = [
  'ticker',
  'event_ticker',
  'market_ticker',
  'id',
  'conditionId',
  'condition_id',
  'asset_id',
  'slug',
  'outcome',
  't',
  'trade_id',
];
const PRICES = new Set([
  'yes_bid_dollars',
  'yes_ask_dollars',
  'last_price_dollars',
  'yes_price_dollars',
  'close_dollars',
  'bestBid',
  'bestAsk',
  'lastTradePrice',
  'price',
  'value',
  'longPrice',
  'px',
  'c',
  'p',
]);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same list with the cursor of the previous answer, or one that leads back to itself. */
export function repeatCursor(body: Json, previous: Json | undefined): Json {
  return editHolders(body, (holder, path) => {
    const name = CURSORS.find((key) => key in holder);
    if (name === undefined) return;
    const before = holderAt(previous, path)?.[name];
    if (typeof before === 'string' && before !== '') holder[name] = before;
    if (holder.has_more !== undefined) holder.has_more = true;
  });
}

/** The rows of the previous answer with the new cursor. */
export function repeatRows(body: Json, previous: Json | undefined): Json {
  if (Array.isArray(body)) return previous ?? body;
  if (!isObject(body) || !isObject(previous)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      Array.isArray(value) ? (previous[key] ?? value) : value,
    ]),
  );
}

/** The first row with prices of 1.7, as text where they were text. */
export function spoilPrice(body: Json): Json {
  return editFirstRow(body, setPrices);
}

/** The first row without its id. */
export function dropIds(body: Json): Json {
  return editFirstRow(body, (row) => {
    for (const id of IDS) delete row[id];
  });
}

/** Empty lists of the right shape without a next page. */
export function emptyRows(body: Json): Json {
  if (Array.isArray(body)) return [];
  if (!isObject(body)) return body;
  const kept = Object.entries(body).filter(([key]) => key !== 'next_cursor');
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (Array.isArray(value)) return [key, []];
      if (key === 'cursor') return [key, ''];
      if (key === 'pagination' && isObject(value))
        return [key, { ...value, has_more: false, next_cursor: null }];
      return [key, value];
    }),
  );
}

// Cursors are at the top or in `pagination`.
function editHolders(body: Json, edit: (holder: JsonObject, path: string) => void): Json {
  if (!isObject(body)) return body;
  const copy = { ...body };
  edit(copy, '');
  const { pagination } = copy;
  if (isObject(pagination)) {
    const inner = { ...pagination };
    edit(inner, 'pagination');
    copy.pagination = inner;
  }
  return copy;
}

function holderAt(body: Json | undefined, path: string): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  const inner = path === '' ? body : body[path];
  return isObject(inner) ? inner : undefined;
}

function editFirstRow(body: Json, edit: (row: JsonObject) => void): Json {
  const copy = structuredClone(body);
  const row = firstRow(copy);
  if (row !== undefined) edit(row);
  return copy;
}

// The first object of the first list that has any; the body itself when there is no list.
function firstRow(body: Json): JsonObject | undefined {
  if (Array.isArray(body)) return body.find(isObject);
  if (!isObject(body)) return undefined;
  for (const value of Object.values(body)) {
    if (Array.isArray(value) && isObject(value[0])) return value[0];
  }
  const [inner] = Object.values(body).filter(isObject);
  return inner ?? body;
}

function setPrices(value: Json): void {
  if (Array.isArray(value)) {
    for (const item of value) setPrices(item);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (PRICES.has(key) && typeof inner === 'string') value[key] = '1.7000';
    else if (PRICES.has(key) && typeof inner === 'number') value[key] = 1.7;
    else setPrices(inner);
  }
}
