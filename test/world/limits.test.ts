import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenIds } from '../../scripts/world/catalog.ts';
import { KALSHI, type OpenWorld, openWorld, type Row } from './open-world.ts';

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld();
});
afterAll(() => open.served.close());

const END = Date.UTC(2026, 9, 29, 12) / 1000;

function firstToken(): string | undefined {
  const [market] = open.world.catalog.polymarket.market_list;
  return market && tokenIds(market)[0];
}

test.each([
  ['a page of 1,001 markets', `${KALSHI}/markets?limit=1001`],
  ['a page of 201 events', `${KALSHI}/events?limit=201`],
  ['time filters of two families', `${KALSHI}/markets?min_updated_ts=1&min_settled_ts=1`],
  ['a settled window of open markets', `${KALSHI}/markets?status=open&min_settled_ts=1`],
  ['an update filter with a status', `${KALSHI}/markets?status=open&min_updated_ts=1`],
  ['an unknown status', `${KALSHI}/markets?status=live`],
  ['a cursor of another world', `${KALSHI}/markets?cursor=abc`],
  [
    'more than 5,000 periods of one market',
    `${KALSHI}/series/SIMPRES28/markets/SIMPRES28-PA-D/candlesticks?start_ts=${END - 5001 * 60}&end_ts=${END}&period_interval=1`,
  ],
  [
    'more than 10,000 periods of a batch',
    `${KALSHI}/markets/candlesticks?market_tickers=SIMPRES28-PA-D,SIMPRES28-PA-R&start_ts=${END - 5001 * 3600}&end_ts=${END}&period_interval=60`,
  ],
  [
    'periods of five minutes',
    `${KALSHI}/markets/candlesticks?market_tickers=A&start_ts=1&end_ts=2&period_interval=5`,
  ],
])('Kalshi answers %s with 400 and a nested error', async (_what, path) => {
  const { status, body } = await open.get(path);
  expect(status).toBe(400);
  expect(typeof (body.error as Row).code).toBe('string');
});

test('exactly 10,000 periods of a batch are allowed', async () => {
  const { status } = await open.get(
    `${KALSHI}/markets/candlesticks?market_tickers=SIMPRES28-PA-D,SIMPRES28-PA-R&start_ts=${END - 5000 * 3600}&end_ts=${END}&period_interval=60`,
  );
  expect(status).toBe(200);
});

test.each([['/gamma/events/keyset?offset=20'], [`/gamma/markets/keyset?${'condition_ids=1&'.repeat(101)}`]])(
  'Gamma answers %s with 422 and a type',
  async (path) => {
    const { status, body } = await open.get(path);
    expect(status).toBe(422);
    expect(body.type).toBe('validation error');
  },
);

test('Gamma ignores the natural guess cursor= and the bracket form', async () => {
  const first = await open.get('/gamma/markets/keyset?limit=5');
  const guess = await open.get(`/gamma/markets/keyset?limit=5&cursor=${String(first.body.next_cursor)}`);
  const bracket = await open.get('/gamma/markets/keyset?limit=5&condition_ids[]=1');
  expect(guess.body).toEqual(first.body);
  expect(bracket.body).toEqual(first.body);
});

test.each([
  ['offset', '/data/v2/resolutions?condition=0x1&offset=5'],
  ['start', '/data/v2/prices-history?token_id=1'],
  ['start', '/data/v2/prices-history?token_id=1&interval=max&start=1'],
  ['end', '/data/v2/prices-history?token_id=1&start=1&end=2000000'],
  ['bucket_seconds', '/data/v2/prices-history?token_id=1&interval=max&bucket_seconds=30'],
  ['condition', `/data/v2/resolutions?condition=${'0x1,'.repeat(21)}`],
])('the Data API names %s in a 400', async (parameter, path) => {
  const { status, body } = await open.get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_request', retryable: false, parameter });
});

test('the CLOB refuses windows over 15 days, reads the token from market only, and takes a flat list of books', async () => {
  const token = firstToken();
  const long = await open.get(
    `/clob/prices-history?market=${token}&startTs=${END - 16 * 86_400}&endTs=${END}`,
  );
  const wrong = await open.get(`/clob/prices-history?token_id=${token}&startTs=${END}`);
  const books = await open.post('/clob/books', [{ token_id: token }]);
  const wrapped = await open.post('/clob/books', { params: [{ token_id: token }] });
  expect(long.status).toBe(400);
  expect(wrong.body).toEqual({ history: [] });
  expect(books.body).toHaveLength(1);
  expect(wrapped.body).toEqual([]);
});

test('history finer than what is stored is absent, never coarser', async () => {
  const token = firstToken();
  const start = END - 40 * 86_400;
  const path = `/data/v2/prices-history?token_id=${token}&start=${start}&end=${start + 86_400}`;
  expect((await open.get(`${path}&bucket_seconds=60`)).body.data).toEqual([]);
  expect((await open.get(`${path}&bucket_seconds=1800`)).body.data).toHaveLength(48);
});
