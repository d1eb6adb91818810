import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { limitAddresses } from '../../../src/serve/callers/address-budget.ts';
import { Budget } from '../../../src/serve/callers/budget.ts';
import { clientAddress } from '../../../src/serve/callers/client-address.ts';
import type { Env } from '../../../src/serve/request-context.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../../helpers/small-app.ts';
import { NOW, openSmallStore } from '../../helpers/small-store.ts';

const LIMIT = { requests: 5, window_ms: 10_000 };
const PATH = '/api/v1/public/indices/SMALL';

const app = ofEachTest(() =>
  openSmallApp(openSmallStore(), undefined, { addressBudget: { ...LIMIT, trusted_hops: 1 } }),
);
let peer = 0;
beforeEach(() => {
  peer++;
});

/** @param forwarded the header of the proxy in front; absent for a direct request */
async function ask(forwarded?: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = new Headers({ ...(forwarded ? { 'X-Forwarded-For': forwarded } : {}), ...headers });
  const incoming = { headers: Object.fromEntries(sent), socket: { remoteAddress: `10.0.0.${peer}` } };
  const response = await app.app.request(PATH, { method, headers: sent }, { incoming });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

async function statuses(count: number, each: (i: number) => ReturnType<typeof ask>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await each(i)).status);
  return all;
}

