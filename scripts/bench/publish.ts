/**
 * Command: measures what publishing costs, as ratios within one run.
 * `npm run bench:publish -- --markets 5000 [--endpoint url]`. Without an endpoint the bucket is that of the
 * fault-injecting server in a process of its own, with faults off.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { atOnce } from '../../src/model/at-once.ts';
import { digestOf } from '../../src/publish/archive/digest.ts';
import { DigestTable } from '../../src/publish/archive/digest-table.ts';
import { DOCUMENTS_A_CHANGE, shardsFor } from '../../src/publish/archive/next-shards.ts';
import { shardCache } from '../../src/publish/archive/shard-cache.ts';
import { eachDocument } from '../../src/publish/documents.ts';
import { type PublishReport, publish } from '../../src/publish/publish.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { encode } from '../../src/routes/encode.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createBucket, openBucket } from '../../test/s3/buckets.ts';
import { print } from './print.ts';
import { timed as processorTimed } from './processor-time.ts';
import { PublishWorld } from './publish-world.ts';

const { values } = parseArgs({
  options: { markets: { type: 'string', default: '5000' }, endpoint: { type: 'string' } },
});
const MARKETS = Number(values.markets);
const MOVED = 0.01;
const WIDTH = 16;
const SITES = {
  venue_a: 'https://kalshi.com',
  venue_b_global: 'https://polymarket.com',
  venue_c: 'https://app.hyperliquid.xyz',
};
/** Runs a month at a five-minute schedule. */
const RUNS_A_MONTH = 30 * 24 * 12;

const folder = mkdtempSync(join(tmpdir(), 'foremark-bench-'));
const round = (value: number, digits = 2) => value.toFixed(digits);

async function timed<T>(work: () => Promise<T> | T): Promise<{ seconds: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { seconds: (performance.now() - started) / 1000, result };
}

function measureEncoding(store: Store, now: number): void {
  const answers = store.read((reader) => [...eachDocument(reader, { now, sites: SITES })]);
  const documents = answers.flatMap((each) =>
    'body' in each ? [{ key: each.key, body: String(each.body) }] : [],
  );
  const bodies = documents.map(({ body }) => JSON.parse(body) as object);
  const digests = new DigestTable();
  for (const { key, body } of documents) digests.set(key, digestOf(body));
  const encoded = bodies.map((body, n) => ({ key: documents[n]?.key ?? '', body }));
  const best = { plain: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 40; i++) {
    const plain = processorTimed(() => bodies.reduce((sum, body) => sum + JSON.stringify(body).length, 0));
    const whole = processorTimed(() =>
      encoded.reduce((same, { key, body }) => {
        const digest = digestOf(encode(body));
        return same + (digests.get(key) === digest ? 1 : 0);
      }, 0),
    );
    best.plain = Math.min(best.plain, plain.took);
    best.whole = Math.min(best.whole, whole.took);
  }
  const bytes = documents.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / documents.length;
  print(
    'encode + digest + compare over JSON.stringify',
    `${round(best.whole / best.plain)} x (${documents.length} documents of ${round(bytes, 0)} bytes on average)`,
  );
}

async function measureSink(
  name: string,
  { store, world }: { store: Store; world: PublishWorld },
  sink: Sink,
  near?: Sink,
): Promise<{ moved: readonly PublishReport[]; rate: number }> {
  const run = () =>
    timed(() =>
      publish({
        store,
        sink,
        now: world.now,
        sites: SITES,
        label: '',
        program: 'bench',
        ...(near ? { shards: shardCache(near) } : {}),
        progress: () => {},
      }),
    );
  const full = await run();
  const parts = [];
  for (let i = 0; i < 3; i++) {
    world.move(MOVED);
    parts.push(await run());
  }
  const part = parts.reduce((a, b) => (a.seconds < b.seconds ? a : b));
  const rate = full.result.usage.writes / full.seconds;
  print(
    `${name}: full publish`,
    `${round(full.seconds)} s, ${full.result.documents} documents, ${round(rate, 0)} writes/s`,
  );
  print(
    `${name}: 1 % moved`,
    `${round(part.seconds)} s, ${part.result.usage.writes} writes, ${part.result.usage.reads} reads`,
  );
  print(`${name}: 1 % moved over full`, `${round((100 * part.seconds) / full.seconds)} %`);
  return { moved: parts.map((each) => each.result), rate };
}

/** PUTs a second with nothing but the SDK around them. */
async function measureCeiling(endpoint: string): Promise<number> {
  const Bucket = await createBucket(endpoint);
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: WIDTH } },
  });
  const Body = Buffer.alloc(600, 97);
  const count = Math.min(4 * MARKETS, 10_000);
  const put = (i: number) =>
    client.send(
      new PutObjectCommand({
        Bucket,
        Key: `archive/objects/${i}`,
        Body,
        ContentType: 'application/json',
        CacheControl: 'public, max-age=15',
      }),
    );
  const { seconds } = await timed(() => atOnce(WIDTH, Array.from({ length: count }).keys(), put));
  client.destroy();
  return count / seconds;
}

/**
 * Predicts, from the measured publishes, the requests of a publish with more markets of which 1 % moved, and their cost
 * per month.
 */
function forecast({ prices }: Sink, moved: readonly PublishReport[], markets: number): void {
  const factor = markets / MARKETS / moved.length;
  const documents = moved.reduce((sum, each) => sum + each.documents, 0) * factor;
  const written = moved.reduce((sum, each) => sum + each.written, 0) * factor;
  // Shards of changes, which hold half of their limit on average; and all base shards, rewritten whenever the limit is
  // reached.
  const most = documents / DOCUMENTS_A_CHANGE;
  const shards = shardsFor(most / 2) + (shardsFor(documents) * written) / most;
  const writes = 2 * written + shards + 3;
  const reads = 8 + written / 256;
  const usd = writes * prices.write + reads * prices.read;
  print(
    `${markets.toLocaleString('en-US')} markets, 1 % moved a run`,
    `${round(writes, 0)} writes, ${round(reads, 0)} reads: $${round(usd, 3)} a run, $${round(usd * RUNS_A_MONTH, 0)} a month`,
  );
}

const fake = spawn(process.execPath, [join(import.meta.dirname, 'fake-s3-server.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [line] = (await once(createInterface(fake.stdout), 'line')) as [string];
  const endpoint = values.endpoint ?? line;
  const store = openStore(join(folder, 'foremark.db'));
  const world = new PublishWorld(store, MARKETS);
  measureEncoding(store, world.now);
  await measureSink('folder', { store, world }, folderSink(join(folder, 'public')));
  const before = await measureCeiling(endpoint);
  const deadline = AbortSignal.timeout(3_600_000);
  const bucket = await openBucket(endpoint, await createBucket(endpoint), {
    width: WIDTH,
    deadline: () => deadline,
  });
  const { moved, rate } = await measureSink(
    'bucket',
    { store, world },
    bucket,
    folderSink(join(folder, 'near')),
  );
  const ceiling = Math.max(before, await measureCeiling(endpoint));
  print(
    "bucket: writes over the SDK's ceiling on the same server",
    `${round(rate / ceiling)} x ${round(ceiling, 0)}/s`,
  );
  forecast(bucket, moved, 100_000);
  forecast(bucket, moved, 1_000_000);
  store.close();
} finally {
  fake.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}
