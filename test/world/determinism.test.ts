import { expect, test } from 'vitest';
import { KALSHI, openWorld } from './open-world.ts';

const PATHS = [
  `${KALSHI}/markets?limit=200`,
  `${KALSHI}/events?limit=20&with_nested_markets=true`,
  `${KALSHI}/markets/SIMPRES28-PA-D/orderbook`,
  `${KALSHI}/markets/trades?limit=50`,
  `${KALSHI}/markets/candlesticks?market_tickers=SIMPRES28-PA-D,SIMCBL-27-OKC&start_ts=1792900000&end_ts=1793275200&period_interval=60`,
  '/gamma/events/keyset?limit=10',
  '/clob/markets',
];

async function readAll(paths: string[], seed: number): Promise<Map<string, string>> {
  const { served } = await openWorld({ seed });
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await (await fetch(served.origin + path)).text());
  await served.close();
  return texts;
}

test('the same seed gives the same bytes, in any order of requests', async () => {
  const forward = await readAll(PATHS, 11);
  const backward = await readAll([...PATHS].reverse(), 11);
  for (const path of PATHS) expect(backward.get(path)).toBe(forward.get(path));
});

test('another seed gives other prices under the same names', async () => {
  const [path = ''] = PATHS;
  const one = await readAll([path], 11);
  const other = await readAll([path], 12);
  expect(other.get(path)).not.toBe(one.get(path));
  const tickers = (text = '') => [...text.matchAll(/"ticker":"([^"]+)"/g)].map(([, ticker]) => ticker);
  expect(tickers(other.get(path))).toEqual(tickers(one.get(path)));
});
