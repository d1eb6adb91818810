import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { CompressedBodies, type Encoding } from '../../../src/serve/answers/compression.ts';
import { openSmallApp } from '../../helpers/small-app.ts';

it('a body requested several times at once is compressed once per encoding', async () => {
  const bodies = new CompressedBodies();
  const body = 'rain '.repeat(10_000);
  const find = async (encoding: Encoding) => bodies.find(encoding, 'digest', () => body);
  const [first, second, other] = await Promise.all([find('br'), find('br'), find('gzip')]);
  expect(first.byteLength).toBeGreaterThan(0);
  expect(second).toBe(first);
  expect(other).not.toEqual(first);
  expect(await find('br')).toBe(first);
  const another = await bodies.find('br', 'another', () => 'snow '.repeat(10_000));
  expect(brotliDecompressSync(another).toString()).toMatch(/^(snow )+$/);
});

it('a 304 is answered without compressing', async () => {
  const { app, small } = openSmallApp();
  const path = '/api/v1/public/indices/SMALL/prices';
  const whole = await app.request(path);
  expect((await whole.text()).length).toBeGreaterThan(1024);
  const headers = { 'Accept-Encoding': 'br', 'If-None-Match': whole.headers.get('etag') ?? '' };
  const answer = app.request(path, { headers });
  // Compressing takes a turn of the event loop.
  expect(answer).not.toBeInstanceOf(Promise);
  expect((await answer).status).toBe(304);
  expect(
    (await app.request(path, { headers: { 'Accept-Encoding': 'br' } })).headers.get('content-encoding'),
  ).toBe('br');
  small.close();
});
