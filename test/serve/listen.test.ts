import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import type { ForemarkError } from '../../src/model/errors.ts';
import { limitAddresses } from '../../src/serve/callers/address-budget.ts';
import { admit } from '../../src/serve/callers/credential.ts';
import { UnreadAnswers } from '../../src/serve/callers/unread-answers.ts';
import { listen } from '../../src/serve/listen.ts';
import type { Env, Handler } from '../../src/serve/request-context.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';

const small = ofEachTest(openSmallApp);

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

it('a request under way is answered before the server closes, and none is accepted afterwards', async () => {
  const { app, started } = slow();
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const answer = fetch(listening.origin, { headers: { Connection: 'close' } });
  await started;
  await listening.close();
  expect(await (await answer).text()).toBe('answered');
  await expect(fetch(listening.origin)).rejects.toThrow();
});

it('an address in use is named, with the code of a wrong configuration', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(listen(slow().app, { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  });
  other.close();
});

it('[C/5] a path with dot segments is not found, in any spelling: a cache knows it under another name', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      get(listening.origin, { path, agent: false }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      ),
    );
  expect(await statusOf('/api/v1/public/indices?search=/../x')).toBe(200);
  for (const path of ['markets/%2e%2e/indices', 'markets/../indices', './indices', 'markets/.%2E/indices'])
    expect([path, await statusOf(`/api/v1/public/${path}`)]).toEqual([path, 404]);
  await listening.close();
});

it('an idle socket is closed, and its answers end', async () => {
  const ended = Promise.withResolvers<void>();
  const app = new Hono();
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => ended.resolve(),
    });
  app.get('/', () => new Response(endless()));
  const listening = await listen(app, { host: '127.0.0.1', port: 0 }, { stalledTimeout: 200 });
  const socket = connect(Number(new URL(listening.origin).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await ended.promise;
  socket.destroy();
  await listening.close();
});

/** Long enough on a busy machine too. */
const SOON = { timeout: 20_000 };

it(
  'a request that takes too long is told so, and its connection closed, soon after the limit',
  SOON,
  async () => {
    const listening = await listen(small.app, { host: '127.0.0.1', port: 0 }, { headersTimeout: 50 });
    const text = await send(listening.origin, 'GET /livez HTTP/1.1\r\nHost: x\r\n');
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('the request did not arrive in time');
    await listening.close();
  },
);

it('[C/5] a request with an unreadable host or path is refused in the words and headers of all others', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const known = await fetch(`${listening.origin}/nothing`);
  for (const [path, host, given] of [
    ['/api/v1/public/indices', 'a b', 'the-same-one'],
    ['/api/v1/public/indices', 'x:y:z', undefined],
    ['/api/v1/public/indices\\x', 'a', 'GET'],
  ] as const) {
    const headers = { Host: host, ...(given ? { 'X-Request-Id': given } : {}) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(listening.origin, { path, headers, agent: false }, resolve).on('error', reject),
    );
    const body = JSON.parse((await answer.toArray()).join(''));
    expect([answer.statusCode, body]).toEqual([
      400,
      {
        error: 'invalid_parameter',
        message: 'the host or the path of the request cannot be read',
        request_id: answer.headers['x-request-id'],
      },
    ]);
    const names = (all: Iterable<string>) => [...all].filter((name) => !OF_CONNECTION.includes(name)).sort();
    expect(names(Object.keys(answer.headers))).toEqual(names(known.headers.keys()));
  }
  expect(small.reported).toEqual([]);
  await listening.close();
});

