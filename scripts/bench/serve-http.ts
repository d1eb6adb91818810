import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';

const ROUNDS = 3;
const SECONDS = 4;

interface Server {
  child: ChildProcess;
  origin: string;
  /** From its start until it listened. */
  ready_ms: number;
}

async function start(way: 'ours' | 'bare' | 'empty', store: string): Promise<Server> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-process.ts'), way, store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${line.toString().trim()}`;
  return { child, origin, ready_ms: performance.now() - started };
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function load(url: string, connections: number): Promise<{ rate: number; p99: number }> {
  const result = await autocannon({ url, connections, duration: SECONDS });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

/** Measures the server as its callers meet it, beside node's own with the same answers. */
export async function measureHttp(
  store: string,
  print: (name: string, value: string) => void,
): Promise<void> {
  const market = '/api/v1/public/markets/venue_a%3AM0';
  const [ours, bare] = [await start('ours', store), await start('bare', store)];
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let i = 0; i < ROUNDS; i++) {
    rates.bare.push((await load(bare.origin + market, 20)).rate);
    rates.ours.push((await load(ours.origin + market, 20)).rate);
  }
  print(
    'one market: ours against bare node http with the same answer',
    `${median(rates.ours).toFixed(0)} / ${median(rates.bare).toFixed(0)} requests/s = ${(median(rates.ours) / median(rates.bare)).toFixed(2)} x`,
  );
  const idle: number[] = [];
  const beside: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    idle.push((await load(ours.origin + market, 4)).p99);
    const heavy = load(`${ours.origin}/api/v1/public/markets?search=will&sort=volume`, 2);
    beside.push((await load(ours.origin + market, 4)).p99);
    await heavy;
  }
  print(
    'one market p99 beside two who search for a common word, against idle',
    `${median(beside)} / ${median(idle)} ms`,
  );
  const ends = [ours, bare].map(({ child }) => once(child, 'close'));
  for (const { child } of [ours, bare]) child.kill();
  await Promise.all(ends);
  const ready = { ours: [] as number[], empty: [] as number[] };
  for (let i = 0; i < 7; i++)
    for (const way of ['empty', 'ours'] as const) {
      const server = await start(way, store);
      ready[way].push(server.ready_ms);
      const end = once(server.child, 'close');
      server.child.kill();
      await end;
    }
  print(
    'ready to listen: ours against bare node http',
    `${median(ready.ours).toFixed(0)} / ${median(ready.empty).toFixed(0)} ms = ${(median(ready.ours) / median(ready.empty)).toFixed(2)} x`,
  );
}
