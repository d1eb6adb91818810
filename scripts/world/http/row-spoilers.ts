import type { Json } from './spoilers.ts';

/** Ways to change every row of an answer while each single row stays plausible. */

type Change = (key: string, value: Json) => [key: string, value: Json];

const QUOTES = new Set(['yes_bid_dollars', 'yes_ask_dollars', 'bestBid', 'bestAsk']);
const SIZES = new Set(['yes_bid_size_fp', 'yes_ask_size_fp']);
const VOLUMES = new Set(['volume_fp', 'open_interest_fp', 'volume', 'volumeNum']);
const LASTS = new Set(['last_price_dollars', 'lastTradePrice']);
const TITLES = new Set(['title', 'question']);
const INSTANTS = new Set(['end_period_ts', 'timestamp', 't', 'T']);
const CLOSES = new Set(['close_dollars', 'price', 'p', 'c']);
const DAY_SECONDS = 86_400;

/** All prices and counts at zero, as after a venue renamed their fields. */
export function zeroPrices(body: Json): Json {
  return changeFields(body, (key, value) =>
    QUOTES.has(key) || SIZES.has(key) || VOLUMES.has(key) || LASTS.has(key)
      ? [key, typeof value === 'number' ? 0 : '0.0000']
      : [key, value],
  );
}

/** Candles without bid, ask and trade. */
export function emptyCandles(body: Json): Json {
  return changeFields(body, (key, value) => {
    if (key === 'yes_bid') return [key, { close_dollars: '0.0000' }];
    if (key === 'yes_ask') return [key, { close_dollars: '1.0000' }];
    return [key, key === 'price' ? {} : value];
  });
}

/** The price fields renamed. */
export function renamePrices(body: Json): Json {
  return changeFields(body, (key, value) => [QUOTES.has(key) || LASTS.has(key) ? `${key}_v2` : key, value]);
}

/** Invalid prices, in turn: not a number, infinite, negative, in cents, of another type. */
export function oddPrices(body: Json): Json {
  const odd: Json[] = ['NaN', '1e999', -0.4, 62, true, { value: 0.4 }];
  let i = 0;
  return changeFields(body, (key, value) => [key, QUOTES.has(key) ? (odd[i++ % odd.length] ?? null) : value]);
}

/** The ask side empty: at a dollar, without size. */
export function emptyAsks(body: Json): Json {
  return changeFields(body, (key, value) => {
    if (key === 'yes_ask_dollars') return [key, '1.0000'];
    if (key === 'yes_ask_size_fp') return [key, '0.00'];
    return [key, key === 'bestAsk' ? 1 : value];
  });
}

/** Other texts for the same markets. */
export function renameTitles(body: Json): Json {
  return changeFields(body, (key, value) => [key, TITLES.has(key) ? `Renamed: ${String(value)}` : value]);
}

/** Outcomes overturned. */
export function reverseOutcomes(body: Json): Json {
  const other: Record<string, string> = { yes: 'no', no: 'yes' };
  return changeFields(body, (key, value) => {
    if (key === 'result') return [key, other[String(value)] ?? value];
    return key === 'settlement_value_dollars' ? [key, (1 - Number(value)).toFixed(4)] : [key, value];
  });
}

/** Closing prices changed by a hundredth of a dollar. */
export function revisePrices(body: Json): Json {
  return changeFields(body, (key, value) => {
    const price = Number(value);
    if (!CLOSES.has(key) || !(price > 0.01 && price < 1)) return [key, value];
    const revised = Math.round((price - 0.01) * 1e4) / 1e4;
    return [key, typeof value === 'number' ? revised : revised.toFixed(4)];
  });
}

/** Instants of rows moved a day ahead. */
export function postdate(body: Json): Json {
  return changeFields(body, (key, value) => [
    key,
    INSTANTS.has(key) && typeof value === 'number' ? value + DAY_SECONDS : value,
  ]);
}

/** Every list of rows reordered. */
export function shuffleRows(body: Json): Json {
  return changeLists(body, (rows) => rows.toReversed());
}

/** Every row twice, the second time in reverse order. */
export function repeatEachRow(body: Json): Json {
  return changeLists(body, (rows) => [...rows, ...rows.toReversed()]);
}

/** Every list without its first row, as when a row slips between two pages. */
export function dropFirstRow(body: Json): Json {
  return changeLists(body, (rows) => rows.slice(1));
}

function changeFields(value: Json, change: Change): Json {
  if (Array.isArray(value)) return value.map((each) => changeFields(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => change(key, changeFields(inner, change))),
  );
}

function changeLists(value: Json, change: (rows: Json[]) => Json[]): Json {
  if (Array.isArray(value)) {
    const rows = value.map((each) => changeLists(each, change));
    return rows.length > 0 && rows.every((each) => typeof each === 'object') ? change(rows) : rows;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changeLists(inner, change)]));
}