it('[C/5] what Node cannot parse as a request is refused in the words and headers of all others', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const known = await fetch(`${listening.origin}/nothing`);
  for (const [text, status, message] of [
    ['GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', 400, 'the request cannot be read'],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'the headers of the request are too long'],
    ['not a request\r\n\r\n', 400, 'the request cannot be read'],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'the request names no host'],
    ['GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400, 'the request names two hosts'],
  ] as const) {
    const [head = '', body = ''] = (await send(listening.origin, text)).split('\r\n\r\n');
    const [first, ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_parameter',
      message,
      request_id: headers.get('x-request-id'),
    });
    expect(headers.get('content-length')).toBe(String(body.length));
    const names = (all: Headers) => [...all.keys()].filter((name) => !OF_CONNECTION.includes(name));
    expect(names(headers)).toEqual(names(known.headers));
  }
  await listening.close();
});

it('headers are read alike with and without a Node server, repeated ones joined', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const tagOf = async () => (await small.app.request('/api/v1/public/indices')).headers.get('etag') ?? '';
  for (const [name, values, status] of [
    ['If-None-Match', ['"other"', await tagOf()], 304],
    ['If-None-Match', ['"other"', '"more"'], 200],
    ['If-None-Match', ['*'], 304],
    ['X-Request-Id', ['given-by-caller'], 200],
    ['X-Request-Id', ['given-by-caller', 'twice-over'], 200],
    ['Accept-Encoding', ['identity;q=1', 'gzip;q=0.5'], 200],
  ] as const) {
    const lines = values.map((value) => `${name}: ${value}\r\n`).join('');
    const text = await send(
      listening.origin,
      `GET /api/v1/public/indices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`,
    );
    const without = await small.app.request('/api/v1/public/indices', {
      headers: values.map((value) => [name, value] as [string, string]),
    });
    const encoding = without.headers.get('content-encoding');
    expect([name, values, text.split(' ')[1]]).toEqual([name, values, String(status)]);
    expect(without.status).toBe(status);
    expect(text.includes('Content-Encoding: gzip')).toBe(encoding === 'gzip');
    expect(text.includes('X-Request-Id: given-by-caller\r\n')).toBe(
      without.headers.get('x-request-id') === 'given-by-caller',
    );
  }
  await listening.close();
});

it('[C/5] two keys in one request are refused rather than one of them used', async () => {
  const { app, small } = openSmallApp();
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const statusOf = async (lines: string) =>
    (
      await send(
        listening.origin,
        `GET /api/v1/indices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`,
      )
    ).split(' ')[1];
  for (const name of ['Authorization: Bearer', 'X-API-Key:']) {
    const line = `${name} ${small.keys.acme}\r\n`;
    expect([name, await statusOf(line), await statusOf(line + line)]).toEqual([name, '200', '401']);
  }
  await listening.close();
});

it('unreadable bytes after an answer end the connection, and nothing is put into the answer', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const text = await send(listening.origin, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\nno request\r\n\r\n');
  expect(text.match(/HTTP\/1.1 /g)).toHaveLength(1);
  await listening.close();
});

/** Everything a server answers to a text until it closes the connection. */
async function send(origin: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write(text);
  return (await socket.toArray()).join('');
}

const OF_CONNECTION = ['connection', 'date', 'keep-alive'];

it('[C/5] HEAD has the headers of GET, its length too, and no body', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const headers = { 'X-Request-Id': 'the-same-one' };
  for (const path of ['/api/v1/public/indices', '/api/v1/public/indices/NONE', '/llms.txt', '/livez'])
    for (const accepted of ['identity', 'br']) {
      const ask = (method: string) =>
        fetch(listening.origin + path, { method, headers: { ...headers, 'Accept-Encoding': accepted } });
      const [got, head] = [await ask('GET'), await ask('HEAD')];
      expect(head.status).toBe(got.status);
      const shown = (answer: Response) =>
        [...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name));
      expect([path, shown(head)]).toEqual([path, shown(got)]);
      expect(got.headers.get('content-length')).toMatch(/^\d+$/);
      expect(await head.text()).toBe('');
      await got.text();
    }
  await listening.close();
});

