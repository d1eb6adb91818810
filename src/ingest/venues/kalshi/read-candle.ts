import { type Observation, usableQuote, usableTrade } from '../../../model/observation.ts';
import type { Instant } from '../../../model/units.ts';
import { shown } from '../../wire/shown.ts';
import { instantOfSeconds, MOST_AMOUNT, numberOf } from '../../wire/wire-numbers.ts';
import { priceOf } from './prices.ts';

/** A field of a candle is wrong; the message says why. */
export class WrongField extends Error {
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

type WireRecord = Readonly<Record<string, unknown>>;

/**
 * Parses one candle by hand: candles are most of what the venue answers, and parsing each by a schema takes longer than
 * everything else. Bid and ask are those at the end. An empty side is given as a price of 0 or 1; if a side is missing,
 * the format has changed. If nothing traded in the candle, `last` is the previous trade.
 *
 * @throws WrongField
 */
export function readCandle(value: unknown): Observation {
  const candle = recordOf(value, '') ?? {};
  const row: Observation = { observed_at: endOf(candle.end_period_ts) };
  const bid = usableQuote(closeOf(sideOf(candle.yes_bid, 'yes_bid'), 'yes_bid'));
  if (bid !== undefined) row.bid = bid;
  const ask = usableQuote(closeOf(sideOf(candle.yes_ask, 'yes_ask'), 'yes_ask'));
  if (ask !== undefined) row.ask = ask;
  const traded = recordOf(candle.price, 'price');
  if (traded) addTrades(row, traded);
  const volume = count(candle.volume_fp, 'volume_fp') ?? count(candle.volume, 'volume');
  if (volume !== undefined) row.volume = volume;
  const held =
    count(candle.open_interest_fp, 'open_interest_fp') ?? count(candle.open_interest, 'open_interest');
  if (held !== undefined) row.open_interest = held;
  return row;
}

function addTrades(row: Observation, traded: WireRecord): void {
  const close = usableTrade(closeOf(traded, 'price'));
  const last = close ?? usableTrade(priceIn(traded.previous_dollars, traded.previous, 'price', 'previous'));
  if (last !== undefined) row.last = last;
  if (close === undefined) return;
  const open = usableTrade(priceIn(traded.open_dollars, traded.open, 'price', 'open'));
  if (open !== undefined) row.open = open;
  const high = usableTrade(priceIn(traded.high_dollars, traded.high, 'price', 'high'));
  if (high !== undefined) row.high = high;
  const low = usableTrade(priceIn(traded.low_dollars, traded.low, 'price', 'low'));
  if (low !== undefined) row.low = low;
}

/** A side of the book. Its close, at the end of the hour, may be null: an empty side in the historical tier. */
function sideOf(value: unknown, field: string): WireRecord {
  const side = recordOf(value, field);
  if (side === undefined) throw new WrongField(field, `a candle must have a ${field}`);
  if (side.close_dollars === undefined && side.close === undefined)
    throw new WrongField(`${field}.close`, `${field} must have a close`);
  return side;
}

function recordOf(value: unknown, field: string): WireRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as WireRecord;
  throw new WrongField(field, `${field || 'row'} must be a record, got ${shown(value)}`);
}

// Property names are written out: access by a variable name takes twice the time of everything else.
function closeOf(prices: WireRecord, group: string): number | undefined {
  return priceIn(prices.close_dollars, prices.close, group, 'close');
}

/**
 * A price by its two names. One without a unit is in dollars as a text, as the historical tier writes it, or in cents as
 * a number, which stood beside the dollars of the live tier until March 2026.
 */
function priceIn(dollars: unknown, plain: unknown, group: string, name: string): number | undefined {
  const price = numberIn(dollars, group, name, 1, '_dollars');
  if (price !== undefined || plain === undefined) return price;
  if (typeof plain === 'string') return numberIn(plain, group, name, 1);
  return priceOf(undefined, numberIn(plain, group, name, 100));
}

function count(value: unknown, name: string): number | undefined {
  return numberIn(value, '', name, MOST_AMOUNT);
}

function numberIn(value: unknown, group: string, name: string, most: number, unit = ''): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const found = numberOf(value, most);
  if (found !== undefined) return found;
  const field = `${group === '' ? '' : `${group}.`}${name}${unit}`;
  const allowed = most === MOST_AMOUNT ? '0 or more' : `0 to ${most}`;
  throw new WrongField(field, `${field} must be ${allowed}, got ${shown(value)}`);
}

function endOf(value: unknown): Instant {
  const found = instantOfSeconds(value);
  if (found !== undefined) return found;
  const reason = `end_period_ts must be whole seconds since 1970, got ${shown(value)}`;
  throw new WrongField('end_period_ts', reason);
}
