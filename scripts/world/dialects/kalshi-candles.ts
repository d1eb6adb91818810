import { MINUTE, nextEasternMidnight } from '../calendar.ts';
import {
  type Desk,
  DOLLAR,
  packedAsk,
  packedBid,
  packedQuote,
  quotedSlot,
  slotAt,
  slotStart,
  standingSlot,
} from '../truth/quotes.ts';
import { countTrades, findLastTrade, openInterestOf, tradePrice, volumeOf } from '../truth/trades.ts';
import { contracts, dollars } from './kalshi-rows.ts';

const DAILY = 1440;

/**
 * Candles of a market whose periods end in [from, to] (milliseconds), as JSON texts. Sparse: a period in which
 * neither book nor trades changed has no row. A candle's close is the quote at its end, and the last candle
 * ends in the period of the close.
 *
 * @param minutes 1, 60 or 1440; daily periods end at midnight US Eastern
 */
export function* writeCandles(
  desk: Desk,
  from: number,
  to: number,
  minutes: number,
  now: number,
): Generator<string> {
  const { habits, life } = desk;
  let end = firstEnd(Math.max(from, life.open_at + 1), minutes);
  const last = Math.min(to, now, periodEnd(life.close_at, minutes));
  if (end > last) return;
  let slot = slotAt(habits, periodStart(end, minutes));
  let quoted = quotedSlot(habits, standingSlot(desk, slotStart(habits, slot)));
  let standing = packedQuote(desk, quoted);
  let trades = countTrades(desk, slot);
  let previous = findLastTrade(desk, periodStart(end, minutes))?.price ?? 0;
  while (end <= last) {
    const bid = startRange(packedBid(standing));
    const ask = startRange(packedAsk(standing));
    let price = startRange(0);
    const volumeBefore = volumeOf(desk, trades);
    const tradesBefore = trades;
    let changed = false;
    let paid = 0;
    const requote = (quote: number): boolean => {
      if (quote === standing) return false;
      standing = quote;
      widen(bid, packedBid(quote));
      widen(ask, packedAsk(quote));
      return true;
    };
    for (let next = slot + 1; slotStart(habits, next) <= end; next++) {
      slot = next;
      const start = slotStart(habits, slot);
      if (start < life.open_at || start >= life.close_at) continue;
      const carried = quotedSlot(habits, standingSlot(desk, start));
      if (carried !== quoted) {
        quoted = carried;
        changed = requote(packedQuote(desk, quoted)) || changed;
      }
      const count = countTrades(desk, slot);
      if (count > trades) {
        const paidHere = tradePrice(desk, slot);
        if (trades === tradesBefore) price = startRange(paidHere);
        else widen(price, paidHere);
        paid += paidHere * (volumeOf(desk, count) - volumeOf(desk, trades));
        trades = count;
      }
    }
    if (end >= life.close_at) changed = requote(DOLLAR) || changed;
    if (changed || trades > tradesBefore) {
      const volume = volumeOf(desk, trades);
      const sold = volume - volumeBefore;
      yield `{"end_period_ts":${end / 1000},"yes_bid":${quoteText(bid)},"yes_ask":${quoteText(ask)},` +
        `"price":${priceText(price, trades > tradesBefore ? paid / Math.max(1, sold) : undefined, previous)},` +
        `"volume_fp":"${contracts(sold)}","open_interest_fp":"${contracts(openInterestOf(desk, volume, slot))}"}`;
      if (trades > tradesBefore) previous = price.close;
    }
    end = nextEnd(end, minutes);
  }
}

interface Range {
  open: number;
  low: number;
  high: number;
  close: number;
}

function startRange(value: number): Range {
  return { open: value, low: value, high: value, close: value };
}

function widen(range: Range, value: number): void {
  if (value < range.low) range.low = value;
  if (value > range.high) range.high = value;
  range.close = value;
}

function quoteText(range: Range): string {
  return `{"open_dollars":"${dollars(range.open)}","low_dollars":"${dollars(range.low)}","high_dollars":"${dollars(range.high)}","close_dollars":"${dollars(range.close)}"}`;
}

function priceText(range: Range, mean: number | undefined, previous: number): string {
  const before = previous > 0 ? `"previous_dollars":"${dollars(previous)}"` : '';
  if (mean === undefined) return `{${before}}`;
  const [low, high] = [dollars(range.low), dollars(range.high)];
  return (
    `{"open_dollars":"${dollars(range.open)}","low_dollars":"${low}","high_dollars":"${high}",` +
    `"close_dollars":"${dollars(range.close)}","mean_dollars":"${dollars(Math.round(mean))}",` +
    `"min_dollars":"${low}","max_dollars":"${high}"${before === '' ? '' : `,${before}`}}`
  );
}

// The first period end at or after an instant.
function firstEnd(at: number, minutes: number): number {
  return minutes === DAILY
    ? nextEasternMidnight(at - 1)
    : Math.ceil(at / (minutes * MINUTE)) * minutes * MINUTE;
}

function nextEnd(end: number, minutes: number): number {
  return minutes === DAILY ? nextEasternMidnight(end) : end + minutes * MINUTE;
}

function periodStart(end: number, minutes: number): number {
  // A day of 23 to 25 hours: the midnight before is the first one after this much less.
  return minutes === DAILY ? nextEasternMidnight(end - 25 * 60 * MINUTE - 1) : end - minutes * MINUTE;
}

function periodEnd(at: number, minutes: number): number {
  return firstEnd(at + 1, minutes);
}
