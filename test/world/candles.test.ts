import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextEasternMidnight } from '../../scripts/world/calendar.ts';
import { openDesk } from '../../scripts/world/catalog.ts';
import { DOLLAR, quoteAt } from '../../scripts/world/truth/quotes.ts';
import { volumeAt } from '../../scripts/world/truth/trades.ts';
import { KALSHI, type OpenWorld, openWorld, type Row, rows } from './open-world.ts';

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld();
});
afterAll(() => open.served.close());

const END = Date.UTC(2026, 9, 29, 12) / 1000;
const TICKERS = [
  'SIMPRES28-PA-D',
  'SIMPRES28-WY-D',
  'SIMFED-26OCT-C25',
  'SIMFED-26SEP-H0',
  'SIMCBL-27-WAS',
  'SIMBTCM-26OCT31-T110000',
];

async function candles(ticker: string, start: number, end: number, minutes: number): Promise<Row[]> {
  const { body } = await open.get(
    `${KALSHI}/markets/candlesticks?market_tickers=${ticker}&start_ts=${start}&end_ts=${end}&period_interval=${minutes}`,
  );
  const [market] = rows(body, 'markets');
  return market === undefined ? [] : rows(market, 'candlesticks');
}

function close(candle: Row | undefined, side: 'yes_bid' | 'yes_ask'): number | undefined {
  const prices = candle?.[side] as Record<string, string> | undefined;
  return prices === undefined ? undefined : Math.round(Number(prices.close_dollars) * DOLLAR);
}

test.each(TICKERS)(
  'the close of every hourly candle of %s, carried forward, is the quote at its end',
  async (ticker) => {
    const start = END - 60 * 86_400;
    const byEnd = new Map((await candles(ticker, start, END, 60)).map((row) => [row.end_period_ts, row]));
    const contract = open.world.catalog.kalshi.markets.get(ticker)?.contract;
    if (contract === undefined) throw new Error(`no market ${ticker}`);
    const desk = openDesk(open.world.truth, contract);
    expect(byEnd.size).toBeGreaterThan(0);
    let standing: Row | undefined;
    let differences = 0;
    for (let end = Math.ceil(start / 3600) * 3600; end <= END; end += 3600) {
      standing = byEnd.get(end) ?? standing;
      if (standing === undefined) continue;
      const quote = quoteAt(desk, end * 1000);
      if (close(standing, 'yes_bid') !== (quote.bid ?? 0)) differences++;
      if (close(standing, 'yes_ask') !== (quote.ask ?? DOLLAR)) differences++;
    }
    expect(differences).toBe(0);
  },
);

test('minutes, hours and days of one market agree', async () => {
  const ticker = 'SIMPRES28-PA-D';
  const start = nextEasternMidnight((END - 3 * 86_400) * 1000) / 1000;
  const end = nextEasternMidnight(start * 1000) / 1000;
  const day = (await candles(ticker, end, end, 1440)).at(-1);
  const hours = await candles(ticker, start + 3600, end, 60);
  const minutes = await candles(ticker, start + 60, end, 1);
  const sum = (list: Row[]) =>
    list.reduce((total, row) => total + Math.round(Number(row.volume_fp) * 100), 0);
  expect(day).toBeDefined();
  expect(day?.end_period_ts).toBe(end);
  expect(sum(hours)).toBe(sum(day === undefined ? [] : [day]));
  expect(sum(minutes)).toBe(sum(hours));
  expect(close(hours.at(-1), 'yes_bid')).toBe(close(day, 'yes_bid'));
  expect(minutes.length).toBeLessThan(24 * 60);
});

test('candle volumes of a market sum to its volume', async () => {
  const ticker = 'SIMCBL-27-WAS';
  const list = await candles(ticker, open.world.epoch / 1000, END, 60);
  const contract = open.world.catalog.kalshi.markets.get(ticker)?.contract;
  if (contract === undefined) throw new Error('no market');
  const sum = list.reduce((total, row) => total + Math.round(Number(row.volume_fp) * 100), 0);
  expect(sum).toBe(volumeAt(openDesk(open.world.truth, contract), END * 1000));
});

test('candles stop one period after the close and unknown tickers are left out', async () => {
  const contract = open.world.catalog.kalshi.markets.get('SIMFED-26SEP-H0')?.contract;
  const known = (contract?.event.known_at ?? 0) / 1000;
  const list = await candles('SIMFED-26SEP-H0', known - 86_400, END, 60);
  expect(Number(list.at(-1)?.end_period_ts)).toBeLessThanOrEqual(known + 3600);
  expect(await candles('SIMNONE-1', END - 3600, END, 60)).toEqual([]);
});
