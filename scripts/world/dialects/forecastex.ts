import { DAY, HOUR, nextEasternMidnight } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import type { Forecast } from '../forecast-catalog.ts';
import type { Ask, Dialect, Reply } from '../http/route.ts';
import { payoutOf } from '../truth/contracts.ts';
import { DOLLAR } from '../truth/quotes.ts';
import { listTrades, openInterestAt, volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';

/** ForecastEx's public files: one of prices and one of products per weekday. */
export const forecastEx: Dialect = {
  prefix: '/forecastex',
  routes: [
    {
      method: 'GET',
      path: '/prices/:file',
      answer: (world, ask) => answerFile(world, ask, 'daily_prices', priceFile),
    },
    {
      method: 'GET',
      path: '/daily_summary/:file',
      answer: (world, ask) => answerFile(world, ask, 'summary', summaryFile),
    },
  ],
  notFound: noSuchKey,
};

function noSuchKey(): Reply {
  const raw = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code></Error>';
  return { status: 404, body: { raw }, headers: { 'content-type': 'application/xml' } };
}

type Writer = (world: World, day: string, end: number) => string[];

function answerFile(world: World, ask: Ask, kind: string, write: Writer): Reply {
  const match = new RegExp(`^${kind}_(\\d{4})(\\d\\d)(\\d\\d)\\.csv$`).exec(ask.params.file ?? '');
  const day = match?.slice(1).join('-') ?? '';
  const end = match === null ? Number.NaN : sessionEnd(day);
  const weekday = new Date(end).getUTCDay();
  // Published a quarter of an hour after the session; there are none at weekends.
  const out = end + HOUR / 4 <= world.now() && end > world.epoch && weekday > 0 && weekday < 6;
  if (!out) return noSuchKey();
  const raw = `${write(world, day, end).join('\n')}\n`;
  return { status: 200, body: { raw }, headers: { 'content-type': 'text/csv' } };
}

/** End of a day's session, 16:15 in Chicago, where clocks change on Sundays only. */
export function sessionEnd(day: string): number {
  return nextEasternMidnight(Date.parse(day)) + 17.25 * HOUR;
}

// The instant in Chicago's local time.
function expiry(day: string): string {
  const hoursBehind = (sessionEnd(day) - Date.parse(`${day}T16:15:00Z`)) / HOUR;
  return `${day}T16:15:00-0${hoursBehind}:00`;
}

// Monday's session includes the weekend's trades.
function sessionStart(end: number): number {
  return end - (new Date(end).getUTCDay() === 1 ? 3 : 1) * DAY;
}

function listed(world: World, day: string, end: number): Forecast[] {
  return [...world.catalog.forecasts.values()].filter(
    ({ contract, expires }) => contract.event.listed_at < end && expires >= day,
  );
}

const HEADER =
  'event_contract,subtype,expiration_date,date,start_price,high_price,low_price,end_price,settlement_price,pair_quantity,open_interest,vwap';

// Untraded contracts have prices of 0.00, and each contract has two rows.
function priceFile(world: World, day: string, end: number): string[] {
  const rows = listed(world, day, end).flatMap(({ id, expires, contract }) => {
    const desk = openDesk(world.truth, contract);
    const trades = listTrades(desk, sessionStart(end), end, 10_000).reverse();
    const pairs = (volumeAt(desk, end) - volumeAt(desk, sessionStart(end))) / 100;
    const prices = trades.map(({ price }) => price / DOLLAR);
    const pays = payoutOf(world.truth, contract);
    const settlement = expires === day ? pays.toFixed(2) : '';
    const held = openInterestAt(desk, end) / 100;
    const row = (subtype: string, side: (yes: number) => number) => {
      const of = prices.map(side);
      const [low, high] = of.length === 0 ? [0, 0] : [Math.min(...of), Math.max(...of)];
      const shown = [of[0] ?? 0, high, low, of.at(-1) ?? 0].map((price) => price.toFixed(2));
      return [id, subtype, expiry(expires), day, ...shown, settlement, pairs, held, low.toFixed(2)].join(',');
    };
    return [row('YES', (yes) => yes), row('NO', (yes) => 1 - yes)];
  });
  return [HEADER, ...rows];
}

function summaryFile(world: World, day: string, end: number): string[] {
  const products = new Map(listed(world, day, end).map(({ product }) => [product.id, product]));
  const rows = [...products.values()].map(({ id, name, category }) => `${id},"${name}",${category},0`);
  return ['product_id,product_name,product_category,total_pairs', ...rows];
}
