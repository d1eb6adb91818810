/** A whole run of ingest over the simulated world, each program in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { print } from './print.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIRST = '2026-10-29T12:00:00Z';
const RUNS = [
  { name: 'first run', now: FIRST },
  { name: 'full crawl an hour later', now: '2026-10-29T13:00:00Z' },
  { name: 'changes ten minutes later', now: '2026-10-29T13:10:00Z' },
];

/** Prints requests, bytes, times and memory of three runs over a world with about so many markets. */
export async function measureWorld(markets: number, folder: string): Promise<void> {
  const world = spawn(
    process.execPath,
    [
      '--max-old-space-size=8192',
      join(ROOT, 'scripts/world/serve.ts'),
      '--markets',
      String(markets),
      '--now',
      FIRST,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    const settings = await writeSettings(world, folder);
    for (const { name, now } of RUNS) {
      const { origin } = settings;
      await fetch(`${origin}/_world/clock`, { method: 'POST', body: JSON.stringify({ now }) });
      print(`a run over ${markets} simulated markets, ${name}`, await runIngest(settings.file, now));
    }
    print('  store', `${Math.round(statSync(join(folder, 'world.db')).size / 2 ** 20)} MiB`);
  } finally {
    world.kill();
  }
}

async function writeSettings(world: ChildProcess, folder: string): Promise<{ file: string; origin: string }> {
  if (!world.stdout) throw new Error('world has no output');
  const [line] = (await once(createInterface(world.stdout), 'line')) as [string];
  const { origin, settings } = JSON.parse(line) as { origin: string; settings: object };
  const file = join(folder, 'foremark.json');
  writeFileSync(
    file,
    JSON.stringify({
      store: join(folder, 'world.db'),
      definitions: join(ROOT, 'data/simulated'),
      ingest: { deadline_seconds: 36_000 },
      ...settings,
      // Only venues are measured.
      registries: { cftc: { enabled: false } },
      news: {},
    }),
  );
  return { file, origin };
}

interface FeedLine {
  feed: string;
  requests: number;
  bytes: number;
  rows_read: number;
  seconds: number;
}

async function runIngest(file: string, now: string): Promise<string> {
  const load = (path: string) => `await import(${JSON.stringify(join(ROOT, path))})`;
  const program = `const { mostMemory } = ${load('scripts/bench/most-memory.ts')};
    process.on('exit', () => process.stderr.write('held ' + mostMemory() + '\\n'));
    process.argv.splice(1, 0, 'foremark'); ${load('src/main.mjs')};`;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, '--', '--config', file, '--now', now, '--json', 'ingest'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const seconds = (performance.now() - started) / 1000;
  const { ingest } = JSON.parse(out) as { ingest: { feeds: FeedLine[] } };
  const sum = (of: (feed: FeedLine) => number) => ingest.feeds.reduce((total, feed) => total + of(feed), 0);
  for (const feed of ingest.feeds)
    print(`  ${feed.feed}`, `${feed.seconds} s, ${feed.requests} requests, ${feed.rows_read} rows`);
  const peak = /^held (\d+)$/m.exec(err)?.[1];
  return (
    `${seconds.toFixed(1)} s, ${sum((feed) => feed.requests)} requests, ` +
    `${Math.round(sum((feed) => feed.bytes) / 2 ** 20)} MiB read, ${sum((feed) => feed.rows_read)} rows, ` +
    `peak memory ${peak} MiB`
  );
}