it('a connection with more than 32 unanswered requests is closed: nobody waits for thousands sent at once', async () => {
  let taken = 0;
  const app = new Hono();
  app.get('/', async (context) => {
    taken++;
    await new Promise((resolve) => setTimeout(resolve, 10));
    return context.text('answered');
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const ahead = (requests: number) =>
    send(
      listening.origin,
      `${'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests - 1)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
  expect((await ahead(32)).match(/answered/g)).toHaveLength(32);
  taken = 0;
  await ahead(1000).catch(() => {});
  expect(taken).toBe(32);
  expect(await (await fetch(listening.origin)).text()).toBe('answered');
  await listening.close();
});

it('a connection may be asked any number of times, one request after another', async () => {
  const app = new Hono();
  app.get('/', (context) => context.text('answered'));
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<unknown>();
  for (let i = 0; i < 100; i++) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get(listening.origin, { agent }, resolve).once('error', reject);
    const response = await promise;
    ports.add(response.socket.localPort);
    expect(await text(response)).toBe('answered');
  }
  expect(ports.size).toBe(1);
  agent.destroy();
  await listening.close();
});

it('a refused client that goes on sending cannot hold its connection open', async () => {
  const times = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 };
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 }, times);
  const socket = connect({ port: Number(new URL(listening.origin).port), allowHalfOpen: true });
  // It is reset while it writes.
  socket.on('error', () => {});
  let heard = '';
  socket.on('data', (part) => {
    heard += part;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const sending = setInterval(() => socket.write('X-A: b\r\n'), 20);
  await vi.waitFor(() => expect(heard).toMatch(/^HTTP\/1\.1 408 .*did not arrive in time/s), SOON);
  await vi.waitFor(() => expect(socket.closed).toBe(true), SOON);
  clearInterval(sending);
  await listening.close();
});

it('[C/5] an expectation that nobody meets is ignored', async () => {
  const listening = await listen(small.app, { host: '127.0.0.1', port: 0 });
  const path = '/api/v1/public/indices';
  for (const expected of ['100-continue', 'wonders'])
    expect(
      await send(
        listening.origin,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: ${expected}\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/HTTP\/1\.1 200 OK\r\n[\s\S]*X-Request-Id/);
  await listening.close();
});

it.each(['an address', 'a key'])(
  '%s that requests much and reads none of it is refused until it reads or gives up',
  async (client) => {
    const { store, keys } = small.small;
    const unread = new UnreadAnswers(0);
    const spending =
      client === 'an address'
        ? limitAddresses({ requests: 1000, window_ms: 1000, trusted_hops: 0 }, () => 0)
        : (handler: Handler): Handler =>
            (context) => {
              admit(context, { store, keys: undefined, unread, elapsed: () => 0 });
              return handler(context);
            };
    const app = new Hono<Env>();
    app.onError((thrown) => {
      const { retryAfterSeconds } = thrown as ForemarkError;
      return new Response(thrown.message, {
        status: 429,
        headers: { 'Retry-After': `${retryAfterSeconds}` },
      });
    });
    const big = 'x'.repeat(32 * 1024 * 1024);
    app.get(
      '/big',
      spending(() => new Response(big)),
    );
    app.get(
      '/small',
      spending(() => new Response('small')),
    );
    const listening = await listen(app, { host: '127.0.0.1', port: 0 });
    const ask = async () => {
      const answer = await fetch(`${listening.origin}/small`, { headers: bearer(keys.acme) });
      await answer.text();
      return [answer.status, answer.headers.get('retry-after')];
    };
    expect(await ask()).toEqual([200, null]);
    const { port } = new URL(listening.origin);
    const idle = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), '127.0.0.1').pause();
      socket.write(`GET /big HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.acme}\r\n\r\n`);
      return socket;
    });
    await vi.waitFor(async () => expect(await ask()).toEqual([429, '10']), SOON);
    for (const socket of idle) socket.destroy();
    await vi.waitFor(async () => expect(await ask()).toEqual([200, null]), SOON);
    await listening.close();
  },
);
