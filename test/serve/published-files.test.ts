import { hash } from 'node:crypto';
import { readdirSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { openSmallApp, type SmallApp } from '../helpers/small-app.ts';
import { openSmallStore, type SmallStore } from '../helpers/small-store.ts';
import { memorySink } from '../publish/memory-sink.ts';

let small: SmallStore;
let folder: string;
let sink: ReturnType<typeof folderSink>;
let app: SmallApp;
let elapsed: number;
beforeEach(() => {
  elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  small = openSmallStore();
  folder = join(small.folder, 'public');
  sink = folderSink(folder);
  app = openSmallApp(small, sink);
});
afterEach(() => {
  vi.restoreAllMocks();
  small.close();
});

const ask = (path: string, headers: Record<string, string> = {}) => app.app.request(path, { headers });

it('a published file is served as stored: a new version shows within a tenth of a second, a removed file is gone', async () => {
  for (const key of ['explorer/names.json', 'cards/indices/SMALL.svg', 'bulk/marks.csv']) {
    expect((await ask(`/${key}`)).status).toBe(404);
    // The same length within the same instant, too.
    const times = { atime: 1_700_000_000, mtime: 1_700_000_000 };
    for (const text of ['before', 'behind', 'after']) {
      elapsed += 100;
      await sink.write(key, Buffer.from(text));
      utimesSync(join(folder, key), times.atime, times.mtime);
      expect(statSync(join(folder, key)).mtimeMs).toBe(times.mtime * 1000);
      for (let i = 0; i < 2; i++) {
        const answer = await ask(`/${key}`);
        expect([answer.status, await answer.text()]).toEqual([200, text]);
        const again = await ask(`/${key}`, { 'If-None-Match': answer.headers.get('etag') ?? '' });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
    }
    await sink.remove(key);
    elapsed += 100;
    expect((await ask(`/${key}`)).status).toBe(404);
  }
});

it('the explorer is at the root, and who looks for it in the folder of its files is sent there', async () => {
  for (const path of ['/explorer', '/explorer/']) {
    const { status, headers } = await ask(path);
    expect([status, headers.get('location'), headers.has('x-request-id')]).toEqual([308, '/', true]);
  }
});

it('a path that cannot be a published file is not found, and no server error', async () => {
  await sink.write('cards/indices/SMALL.svg', Buffer.from('<svg/>'));
  const long = 'a'.repeat(300);
  for (const path of [
    'cards/indices',
    'cards/indices/SMALL.svg/more',
    `cards/${long}`,
    `bulk${'/a'.repeat(2000)}`,
  ])
    expect((await ask(`/${path}`)).status, path.slice(0, 40)).toBe(404);
  expect(app.reported).toEqual([]);
});

it('a file of a folder is checked once in a tenth of a second, however many ask', async () => {
  await sink.write('explorer/names.json', Buffer.from('before'));
  let looks = 0;
  const looked = {
    ...sink,
    stamp: (key: string) => {
      looks++;
      return sink.stamp?.(key);
    },
  };
  const served = openSmallApp(small, looked);
  const ask = async () => (await served.app.request('/explorer/names.json')).text();
  for (let i = 0; i < 9; i++) await ask();
  elapsed += 99;
  await ask();
  expect(looks).toBe(0);
  for (let i = 1; i < 4; i++) {
    elapsed += 100;
    for (let j = 0; j < 9; j++) await ask();
    expect(looks).toBe(i);
  }
});

it('If-None-Match matches weak tags and lists of tags, for the documentation too', async () => {
  await sink.write('explorer/names.json', Buffer.from('{}'));
  for (const path of ['/explorer/names.json', '/api/v1/openapi.json', '/docs', '/llms.txt']) {
    const etag = (await ask(path)).headers.get('etag') ?? '';
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect([path, condition, (await ask(path, { 'If-None-Match': condition })).status]).toEqual([
        path,
        condition,
        304,
      ]);
    expect((await ask(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  }
});

describe('the date of a published file', () => {
  const asked = async (key: string, headers: Record<string, string>) => {
    const answer = await ask(`/${key}`, headers);
    return [answer.status, Buffer.from(await answer.arrayBuffer()).at(0)];
  };
  const dateOf = async (key: string) => {
    const { headers, body } = await ask(`/${key}`);
    await body?.cancel();
    return headers.get('last-modified') ?? '';
  };

  it.each([
    ['a text', 'bulk/marks.csv', 10],
    ['one that is compressed', 'bulk/marks.csv', 10_000],
    ['one too large for the cache', 'bulk/marks.parquet', 3 * 1024 * 1024],
    ['a text too large for the cache', 'bulk/marks.csv', 3 * 1024 * 1024],
  ])('asks for changes alone, also of versions within a second: %s', async (_, key, size) => {
    let before = '';
    for (const fill of [1, 2, 3]) {
      elapsed += 100;
      await sink.write(key, Buffer.alloc(size, fill));
      expect(await asked(key, { 'If-Modified-Since': before })).toEqual([200, fill]);
      const date = await dateOf(key);
      expect(date).toBe(statSync(join(folder, key)).mtime.toUTCString());
      for (const headers of [{}, { 'Accept-Encoding': 'gzip' }, { Range: 'bytes=0-3' }])
        expect(await asked(key, { ...headers, 'If-Modified-Since': date })).toEqual([304, undefined]);
      before = date;
    }
  });

  it('yields to a tag, and counts only if it is the very date: what is restored may be older', async () => {
    const key = 'cards/indices/SMALL.svg';
    await sink.write(key, Buffer.from([7]));
    const date = await dateOf(key);
    const { headers } = await ask(`/${key}`);
    const etag = headers.get('etag') ?? '';
    expect(await asked(key, { 'If-Modified-Since': date, 'If-None-Match': '"other"' })).toEqual([200, 7]);
    const other = new Date(Date.parse(date) + 1000).toUTCString();
    expect(await asked(key, { 'If-Modified-Since': other, 'If-None-Match': etag })).toEqual([304, undefined]);
    for (const since of [other, new Date(0).toUTCString(), 'yesterday', ''])
      expect(await asked(key, { 'If-Modified-Since': since })).toEqual([200, 7]);
    const again = await ask(`/${key}`, { 'If-Modified-Since': date });
    for (const name of ['etag', 'last-modified', 'cache-control', 'vary', 'access-control-allow-origin'])
      expect(again.headers.get(name), name).toBe(headers.get(name));
  });

  it('is absent from what the server says itself: that may change without a file', async () => {
    await sink.write('explorer/outlet.json', Buffer.from('{}'));
    const date = statSync(join(folder, 'explorer/outlet.json')).mtime.toUTCString();
    for (const path of ['/explorer/outlet.json', '/api/v1/public/indices', '/llms.txt']) {
      const answer = await ask(path, { 'If-Modified-Since': date });
      expect([path, answer.status, answer.headers.get('last-modified')]).toEqual([path, 200, null]);
    }
  });
});

it('a published text is compressed, an image is not', async () => {
  const body = Buffer.from('the same again and again '.repeat(100));
  for (const [key, encoding] of [
    ['explorer/explorer.js', 'gzip'],
    ['cards/indices/SMALL.svg', 'gzip'],
    ['cards/indices/SMALL.png', null],
    ['bulk/marks.parquet', null],
  ] as const) {
    await sink.write(key, body);
    const answer = await ask(`/${key}`, { 'Accept-Encoding': 'gzip' });
    expect([key, answer.headers.get('content-encoding')]).toEqual([key, encoding]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(encoding ? gunzipSync(bytes) : bytes).toEqual(body);
    const etag = answer.headers.get('etag') ?? '';
    expect((await ask(`/${key}`, { 'If-None-Match': etag })).status).toBe(304);
  }
});

it('any part of a bulk file can be asked for, small or too large for the cache, as readers of Parquet do', async () => {
  for (const [size, ending] of [
    [1_000, 'parquet'],
    [3 * 1024 * 1024, 'parquet'],
    [3 * 1024 * 1024, 'csv'],
  ] as const) {
    const body = Buffer.from(Uint8Array.from({ length: size }, (_, i) => i % 251));
    const path = `/bulk/${size}.${ending}`;
    await sink.write(path.slice(1), body);
    const whole = await ask(path);
    const etag = whole.headers.get('etag') ?? '';
    expect([whole.headers.get('accept-ranges'), (await whole.arrayBuffer()).byteLength]).toEqual([
      'bytes',
      size,
    ]);
    // A page of another origin, such as DuckDB in a browser, can only read a header that is named.
    expect(whole.headers.get('access-control-expose-headers')).toContain('Content-Range');
    const part = async (range: string, headers: Record<string, string> = {}) => {
      const answer = await ask(path, { Range: range, ...headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      // Node would close the connection early, or wait, where this is wrong.
      if (answer.status === 206) expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength));
      // A file that grows has the part that it does not have now.
      if (answer.status === 416) expect(answer.headers.get('cache-control')).toBe('no-store');
      return [answer.status, answer.headers.get('content-range'), hash('sha256', bytes)];
    };
    const all = [200, null, hash('sha256', body)];
    const expected = (from: number, to: number) => [
      206,
      `bytes ${from}-${to}/${size}`,
      hash('sha256', body.subarray(from, to + 1)),
    ];
    expect(await part('bytes=0-3')).toEqual(expected(0, 3));
    expect(await part('Bytes=0-3')).toEqual(expected(0, 3));
    expect(await part('bytes=990-')).toEqual(expected(990, size - 1));
    expect(await part('bytes=5-5')).toEqual(expected(5, 5));
    expect(await part('bytes=-8')).toEqual(expected(size - 8, size - 1));
    expect(await part(`bytes=-${size + 8}`)).toEqual(expected(0, size - 1));
    expect(await part(`bytes=${size - 2}-${size + 9}`)).toEqual(expected(size - 2, size - 1));
    expect(await part('bytes=0-3', { 'If-Range': etag })).toEqual(expected(0, 3));
    for (const range of ['bytes=3-0', 'bytes=0-1,4-5', 'bytes=-', 'lines=0-1', 'bytes=a-b'])
      expect([range, await part(range)]).toEqual([range, all]);
    expect(await part('bytes=0-3', { 'If-Range': '"other"' })).toEqual(all);
    for (const range of [`bytes=${size}-`, 'bytes=-0'])
      expect(await part(range)).toEqual([416, `bytes */${size}`, hash('sha256', '')]);
    expect((await part('bytes=0-3', { 'If-None-Match': etag }))[0]).toBe(304);
    const head = await app.get(path, { Range: 'bytes=0-3' }, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
  }
});

it('of other files there are no parts: what cannot be continued is not offered either', async () => {
  await sink.write('explorer/names.json', Buffer.from('{"a":1}'));
  const answer = await ask('/explorer/names.json', { Range: 'bytes=0-3' });
  expect([answer.status, answer.headers.get('accept-ranges'), await answer.text()]).toEqual([
    200,
    null,
    '{"a":1}',
  ]);
});

describe('a file too large for the cache', () => {
  const KEY = 'bulk/catalog/2026-04-14.parquet';
  const bytes = (fill: number) => Buffer.alloc(3 * 1024 * 1024, fill);
  /** How many times this process has a file of the folder open. */
  const opened = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes(join(folder, 'bulk'));
      } catch {
        return false;
      }
    }).length;

  it('is sent as it is read, never whole in memory, with the headers of any other', async () => {
    await sink.write(KEY, bytes(1));
    const read = vi.fn(sink.read);
    const { get, app: served } = openSmallApp(small, { ...sink, read });
    const answer = await served.request(`/${KEY}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes(1))).toBe(true);
    const etag = `"${hash('sha256', bytes(1)).slice(0, 32)}"`;
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'content-length': String(3 * 1024 * 1024),
      'content-type': 'application/vnd.apache.parquet',
      'cache-control': 'public, no-cache',
    });
    const head = await get(`/${KEY}`, {}, 'HEAD');
    expect([head.text, head.headers.get('content-length')]).toEqual(['', String(3 * 1024 * 1024)]);
    const known = await get(`/${KEY}`, { 'If-None-Match': etag });
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
    expect(read).not.toHaveBeenCalled();
    await expect.poll(opened).toBe(0);
  });

  it('that is a text is hashed once for each version and compressed once for each encoding', async () => {
    const key = 'bulk/catalog/2026-04-14.csv';
    const reads = vi.fn();
    const open = async (key: string) => {
      const file = await sink.open?.(key);
      const read: NonNullable<typeof file>['read'] = (range) => {
        reads();
        return file?.read(range) as ReturnType<NonNullable<typeof file>['read']>;
      };
      return file && { ...file, read };
    };
    const { app: served } = openSmallApp(small, { ...sink, open });
    const asked = (headers: Record<string, string>, method = 'GET') =>
      served.request(`/${key}`, { method, headers });
    for (const fill of [65, 66]) {
      await sink.write(key, bytes(fill));
      const digest = hash('sha256', bytes(fill)).slice(0, 32);
      const packed = { 'Accept-Encoding': 'gzip' };
      for (let i = 0; i < 3; i++) {
        const answer = await asked(packed);
        const sent = Buffer.from(await answer.arrayBuffer());
        expect(answer.headers.get('etag')).toBe(`"${digest}-gzip"`);
        expect(gunzipSync(sent).equals(bytes(fill))).toBe(true);
        const head = await asked(packed, 'HEAD');
        expect(head.headers.get('content-length')).toBe(String(sent.byteLength));
        for (const condition of [`"${digest}"`, `"${digest}-gzip"`])
          expect((await asked({ ...packed, 'If-None-Match': condition })).status).toBe(304);
        expect((await asked({ Range: `bytes=${bytes(fill).byteLength}-` })).status).toBe(416);
      }
      expect(reads).toHaveBeenCalledTimes(2);
      const plain = await asked({});
      expect([plain.headers.get('etag'), plain.headers.get('content-length')]).toEqual([
        `"${digest}"`,
        String(bytes(fill).byteLength),
      ]);
      expect(Buffer.from(await plain.arrayBuffer()).equals(bytes(fill))).toBe(true);
      expect(reads).toHaveBeenCalledTimes(3);
      reads.mockClear();
    }
    await expect.poll(opened).toBe(0);
  });

  it('stays what it was to whoever reads it while another takes its place, and is closed when nobody reads on', async () => {
    await sink.write(KEY, bytes(1));
    const [before, left] = [await ask(`/${KEY}`), await ask(`/${KEY}`)];
    await sink.write(KEY, bytes(2));
    const after = await ask(`/${KEY}`);
    await left.body?.cancel();
    expect(Buffer.from(await before.arrayBuffer()).equals(bytes(1))).toBe(true);
    expect(Buffer.from(await after.arrayBuffer()).equals(bytes(2))).toBe(true);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await sink.remove(KEY);
    expect((await ask(`/${KEY}`)).status).toBe(404);
    await expect.poll(opened).toBe(0);
  });
});

it.each([
  ['explorer/names.json', 6],
  ['bulk/catalog/2026-04-14.csv', 5_000_000],
])('a file of a bucket is read once in five seconds, however many ask: %s of %d bytes', async (key, size) => {
  const bucket = memorySink();
  const served = openSmallApp(small, bucket);
  const [before, after] = ['b', 'a'].map((letter) => letter.repeat(size));
  const isAnswered = async (text: string | undefined) =>
    (await (await served.app.request(`/${key}`)).text()) === text;
  await bucket.write(key, Buffer.from(before ?? ''));
  const { requests } = bucket;
  for (let i = 0; i < 9; i++) expect(await isAnswered(before)).toBe(true);
  expect(bucket.requests).toBe(requests + 1);
  await bucket.write(key, Buffer.from(after ?? ''));
  elapsed += 4_999;
  expect(await isAnswered(before)).toBe(true);
  elapsed += 1;
  expect(await isAnswered(after)).toBe(true);
});

it('bulk files are charged to the budget of an address; these and the cards are open to any origin, the explorer is not', async () => {
  const { app: limited } = openSmallApp(small, sink, {
    addressBudget: { requests: 2, window_ms: 10_000, trusted_hops: 0 },
  });
  const free = ['cards/indices/SMALL.svg', 'cards/sparklines.json', 'publication.json'];
  for (const key of ['bulk/marks.csv', 'explorer/names.json', ...free])
    await sink.write(key, Buffer.from('text'));
  const asked = async (path: string) => {
    const { status, headers } = await limited.request(path);
    return [status, headers.get('access-control-allow-origin')];
  };
  for (const expected of [200, 200, 429, 429])
    expect(await asked('/bulk/marks.csv')).toEqual([expected, '*']);
  for (const key of free) expect(await asked(`/${key}`)).toEqual([200, '*']);
  for (let i = 0; i < 4; i++) expect(await asked('/explorer/names.json')).toEqual([200, null]);
});

it('an address that asks for too many files that do not exist is refused, also among the free ones', async () => {
  await sink.write('explorer/names.json', Buffer.from('text'));
  const { app: limited, clock } = openSmallApp(small, sink, {
    addressBudget: { requests: 2, window_ms: 10_000, trusted_hops: 1 },
  });
  const asked = async (path: string, client = '192.0.2.1') =>
    (await limited.request(path, { headers: { 'X-Forwarded-For': client } })).status;
  for (const path of ['/explorer/none.js', '/cards/none.svg']) {
    expect(await asked('/explorer/names.json')).toBe(200);
    expect(await asked(path)).toBe(404);
  }
  for (const path of ['/explorer/none.js', '/cards/none.svg', '/explorer/names.json'])
    expect(await asked(path)).toBe(429);
  expect(await asked('/bulk/none.csv')).toBe(404);
  expect(await asked('/explorer/none.js', '192.0.2.2')).toBe(404);
  clock.now += 10_000;
  expect(await asked('/explorer/none.js')).toBe(404);
  clock.now -= 10_000;
});

it('a bulk file that is too large for the cache costs nothing either while it has not changed', async () => {
  const { app: limited } = openSmallApp(small, sink, {
    addressBudget: { requests: 2, window_ms: 10_000, trusted_hops: 0 },
  });
  await sink.write('bulk/marks.csv', Buffer.alloc(2 * 1024 * 1024));
  const whole = await limited.request('/bulk/marks.csv');
  const unchanged = { headers: { 'If-None-Match': whole.headers.get('etag') ?? '' } };
  await whole.arrayBuffer();
  for (let i = 0; i < 4; i++) expect((await limited.request('/bulk/marks.csv', unchanged)).status).toBe(304);
});

it('a published file allows no other method, and says so', async () => {
  const refused = await app.app.request('/explorer/names.json', { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it('only the explorer, cards and bulk files are served, whether cached or not', async () => {
  await sink.write('archive/pointer.json', Buffer.from('{}'));
  for (const path of ['/archive/pointer.json', '/explorer/../archive/pointer.json', '/explorer/%2e%2e/x'])
    for (let i = 0; i < 2; i++) expect((await ask(path)).status).toBe(404);
});
