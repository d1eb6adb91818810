import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../scripts/world/http/faults.ts';
import { KALSHI, type OpenWorld, openWorld, type Row, rows } from './open-world.ts';

let open: OpenWorld;
beforeAll(async () => {
  open = await openWorld();
});
afterEach(async () => {
  await fetch(`${open.served.origin}/_world/faults`, { method: 'DELETE' });
});
afterAll(() => open.served.close());

const PATH = `${KALSHI}/markets`;

async function arm(fault: Omit<Fault, 'path_prefix' | 'times'> & Partial<Fault>): Promise<void> {
  const { status } = await open.post('/_world/faults', [{ path_prefix: PATH, times: 1, ...fault }]);
  expect(status).toBe(200);
}

function ask(query = 'limit=5'): Promise<Response> {
  return fetch(`${open.served.origin}${PATH}?${query}`);
}

test('a fault strikes as often as configured, after as many requests as configured, on its prefix only', async () => {
  await arm({ kind: 'status', code: 503, times: 2, after: 1 });
  const codes: number[] = [];
  for (let i = 0; i < 4; i++) codes.push((await ask()).status);
  expect(codes).toEqual([200, 503, 503, 200]);
  await arm({ kind: 'status', code: 503 });
  expect((await fetch(`${open.served.origin}${KALSHI}/events`)).status).toBe(200);
});

test('status carries Retry-After and the body of the venue', async () => {
  await arm({ kind: 'status', code: 429, retry_after: 3 });
  const response = await ask();
  expect(response.headers.get('retry-after')).toBe('3');
  expect(await response.json()).toEqual({ error: 'too many requests' });
});

test('truncate sends half a body that is not JSON', async () => {
  await arm({ kind: 'truncate' });
  await expect((await ask()).json()).rejects.toThrow();
});

test('cut and reset break the connection', async () => {
  await arm({ kind: 'cut' });
  await expect(ask().then((response) => response.text())).rejects.toThrow();
  await arm({ kind: 'reset' });
  await expect(ask()).rejects.toThrow();
});

test('html answers 200 with a page', async () => {
  await arm({ kind: 'html' });
  const response = await ask();
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
});

test('hang never answers', async () => {
  await arm({ kind: 'hang' });
  const late = fetch(`${open.served.origin}${PATH}`, { signal: AbortSignal.timeout(200) });
  await expect(late).rejects.toThrow(/timeout|abort/i);
});

test('repeat_cursor leads back to the previous page', async () => {
  await arm({ kind: 'repeat_cursor', after: 1 });
  const first = (await (await ask()).json()) as Row;
  const second = (await (await ask(`limit=5&cursor=${String(first.cursor)}`)).json()) as Row;
  expect(second.cursor).toBe(first.cursor);
  expect(second.markets).not.toEqual(first.markets);
});

test('repeat_page shows the previous rows under a new cursor', async () => {
  await arm({ kind: 'repeat_page', after: 1 });
  const first = (await (await ask()).json()) as Row;
  const second = (await (await ask(`limit=5&cursor=${String(first.cursor)}`)).json()) as Row;
  expect(second.markets).toEqual(first.markets);
  expect(second.cursor).not.toBe(first.cursor);
});

test('bad_price, missing_id and empty corrupt the content', async () => {
  await arm({ kind: 'bad_price' });
  const priced = rows((await (await ask()).json()) as Row, 'markets');
  expect(priced[0]?.yes_bid_dollars).toBe('1.7000');
  expect(Number(priced[1]?.yes_bid_dollars)).toBeLessThanOrEqual(1);
  await arm({ kind: 'missing_id' });
  const nameless = rows((await (await ask()).json()) as Row, 'markets');
  expect(nameless[0]).not.toHaveProperty('ticker');
  expect(nameless[1]).toHaveProperty('ticker');
  await arm({ kind: 'empty' });
  expect(await (await ask()).json()).toEqual({ markets: [], cursor: '' });
});

test('bomb unpacks to far more than its size', async () => {
  await arm({ kind: 'bomb', megabytes: 8 });
  const response = await ask();
  const text = await response.text();
  expect(text.length).toBe(8 * 2 ** 20);
});

test('invalid faults are refused and requests are counted', async () => {
  const wrong = await open.post('/_world/faults', [{ path_prefix: '/', kind: 'flood', times: 1 }]);
  expect(wrong.status).toBe(400);
  const counted = async () => (await open.get('/_world/requests')).body.requests as Record<string, number>;
  const before = (await counted())[PATH] ?? 0;
  for (let i = 0; i < 3; i++) await ask();
  expect((await counted())[PATH]).toBe(before + 3);
});
