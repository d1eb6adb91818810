import { DAY, dayName, dayToken, HOUR, iso, monthName, monthToken } from '../calendar.ts';
import { ladder } from './ladder.ts';
import { type Scope, simulated, slugOf, type Topic, type WorldEvent } from './topic.ts';

/** A coin with its price at the epoch and the step between the strikes that are listed. */
interface Coin {
  code: string;
  name: string;
  price: number;
  step: number;
}

const COINS: Coin[] = [
  { code: 'BTC', name: 'Bitcoin', price: 104_000, step: 5_000 },
  { code: 'ETH', name: 'Ethereum', price: 3_900, step: 250 },
  { code: 'SOL', name: 'Solana', price: 182, step: 15 },
  { code: 'XRP', name: 'Ripple', price: 2.4, step: 0.2 },
  { code: 'DOGE', name: 'Dogecoin', price: 0.24, step: 0.02 },
  { code: 'AVAX', name: 'Avalanche', price: 31, step: 2 },
];

const MONTH_STRIKES = 10;
const HOUR_STRIKES = 80;
const HOUR_LEAD = 6 * HOUR;
/** The number of markets that weather and districts can provide; hourly ladders are listed only if more are wanted. */
const OTHERS_FILL = 18_000;
const MARKETS_AN_HOUR = COINS.length * HOUR_STRIKES;

const MONTH_ENDS = [7, 8, 9, 10, 11, 12].map((month) => Date.UTC(2026, month, 1) - DAY);

/** Coin prices at the ends of months, and, in larger worlds, ladders for every hour of the newest days. */
export const crypto: Topic = {
  name: 'crypto',
  list(scope) {
    const monthly = COINS.slice(0, 4).flatMap((coin) => MONTH_ENDS.map((day) => listMonth(coin, day, scope)));
    const wanted = scope.markets - monthly.length * MONTH_STRIKES - OTHERS_FILL;
    const hours = Math.ceil(wanted / MARKETS_AN_HOUR);
    if (hours <= 0) return monthly;
    const first = Math.max(
      scope.epoch + DAY,
      Math.floor(scope.start / HOUR) * HOUR - hours * HOUR + HOUR_LEAD,
    );
    const hourly: WorldEvent[] = [];
    for (let at = first; at <= scope.start + DAY; at += HOUR) {
      for (const coin of COINS) hourly.push(listHour(coin, at));
    }
    return [...monthly, ...hourly];
  },
};

function loadings(coin: Coin) {
  return [
    { factor: 'crypto-market', daily_sd: 0.022 * coin.price },
    { factor: `crypto-${coin.code}`, daily_sd: 0.015 * coin.price },
  ];
}

/** Strike of a month's ladder, from the second step below the price upward. */
function monthStrike(coin: Coin, i: number): number {
  return Number((Math.round(coin.price / coin.step + i - 4) * coin.step).toFixed(2));
}

function listMonth(coin: Coin, day: number, { epoch }: Scope): WorldEvent {
  const event_ticker = `SIM${coin.code}M-${dayToken(day)}`;
  const month = monthName(day);
  const strikes = Array.from({ length: MONTH_STRIKES }, (_, i) => monthStrike(coin, i));
  const slug = `sim-${slugOf(coin.name)}-price-at-the-end-of-${slugOf(month)}`;
  const asked = ladder({
    event_ticker,
    lines: strikes,
    mean: coin.price,
    loadings: loadings(coin),
    residual_sd: 0.004 * coin.price,
    listed_at: Math.max(epoch, day - 120 * DAY),
    known_at: day + 21 * HOUR,
    interest: coin.code === 'BTC' ? 0.85 : 0.5,
    series: {
      ticker: `SIM${coin.code}M`,
      title: `${coin.name} price at month end (simulated)`,
      category: 'Crypto',
      tags: [coin.code, 'Monthly'],
      frequency: 'monthly',
      source: 'reference rate of the coin',
    },
    title: `${coin.name} price on ${dayName(day)}?`,
    sub_title: `At 5 PM EDT on ${dayName(day)}`,
    strike_type: 'greater_or_equal',
    tickerOf: (strike) => `T${strike}`,
    textOf: (strike) => ({
      title: `Will the price of ${coin.name} be above $${strike} on ${dayName(day)}?`,
      yes_sub_title: `$${strike} or above`,
      rules: `If the reference rate of ${coin.name} at 5 PM Eastern on ${dayName(day)} is at or above ${strike} dollars, then the market resolves to Yes.`,
    }),
  });
  if (coin.code !== 'BTC' && coin.code !== 'ETH') return asked;
  return {
    ...asked,
    polymarket: {
      slug,
      title: `${coin.name} above what at the end of ${month}?`,
      description: simulated(
        `This market will resolve to "Yes" if the ${coin.name} price is at or above the listed level when ${month} ends (17:00 Eastern).`,
      ),
      tags: ['crypto', slugOf(coin.name)],
      tick: 10,
      neg_risk: false,
      markets: strikes.map((strike, outcome) => ({
        outcome,
        slug: `${slug}-${slugOf(String(strike))}`,
        question: `${coin.name} above $${strike} at the end of ${month}?`,
        group_item_title: `$${strike}`,
      })),
    },
  };
}

function listHour(coin: Coin, at: number): WorldEvent {
  const hour = String(new Date(at).getUTCHours()).padStart(2, '0');
  const event_ticker = `SIM${coin.code}H-${dayToken(at)}${hour}`;
  const step = coin.step / 20;
  const strikes = Array.from({ length: HOUR_STRIKES }, (_, i) =>
    Number((coin.price + (i - HOUR_STRIKES / 2) * step).toFixed(4)),
  );
  return ladder({
    event_ticker,
    lines: strikes,
    mean: coin.price,
    loadings: loadings(coin),
    residual_sd: 0.002 * coin.price,
    listed_at: at - HOUR_LEAD,
    known_at: at,
    interest: 0.3,
    series: {
      ticker: `SIM${coin.code}H`,
      title: `${coin.name} price by the hour (simulated)`,
      category: 'Crypto',
      tags: [coin.code, 'Hourly'],
      frequency: 'hourly',
      source: 'reference rate of the coin',
    },
    title: `${coin.name} price at ${hour}:00 UTC on ${dayName(at)}?`,
    sub_title: monthToken(at),
    grid: 'tapered_deci_cent',
    strike_type: 'greater_or_equal',
    tickerOf: (strike) => `T${strike}`,
    textOf: (strike) => ({
      title: `${coin.name} above $${strike} at ${iso(at)}?`,
      yes_sub_title: `$${strike} or above`,
      rules: `If the reference rate of ${coin.name} at ${iso(at)} is at or above ${strike} dollars, then the market resolves to Yes.`,
    }),
  });
}
