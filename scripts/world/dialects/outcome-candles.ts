import { DAY, HOUR } from '../calendar.ts';
import { type Desk, DOLLAR, slotAt, slotStart } from '../truth/quotes.ts';
import { countTrades, tradePrice, volumeOf } from '../truth/trades.ts';

/** Supported interval lengths. */
export const CANDLE_INTERVALS: Record<string, number> = { '1h': HOUR, '1d': DAY };

/** A candle in the venue's format. */
export interface OutcomeCandle {
  t: number;
  T: number;
  s: string;
  i: string;
  o: string;
  c: string;
  h: string;
  l: string;
  v: string;
  n: number;
}

const MOST = 5_000;

/**
 * Candles of a coin whose periods begin in [from, to] and have begun by now, the newest 5,000; one a period in
 * which something traded. The No side mirrors the prices and repeats the volumes.
 */
export function listCandles(
  desk: Desk,
  coin: string,
  { interval, from, to, now }: { interval: string; from: number; to: number; now: number },
): OutcomeCandle[] {
  const { habits, life } = desk;
  const length = CANDLE_INTERVALS[interval] ?? HOUR;
  const no = coin.endsWith('1');
  const price = (yes: number) => String((no ? DOLLAR - yes : yes) / DOLLAR);
  const candles: OutcomeCandle[] = [];
  const last = Math.min(to, now, life.close_at);
  const first = Math.ceil(Math.max(from, Math.floor(life.open_at / length) * length) / length) * length;
  for (let t = first; t <= last; t += length) {
    let slot = slotAt(habits, t - 1);
    const before = countTrades(desk, slot);
    let trades = before;
    const prices: number[] = [];
    for (slot++; slotStart(habits, slot) < t + length && slotStart(habits, slot) <= last; slot++) {
      const count = countTrades(desk, slot);
      if (count > trades) prices.push(tradePrice(desk, slot));
      trades = count;
    }
    if (prices.length === 0) continue;
    const sold = volumeOf(desk, trades) - volumeOf(desk, before);
    const [low, high] = [Math.min(...prices), Math.max(...prices)];
    candles.push({
      t,
      T: t + length - 1,
      s: coin,
      i: interval,
      o: price(prices[0] ?? 0),
      c: price(prices.at(-1) ?? 0),
      h: price(no ? low : high),
      l: price(no ? high : low),
      v: String(sold / 100),
      n: trades - before,
    });
  }
  return candles.slice(-MOST);
}