describe('the budget of an address', () => {
  it('[5/1][7/2] is spent by its requests, then 429 until ten seconds have passed', async () => {
    expect(await statuses(6, () => ask())).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await ask();
    expect(JSON.parse(refused.body)).toMatchObject({
      error: 'too_many_requests',
      message: 'too many requests; wait 10 seconds and retry',
    });
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.headers.get('ratelimit-policy')).toBe('"free";q=5;w=10');
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=10');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    app.clock.now = NOW + 10_000;
    expect((await ask()).status).toBe(200);
    app.clock.now = NOW;
  });

  it('is in no answer that caches keep', async () => {
    const answer = await ask();
    expect([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')]).toEqual([null, null]);
  });

  it('[5/1] is charged for HEAD and errors, but not for 304 and OPTIONS', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    expect(await statuses(20, () => ask(undefined, { 'If-None-Match': etag }))).toEqual(Array(20).fill(304));
    expect(await statuses(20, () => ask(undefined, {}, 'OPTIONS'))).toEqual(Array(20).fill(204));
    expect(await statuses(5, () => ask(undefined, {}, 'HEAD'))).toEqual([200, 200, 200, 200, 429]);
  });

  it('belongs to whom the trusted proxy names, not to whom the caller claims to be', async () => {
    expect(await statuses(7, (i) => ask(`192.0.2.${i}, 203.0.113.9`))).toEqual([
      200, 200, 200, 200, 200, 429, 429,
    ]);
    expect((await ask('203.0.113.9, 203.0.113.10')).status).toBe(200);
    expect(await statuses(7, (i) => ask(`not an address ${i}`))).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('of IPv6 is that of a /64, and ten times as much for a /48', async () => {
    expect(await statuses(6, (i) => ask(`2001:db8:1:2::${i + 1}`))).toEqual([200, 200, 200, 200, 200, 429]);
    const many = await statuses(100, (i) => ask(`2001:db8:ffff:${(i + 1).toString(16)}00::1`));
    expect(many.filter((status) => status === 200)).toHaveLength(50);
  });

  it('of a /48 is charged for no 304, and what it refuses costs an address nothing', async () => {
    const etag = (await ask('2001:db8:1:1::1')).headers.get('etag') ?? '';
    const unchanged = (i: number) => ask(`2001:db8:1:${i}::1`, { 'If-None-Match': etag });
    expect(await statuses(60, unchanged)).toEqual(Array(60).fill(304));
    expect(await statuses(49, (i) => ask(`2001:db8:1:${100 + i}::1`))).toEqual(Array(49).fill(200));
    app.clock.now = NOW + 9_000;
    const late = () => ask('2001:db8:1:999::1');
    expect(await statuses(5, late)).toEqual(Array(5).fill(429));
    app.clock.now = NOW + 10_000;
    expect(await statuses(6, late)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is charged for a 304 too once finding out that nothing has changed took a tenth of the window', async () => {
    let clock = 0;
    let took = 0;
    const hono = new Hono<Env>();
    hono.onError(() => new Response(null, { status: 429 }));
    const limit = limitAddresses({ ...LIMIT, trusted_hops: 1 }, () => clock);
    hono.get(
      '/',
      limit(() => {
        clock += took;
        return new Response(null, { status: 304 });
      }),
    );
    const unchanged = async (count: number, network: number) => {
      const all: number[] = [];
      for (let i = 0; i < count; i++) {
        // Of a /48 whose addresses all ask: the server's time is theirs together.
        const headers = { 'x-forwarded-for': `2001:db8:${network}:${i % 2}::1` };
        all.push((await hono.request('/', { headers }, { incoming: { headers, socket: {} } })).status);
      }
      return all;
    };
    expect(await unchanged(100, 1)).toEqual(Array(100).fill(304));
    took = 100;
    expect(await unchanged(25, 1)).toEqual([...Array(20).fill(304), ...Array(5).fill(429)]);
    expect(await unchanged(1, 2)).toEqual([304]);
    clock += LIMIT.window_ms;
    expect(await unchanged(20, 1)).toEqual(Array(20).fill(304));
  });

  it('does not count requests of the other tier or the server’s own paths', async () => {
    for (let i = 0; i < 20; i++) {
      expect((await app.get('/livez')).status).toBe(200);
      expect((await app.get('/api/v1/indices')).status).toBe(401);
    }
  });
});

describe('a budget of another window', () => {
  it('is announced with its own window, and whoever waits that long is answered', async () => {
    const limit = { requests: 1, window_ms: 60_000 };
    const slow = openSmallApp(openSmallStore(), undefined, {
      addressBudget: { ...limit, trusted_hops: 0 },
      keyBudget: limit,
    });
    const member = { Authorization: `Bearer ${slow.small.keys.acme}` };
    for (const [path, headers] of [
      [PATH, {}],
      ['/api/v1/rates', member],
    ] as const) {
      slow.clock.now = NOW;
      expect((await slow.get(path, headers)).status).toBe(200);
      slow.clock.now += 4_500;
      const refused = await slow.get(path, headers);
      expect(refused.headers.get('ratelimit')).toMatch(/;r=0;t=56$/);
      const wait = Number(refused.headers.get('retry-after'));
      expect([refused.status, wait, refused.body.message]).toEqual([
        429,
        60,
        'too many requests; wait 60 seconds and retry',
      ]);
      slow.clock.now += wait * 1000;
      expect((await slow.get(path, headers)).status).toBe(200);
    }
    slow.small.close();
  });
});

it('a key has a budget of its own, also beside another key of its organization', async () => {
  const limited = openSmallApp(openSmallStore(), undefined, { keyBudget: LIMIT });
  const { acme, all } = limited.small.keys;
  const statusOf = async (key: string) => (await limited.get('/api/v1/rates', bearer(key))).status;
  for (let i = 0; i < LIMIT.requests; i++) expect(await statusOf(acme)).toBe(200);
  expect([await statusOf(acme), await statusOf(all)]).toEqual([429, 200]);
  limited.small.close();
});

it('a key spends its budget on what its scopes do not cover, too, and each of these answers states what is left', async () => {
  const limited = openSmallApp(openSmallStore(), undefined, { keyBudget: LIMIT });
  const answers = [];
  for (let i = 0; i <= LIMIT.requests; i++)
    answers.push(await limited.get('/api/v1/filings', bearer(limited.small.keys.other)));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual(
    [4, 3, 2, 1, 0, 0].map((left) => `"key";r=${left};t=10`),
  );
  expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"key";q=5;w=10');
  limited.small.close();
});

describe('a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['[2001:db8::1]:443', '20010db800000000/64'],
    ['2001:DB8:0:0:1::', '20010db800000000/64'],
    ['fe80::1%eth0.100', 'fe80000000000000/64'],
  ])('%s has one name: %s', (text, key) => {
    expect(clientAddress(text, undefined, 0).key).toBe(key);
    expect(clientAddress('10.0.0.1', `1.1.1.1, ${text}`, 1).key).toBe(key);
    expect(clientAddress('10.0.0.1', `${text}, 1.1.1.1`, 2).key).toBe(key);
  });

  it.each(['', 'x', '1', '0x7f.1', '300.1.1.1', 'a:b', ',', 'unknown', `${'1'.repeat(5000)}`])(
    'that cannot be parsed, such as %s, is the peer',
    (text) => {
      expect(clientAddress('10.0.0.1', text, 1)).toEqual({ key: '10.0.0.1' });
    },
  );

  it('is the peer when no proxy is trusted', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1', 0).key).toBe('10.0.0.1');
    expect(clientAddress(undefined, undefined, 0).key).toBe('unknown');
  });
});

describe('a budget', () => {
  it('is remembered for a limited number of callers, and never forgotten while one keeps asking', () => {
    const budget = new Budget(LIMIT);
    for (const caller of ['offender', 'leaver'])
      for (let i = 0; i < LIMIT.requests; i++) budget.spend(caller, NOW);
    expect(budget.spend('leaver', NOW).allowed).toBe(false);
    for (let i = 0; i < 300_000; i++) {
      budget.spend(`other ${i}`, NOW);
      if (i % 1000 === 0) expect(budget.spend('offender', NOW).allowed).toBe(false);
    }
    expect(budget.spend('leaver', NOW).allowed).toBe(true);
  });
});
