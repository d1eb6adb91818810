import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { listen } from '../../src/serve/listen.ts';

const slow = () => {
  const app = new Hono();
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  app.get('/', async (context) => {
    begun();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return context.text('answered');
  });
  return { app, started };
};

it('a request under way is answered before the server closes, and none is taken afterwards', async () => {
  const { app, started } = slow();
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const answer = fetch(listening.origin, { headers: { Connection: 'close' } });
  await started;
  await listening.close();
  expect(await (await answer).text()).toBe('answered');
  await expect(fetch(listening.origin)).rejects.toThrow();
});

it('an address that is taken is named, under the code of a wrong configuration', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(listen(slow().app, { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  });
  other.close();
});
