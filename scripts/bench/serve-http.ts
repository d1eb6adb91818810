import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median } from 'simple-statistics';
import { freePorts } from '../free-ports.ts';
import { startNginx } from './nginx.ts';
import { print } from './print.ts';

const ROUNDS = 5;
const SECONDS = 3;

interface Server {
  child: ChildProcess;
  origin: string;
}

async function start(way: 'ours' | 'bare', store: string, ...published: string[]): Promise<Server> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'serve-process.ts'), way, store, ...published],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${line.toString().trim()}`;
  return { child, origin };
}

/** Microseconds of processor time that a server has used so far. */
async function costOf(child: ChildProcess): Promise<number> {
  child.send('cost');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** Requests per second of the server's own processor time, so that other processes do not count. */
async function load(server: Server, path: string, connections: number): Promise<number> {
  const url = server.origin + path;
  const before = await costOf(server.child);
  const result = await autocannon({ url, connections, duration: SECONDS });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  const seconds = ((await costOf(server.child)) - before) / 1e6;
  return result.requests.total / seconds;
}

/** Two rates beside each other, by their medians. */
function perProcessorSecond(ours: number[], theirs: number[]): string {
  const [own, peer] = [median(ours), median(theirs)];
  return `${own.toFixed(0)} / ${peer.toFixed(0)} requests per processor second = ${(own / peer).toFixed(2)} x`;
}

const FILE = 'explorer/names.json';

/** Measures a published document passed on by our server, compared with nginx if that is installed. */
async function measureStatic(store: string): Promise<void> {
  const what = 'a published document: ours against nginx from memory';
  const folder = mkdtempSync(join(tmpdir(), 'foremark-static-'));
  mkdirSync(join(folder, 'explorer'));
  writeFileSync(join(folder, FILE), JSON.stringify({ text: 'x'.repeat(860) }));
  const nginx = await startNginx(folder);
  if (nginx) {
    const ours = await start('ours', store, folder);
    const rates = { ours: [] as number[], nginx: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      rates.ours.push(await load(ours, `/${FILE}`, 20));
      const before = nginx.cost();
      const { requests } = await autocannon({
        url: `${nginx.origin}/${FILE}`,
        connections: 20,
        duration: SECONDS,
      });
      rates.nginx.push((requests.total / (nginx.cost() - before)) * 1e6);
    }
    print(what, perProcessorSecond(rates.ours, rates.nginx));
    await Promise.all([stop(ours.child), stop(nginx.child)]);
  } else print(what, 'nginx is not installed');
  rmSync(folder, { recursive: true, force: true });
}

async function stop(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit');
  child.kill();
  // An open IPC channel would keep alive a command that finishes its requests first.
  if (child.connected) child.disconnect();
  await end;
}

/** The headers of every answer of a path, without those that Node adds by itself. */
async function headersOf({ origin }: Server, path: string): Promise<Record<string, string>> {
  const { headers } = await fetch(origin + path);
  return Object.fromEntries([...headers].filter(([name]) => !OF_NODE.includes(name)));
}

const OF_NODE = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** The latency in milliseconds that one request in a hundred exceeds, by a finer clock than the load generator's. */
async function slowest(url: string, connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + SECONDS * 1000;
  const latencies: number[] = [];
  const ask = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  return latencies.sort((a, b) => a - b)[Math.floor(0.99 * latencies.length)] ?? 0;
}

/** Measures the server over HTTP, compared with Node's own server giving the same answers. */
export async function measureHttp(store: string): Promise<void> {
  const market = '/api/v1/public/markets/venue_a%3AM0';
  const ours = await start('ours', store);
  const bare = await start('bare', store, JSON.stringify({ headers: await headersOf(ours, market) }));
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (const server of [bare, ours]) await load(server, market, 20);
  for (let i = 0; i < ROUNDS; i++) {
    rates.bare.push(await load(bare, market, 20));
    rates.ours.push(await load(ours, market, 20));
  }
  print(
    'one market: ours against bare node http with the same answer',
    perProcessorSecond(rates.ours, rates.bare),
  );
  const idle: number[] = [];
  const beside: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    idle.push(await slowest(ours.origin + market, 4));
    const url = `${ours.origin}/api/v1/public/markets?search=will&sort=volume`;
    const heavy = autocannon({ url, connections: 2, duration: SECONDS, workers: 1 });
    beside.push(await slowest(ours.origin + market, 4));
    await heavy;
  }
  print(
    'one market p99 beside two who search for a common word, against idle',
    `${median(beside).toFixed(1)} / ${median(idle).toFixed(1)} ms = ${(median(beside) / median(idle)).toFixed(1)} x`,
  );
  await Promise.all([ours, bare].map(({ child }) => stop(child)));
  await measureStatic(store);
  await measureReady(store);
}

/** The shortest program that listens, and one that opens the store first, as any server of it must. */
const LISTENING =
  "require('node:http').createServer((_, r) => r.end('{}')).listen(0, '127.0.0.1', () => console.log('up'))";
const OPENING = `import { createServer } from 'node:http';
  import Database from 'better-sqlite3';
  const one = new Database(process.argv[1], { readonly: true }).prepare('SELECT * FROM markets WHERE market_id = ?');
  createServer((_, r) => r.end(JSON.stringify(one.get('')))).listen(0, '127.0.0.1', () => console.log('up'))`;

/** Makes a process tell its parent how much processor time it has used. */
const TELLING = 'data:text/javascript,process.on("message",()=>process.send(process.cpuUsage()))';

/**
 * Measures the processor time until our command listens, as an installed package: compiled, and not started for the
 * first time.
 */
async function measureReady(store: string): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const programs = {
    empty: ['-e', LISTENING],
    opening: ['--input-type=module', '-e', OPENING, store],
    ours: [join(root, 'dist/src/main.js'), 'serve'],
  };
  const ready = { ours: [] as number[], opening: [] as number[], empty: [] as number[] };
  const [port] = await freePorts(1);
  const env = { ...process.env, FOREMARK_STORE: store, FOREMARK_SERVE__PORT: String(port) };
  for (let i = 0; i < 8; i++)
    for (const way of ['empty', 'opening', 'ours'] as const) {
      const child = spawn(process.execPath, ['--import', TELLING, ...programs[way]], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        cwd: root,
        env,
      });
      await once(child.stdout ?? child, 'data');
      if (i > 0) ready[way].push((await costOf(child)) / 1000);
      await stop(child);
    }
  const ours = median(ready.ours);
  for (const [peer, cost] of [
    ['node http that opens the store', median(ready.opening)],
    ['bare node http', median(ready.empty)],
  ] as const)
    print(
      `ready to listen, as installed, processor time: ours against ${peer}`,
      `${ours.toFixed(0)} / ${cost.toFixed(0)} ms = ${(ours / cost).toFixed(2)} x`,
    );
}
