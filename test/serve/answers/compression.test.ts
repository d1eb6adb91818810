import { expect, it } from 'vitest';
import { CompressedBodies } from '../../../src/serve/answers/compression.ts';

it('a body that several ask for at once is compressed once for each encoding', async () => {
  const bodies = new CompressedBodies();
  const body = 'rain '.repeat(10_000);
  const find = async (accepted: string) => (await bodies.find(accepted, 'digest', body))?.body;
  const [first, second, other] = await Promise.all([find('br'), find('br'), find('gzip')]);
  expect(first?.byteLength).toBeGreaterThan(0);
  expect(second).toBe(first);
  expect(other).not.toEqual(first);
  expect(await find('br')).toBe(first);
});
