import { afterAll, beforeAll, expect, test } from 'vitest';
import { KALSHI, type OpenWorld, openWorld, rows } from './open-world.ts';

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld();
});
afterAll(() => open.served.close());

async function walk(
  first: string,
  list: string,
  id: string,
  cursor: string,
  next: string,
): Promise<string[]> {
  const ids: string[] = [];
  let after = '';
  for (;;) {
    const { status, body } = await open.get(
      after === '' ? first : `${first}&${cursor}=${encodeURIComponent(after)}`,
    );
    expect(status).toBe(200);
    ids.push(...rows(body, list).map((row) => String(row[id])));
    after = typeof body[next] === 'string' ? body[next] : '';
    if (after === '' || after === 'LTE=') return ids;
  }
}

test('a walk of Kalshi markets meets every listed market exactly once', async () => {
  const now = open.world.now();
  const listed = open.world.catalog.kalshi.market_list.filter(
    ({ contract }) => contract.event.listed_at <= now,
  );
  const ids = await walk(`${KALSHI}/markets?limit=150&status=`, 'markets', 'ticker', 'cursor', 'cursor');
  expect(ids).toEqual(listed.map(({ ticker }) => ticker));
});

test('the five statuses partition the markets', async () => {
  const all: string[] = [];
  for (const status of ['unopened', 'open', 'paused', 'closed', 'settled']) {
    all.push(
      ...(await walk(
        `${KALSHI}/markets?limit=1000&status=${status}`,
        'markets',
        'ticker',
        'cursor',
        'cursor',
      )),
    );
  }
  const whole = await walk(`${KALSHI}/markets?limit=1000`, 'markets', 'ticker', 'cursor', 'cursor');
  expect(all.toSorted()).toEqual(whole.toSorted());
});

test('walks of events at both venues meet every one once', async () => {
  const kalshi = await walk(`${KALSHI}/events?limit=37`, 'events', 'event_ticker', 'cursor', 'cursor');
  expect(new Set(kalshi).size).toBe(kalshi.length);
  expect(kalshi.length).toBeGreaterThan(300);
  const gamma: string[] = [];
  for (const closed of [false, true]) {
    gamma.push(
      ...(await walk(
        `/gamma/events/keyset?limit=7&closed=${closed}`,
        'events',
        'id',
        'after_cursor',
        'next_cursor',
      )),
    );
  }
  const now = open.world.now();
  const listed = open.world.catalog.polymarket.event_list.filter(({ truth }) => truth.listed_at <= now);
  expect(gamma.toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
});

test('walks of Gamma and CLOB markets agree', async () => {
  const gamma: string[] = [];
  for (const closed of [false, true]) {
    gamma.push(
      ...(await walk(
        `/gamma/markets/keyset?limit=100&closed=${closed}`,
        'markets',
        'conditionId',
        'after_cursor',
        'next_cursor',
      )),
    );
  }
  const clob = await walk('/clob/markets?', 'data', 'condition_id', 'next_cursor', 'next_cursor');
  expect(gamma.toSorted()).toEqual(clob.toSorted());
});

test('a settled window finds the markets settled in it, bounds excluded', async () => {
  const { body } = await open.get(`${KALSHI}/markets?limit=1000&status=settled`);
  const [first] = rows(body, 'markets');
  const at = Date.parse(String(first?.settlement_ts)) / 1000;
  const inside = await open.get(
    `${KALSHI}/markets?min_settled_ts=${at - 1}&max_settled_ts=${at + 1}&limit=1000`,
  );
  const outside = await open.get(
    `${KALSHI}/markets?min_settled_ts=${at}&max_settled_ts=${at + 1}&limit=1000`,
  );
  expect(rows(inside.body, 'markets').map(({ ticker }) => ticker)).toContain(first?.ticker);
  expect(rows(outside.body, 'markets')).toEqual([]);
});

test('what settled before the cutoff is found in the historical tier only', async () => {
  const old = await openWorld({ historical_cutoff: Date.UTC(2026, 8, 1) });
  const live = await old.get(`${KALSHI}/markets?tickers=SIMFED-26JUL-H0`);
  const moved = await old.get(`${KALSHI}/historical/markets?tickers=SIMFED-26JUL-H0`);
  const candles = await old.get(
    `${KALSHI}/historical/markets/SIMFED-26JUL-H0/candlesticks?start_ts=1784500000&end_ts=1785400000&period_interval=60`,
  );
  await old.served.close();
  expect([live, moved].map(({ body }) => rows(body, 'markets').length)).toEqual([0, 1]);
  expect(Object.keys(rows(candles.body, 'candlesticks')[0] ?? {}).toSorted()).toEqual(
    ['end_period_ts', 'open_interest', 'price', 'volume', 'yes_ask', 'yes_bid'].toSorted(),
  );
});
