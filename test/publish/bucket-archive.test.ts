import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { prune } from '../../src/publish/prune.ts';
import { publishGeneration } from '../../src/publish/publish-generation.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { findDocumentAt } from '../../src/store/archive/archive-reads.ts';
import { rounds } from '../helpers/rounds.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { createBucket, openBucket, REAL_ENDPOINT } from '../s3/buckets.ts';
import { type FakeRequest, type FakeS3, type Fault, startFakeS3 } from '../s3/fake-s3.ts';
import { DAY, texts } from './generation-steps.ts';

const HOUR = 3_600_000;
let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
});
afterAll(async () => {
  await fake.close();
});

const publishTo = (sink: Sink, count: number, say: (i: number) => string, now: number) =>
  publishGeneration([Object.entries(texts(count, say)).map(([key, body]) => ({ key, body }))], {
    sink,
    now,
    label: '',
    progress: () => {},
  });

function describeArchive(name: string, endpoint: () => string): void {
  test(`publish, rollback, as of, prune, mirror and verify on ${name}`, async () => {
    const sink = await openBucket(endpoint(), await createBucket(endpoint()), { prefix: 'site' });
    await publishTo(sink, 60, () => 'one', DAY);
    expect(await publishTo(sink, 50, (i) => (i < 5 ? `two ${i}` : 'one'), DAY + HOUR)).toMatchObject({
      generation: 2,
      written: 5,
      removed: 10,
    });
    const document = await sink.find('api/v1/public/d3.json');
    expect(document?.metadata).toEqual({
      content_type: 'application/json',
      cache_control: 'public, max-age=15, s-maxage=60, stale-while-revalidate=60',
      generation: '2',
    });
    await rollback(undefined, { sink, now: DAY + 2 * HOUR, variants: [] });
    await publishTo(sink, 50, () => 'four', DAY + 3 * HOUR);
    const then = await findDocumentAt(sink, 'api/v1/public/d3.json', DAY + 1.5 * HOUR);
    expect(then?.body.toString()).toBe('{"d":"two 3"}');
    expect(await verifyArchive(sink)).toMatchObject({ generations: 4, problems: [], tree_documents: 50 });
    await prune({ sink, now: DAY + 9 * HOUR, keepGenerations: 2, keepDays: 0, dryRun: false });
    const mirror = folderSink(temporaryFolder());
    await mirrorArchive(sink, mirror);
    expect(await verifyArchive(mirror)).toMatchObject({ generations: 2, problems: [] });
  });
}

describeArchive('the fault-injecting server', () => fake.endpoint);
if (REAL_ENDPOINT !== undefined) {
  const endpoint = REAL_ENDPOINT;
  describeArchive('a real server', () => endpoint);
}

describe('a publish to a bucket', () => {
  test('reads back none of the bodies that it has just written', async () => {
    const trial = await openBucket(fake.endpoint, await createBucket(fake.endpoint));
    const from = fake.requests.length;
    await publishTo(trial, 40, (i) => `d${i}`, DAY);
    const asked = (method: string) =>
      fake.requests.slice(from).filter((each) => each.method === method && each.key.includes('/objects/'));
    expect([asked('PUT').length, asked('GET').length]).toEqual([40, 0]);
  });

  test.each<[string, Fault]>([
    ['a lost answer', { kind: 'reset_after' }],
    ['a lost connection', { kind: 'reset_before' }],
    ['a conflict', { kind: 'status', status: 409, code: 'ConditionalRequestConflict' }],
    ['SlowDown', { kind: 'status', status: 503, code: 'SlowDown' }],
    ['a damaged write', { kind: 'damage' }],
  ])('ends the same whichever request meets %s', async (_, fault) => {
    // In parallel, since after most faults the SDK waits before it retries.
    const faults = new Map<string, (request: FakeRequest) => Fault | undefined>();
    fake.fault = (request) => faults.get(request.key.replace(/\/.*/, ''))?.(request);
    /** Publishes to a bucket of its own. @returns the requests for that, of which one meets the fault */
    const publishMeeting = async (at: number): Promise<number> => {
      const bucket = await createBucket(fake.endpoint);
      const sink = await openBucket(fake.endpoint, bucket, { width: 1 });
      let requests = 0;
      faults.set(bucket, ({ method, key }) =>
        requests++ === at && (fault.kind !== 'damage' || (method === 'PUT' && !key.includes('pointer')))
          ? fault
          : undefined,
      );
      await publishTo(sink, 3, (i) => `d${i}`, DAY);
      faults.delete(bucket);
      expect((await verifyArchive(sink)).problems, `request ${at}`).toEqual([]);
      return requests;
    };
    const total = await publishMeeting(-1);
    expect(total).toBeGreaterThan(10);
    // Each third request, or with ROUNDS=3 each.
    const every = Math.max(1, Math.floor(3 / rounds(1)));
    const struck = Array.from({ length: total }, (_, at) => at).filter((at) => at % every === 0);
    await Promise.all(struck.map(publishMeeting));
    fake.fault = undefined;
  });
});
