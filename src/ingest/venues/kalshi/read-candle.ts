import { type Observation, usableQuote, usableTrade } from '../../../model/observation.ts';
import { numberOf, shown } from '../../wire-scalars.ts';
import { priceOf } from './prices.ts';

/** A candle as it was read, or the field that is wrong and why. */
export type CandleRead = { row: Observation } | { field: string; reason: string };

/**
 * How a generation of candles names the same prices: `live` in dollars under names with a unit, integer cents
 * beside them until March 2026; `historical` in dollars under names without one.
 */
export type CandleNames = 'live' | 'historical';

class WrongField extends Error {
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
    this.reason = reason;
  }
}

/**
 * Reads one candle by hand: candles are most of what a venue answers, and a schema for each takes longer than
 * all the rest of reading them.
 */
export function readCandle(value: unknown, names: CandleNames): CandleRead {
  try {
    return { row: observationOf(recordOf(value, '') ?? {}, names) };
  } catch (thrown) {
    if (!(thrown instanceof WrongField)) throw thrown;
    return { field: thrown.field, reason: thrown.reason };
  }
}

type WireRecord = Readonly<Record<string, unknown>>;

// Bid and ask are those at the end; what traded before stands for `last` when nothing traded in it.
function observationOf(candle: WireRecord, names: CandleNames): Observation {
  const observed_at = secondsOf(candle.end_period_ts);
  const bids = recordOf(candle.yes_bid, 'yes_bid');
  const asks = recordOf(candle.yes_ask, 'yes_ask');
  const price = recordOf(candle.price, 'price');
  if (!bids && !asks && !price) throw new WrongField('', 'a candle must have a bid, an ask or a price');
  const row: Observation = { observed_at };
  const bid = usableQuote(priceAt(bids, 'yes_bid', 'close', names));
  if (bid !== undefined) row.bid = bid;
  const ask = usableQuote(priceAt(asks, 'yes_ask', 'close', names));
  if (ask !== undefined) row.ask = ask;
  const close = usableTrade(priceAt(price, 'price', 'close', names));
  const last = close ?? usableTrade(priceAt(price, 'price', 'previous', names));
  if (last !== undefined) row.last = last;
  if (close !== undefined)
    for (const column of ['open', 'high', 'low'] as const) {
      const found = usableTrade(priceAt(price, 'price', column, names));
      if (found !== undefined) row[column] = found;
    }
  const volume = numberAt(candle, '', 'volume_fp', MOST) ?? numberAt(candle, '', 'volume', MOST);
  if (volume !== undefined) row.volume = volume;
  const held = numberAt(candle, '', 'open_interest_fp', MOST) ?? numberAt(candle, '', 'open_interest', MOST);
  if (held !== undefined) row.open_interest = held;
  return row;
}

function recordOf(value: unknown, field: string): WireRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as WireRecord;
  throw new WrongField(field, `${field || 'row'} must be a record, got ${shown(value)}`);
}

const DOLLARS = {
  open: 'open_dollars',
  high: 'high_dollars',
  low: 'low_dollars',
  close: 'close_dollars',
  previous: 'previous_dollars',
} as const;

function priceAt(
  prices: WireRecord | undefined,
  group: string,
  name: keyof typeof DOLLARS,
  names: CandleNames,
): number | undefined {
  if (!prices) return undefined;
  if (names === 'historical') return numberAt(prices, group, name, 1);
  const dollars = numberAt(prices, group, DOLLARS[name], 1);
  return dollars ?? priceOf(undefined, numberAt(prices, group, name, 100));
}

const MOST = 1e15;

function numberAt(record: WireRecord, group: string, name: string, most: number): number | undefined {
  const value = record[name];
  if (value === undefined || value === null || value === '') return undefined;
  const found = numberOf(value, most);
  if (found !== undefined) return found;
  const field = group === '' ? name : `${group}.${name}`;
  const allowed = most === MOST ? '0 or more' : `0 to ${most}`;
  throw new WrongField(field, `${field} must be ${allowed}, got ${shown(value)}`);
}

// From about 5138 on it is no longer seconds.
function secondsOf(value: unknown): number {
  const found = numberOf(value, 1e11 - 1);
  if (found !== undefined && found > 0 && Number.isInteger(found)) return found * 1000;
  const reason = `end_period_ts must be whole seconds since 1970, got ${shown(value)}`;
  throw new WrongField('end_period_ts', reason);
}
