import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../scripts/free-ports.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { type Listening, listen } from '../../src/serve/listen.ts';
import { createApp } from '../../src/serve/serve.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { IDS, NOW, openSmallStore, put, SITES, type SmallStore } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NGINX = process.env.TEST_NGINX;
const CONF = join(import.meta.dirname, '..', '..', 'data', 'cdn', 'nginx.conf');

let small: SmallStore;
let server: Listening;
let nginx: ChildProcess;
let origin: string;
let folder: string;
/** Paths that reached the server behind nginx. */
const reached: string[] = [];
/** Whom the last of them said that it came from. */
let forwardedFor: string | null = null;

describe.runIf(NGINX !== undefined)('nginx with the settings of data/cdn', () => {
  beforeAll(async () => {
    folder = temporaryFolder();
    small = openSmallStore();
    put(small.store, { market_id: 'venue_b:us:odd/id' });
    // The workers of nginx run as another user.
    chmodSync(folder, 0o755);
    const root = join(folder, 'public');
    const label = '';
    await publishStore(small.store, folderSink(root), NOW, {
      label,
      variants: ['gz'],
      bulk: true,
      cards: true,
      explorer: join(import.meta.dirname, '../../dist/explorer'),
    });
    const archive = folderSink(root);
    const app = createApp({
      store: small.store,
      archive,
      now: () => NOW,
      sites: SITES,
      label,
      report: () => {},
    });
    server = await listen(
      {
        fetch: (request: Request) => {
          reached.push(new URL(request.url).pathname);
          forwardedFor = request.headers.get('x-forwarded-for');
          return app.fetch(request);
        },
      },
      { host: '127.0.0.1', port: 0 },
    );
    const [port = 0] = await freePorts(1);
    origin = `http://127.0.0.1:${port}`;
    const settings = readFileSync(CONF, 'utf8')
      .replace('127.0.0.1:8787', new URL(server.origin).host)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('/srv/foremark/public', root);
    mkdirSync(join(folder, 'temp'));
    const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/temp/${name};`)
      .join('\n');
    const main = join(folder, 'nginx.conf');
    writeFileSync(
      main,
      `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temps}\n${settings}\n}\n`,
    );
    nginx = spawn(NGINX ?? '', ['-c', main], { stdio: 'inherit' });
    for (let tries = 0; tries < 100; tries++)
      if (
        await fetch(`${origin}/livez`).then(
          () => true,
          () => false,
        )
      )
        break;
      else await new Promise((resolve) => setTimeout(resolve, 50));
  });
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await new Promise((resolve) => nginx.once('exit', resolve));
    await server.close();
    small.close();
  });

  test.each([
    '/indices',
    '/indices/SMALL',
    '/indices/SMALL/prices',
    `/markets/${IDS.steady}`,
    `/markets/${encodeURIComponent(IDS.steady)}/indices`,
  ])('%s comes from the folder, with the bytes of the server and the headers of its class', async (path) => {
    reached.length = 0;
    const response = await fetch(`${origin}/api/v1/public${path}`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(reached).toEqual([]);
    expect(text).toBe(await (await fetch(`${server.origin}/api/v1/public${path}`)).text());
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toContain('s-maxage=60');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${origin}/api/v1/public${path}`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  test.each([
    ['/', 'text/html'],
    ['/cards/indices/SMALL.svg', 'image/svg+xml'],
    ['/cards/indices/SMALL.png', 'image/png'],
    ['/cards/sparklines.json', 'application/json'],
  ])('%s of the explorer comes from the folder as %s', async (path, type) => {
    reached.length = 0;
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(reached).toEqual([]);
  });

  test.each([
    ['/explorer', 308],
    ['/explorer/', 308],
    ['/explorer/outlet.json', 200],
    ['/api/v1/public/indices?page=2', 200],
    ['/api/v1/public/markets/venue_b%3Aus%3Aodd%2Fid', 200],
    ['/api/v1/public/indices/NONE', 404],
    ['/api/v1/indices', 401],
    ['/livez', 200],
  ])('%s goes to the server', async (path, status) => {
    reached.length = 0;
    const response = await fetch(origin + path, { redirect: 'manual' });
    await response.text();
    expect(response.status).toBe(status);
    expect(reached).toHaveLength(1);
  });

  test('the server learns the client address, so that no two readers share a budget', async () => {
    await fetch(`${origin}/livez`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(forwardedFor).toBe('192.0.2.1, 127.0.0.1');
  });

  test('a document replaced within a second by one of the same size is sent anew, not answered 304', async () => {
    const sink = folderSink(join(folder, 'public'));
    const key = 'cards/replaced.json';
    const bodies: string[] = [];
    let etag = '';
    for (const body of ['{"level":1}', '{"level":2}', '{"level":3}']) {
      await sink.write(key, Buffer.from(body));
      const response = await fetch(`${origin}/${key}`, { headers: etag ? { 'If-None-Match': etag } : {} });
      etag = response.headers.get('etag') ?? '';
      bodies.push(await response.text());
    }
    expect(bodies).toEqual(['{"level":1}', '{"level":2}', '{"level":3}']);
  });

  test.each(['related', 'news', 'filings'])(
    'the list %s is cached as long as by the server',
    async (list) => {
      const path = `/api/v1/public/markets/${IDS.steady}/${list}`;
      const [here, there] = await Promise.all([fetch(origin + path), fetch(server.origin + path)]);
      expect([await here.text(), here.headers.get('cache-control')]).toEqual([
        await there.text(),
        there.headers.get('cache-control'),
      ]);
      expect(here.headers.get('cache-control')).toContain('s-maxage=600');
    },
  );

  test('a script named by its content is cached for ever, and no type is guessed', async () => {
    const answer = await fetch(`${origin}/`);
    // A page that is kept longer would name scripts that are there no more.
    expect(answer.headers.get('cache-control')).toContain('s-maxage=60');
    const page = await answer.text();
    const [script = ''] = /explorer\/[^"]*\.js/.exec(page) ?? [];
    const response = await fetch(`${origin}/${script}`);
    await response.arrayBuffer();
    expect(response.headers.get('cache-control')).toContain('immutable');
    for (const path of [`/${script}`, '/archive/pointer.json', '/bulk/manifest.json', '/publication.json'])
      expect((await fetch(origin + path)).headers.get('x-content-type-options'), path).toBe('nosniff');
  });

  test('another method is left to the server to refuse', async () => {
    const response = await fetch(`${origin}/api/v1/public/indices`, { method: 'POST' });
    expect(response.status).toBe(405);
  });

  test('the archive is cached for ever, the pointer not at all', async () => {
    const pointer = await fetch(`${origin}/archive/pointer.json`);
    expect(pointer.headers.get('cache-control')).toBe('no-store');
    const { key } = (await pointer.json()) as { key: string };
    const record = await fetch(`${origin}/${key}`);
    expect(record.status).toBe(200);
    expect(record.headers.get('cache-control')).toContain('immutable');
  });

  test('a precompressed variant is sent to clients that accept it', async () => {
    const response = await fetch(`${origin}/api/v1/public/markets`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe(await (await fetch(`${server.origin}/api/v1/public/markets`)).text());
  });
});
