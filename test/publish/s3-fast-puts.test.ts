import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FastPuts } from '../../src/publish/sinks/s3-fast-puts.ts';
import type { ObjectMetadata } from '../../src/publish/sinks/sink.ts';
import { bucketClient, createBucket, openBucket, REAL_ENDPOINT } from '../s3/buckets.ts';
import { type FakeRequest, type FakeS3, startFakeS3 } from '../s3/fake-s3.ts';

let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.fault = undefined;
  fake.requests.length = 0;
});

const KEYS = [
  'a/b.json',
  'with space',
  "it's(1)!*",
  'per%2Fcent/~2f',
  'ü/日本.json',
  'a+b&c=d?e#f',
  'a~~0123.json',
];
const METADATA: ObjectMetadata = {
  content_type: 'application/json',
  cache_control: 'public, max-age=15',
  content_encoding: 'gzip',
  generation: '12',
};
const until = () => ({ abortSignal: AbortSignal.timeout(10_000) });

/** The same put by the SDK. */
function putBySdk(client: S3Client, Bucket: string, Key: string, Body: Buffer): Promise<unknown> {
  return client.send(
    new PutObjectCommand({
      Bucket,
      Key,
      Body,
      ContentLength: Body.byteLength,
      ContentType: 'application/json',
      CacheControl: 'public, max-age=15',
      ContentEncoding: 'gzip',
      Metadata: { generation: '12' },
    }),
  );
}

/** A request without its time, number and signature, which differ from one to the next. */
function withoutOwn({ target, headers }: FakeRequest): unknown {
  const own = ['authorization', 'x-amz-date', 'amz-sdk-invocation-id', 'amz-sdk-request'];
  return {
    target,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))),
  };
}

const endpoints = REAL_ENDPOINT === undefined ? ['fake'] : ['fake', REAL_ENDPOINT];

test.each(endpoints)('a fast put is accepted and stored like one of the SDK: %s', async (which) => {
  const endpoint = which === 'fake' ? fake.endpoint : which;
  const bucket = await createBucket(endpoint);
  const client = bucketClient(endpoint);
  const puts = new FastPuts(client);
  expect(await puts.put('first', Buffer.from('1'), METADATA, until())).toBeUndefined();
  await putBySdk(client, bucket, 'first', Buffer.from('1'));
  const sink = await openBucket(endpoint, bucket);
  for (const key of KEYS) {
    for (const body of [Buffer.from(`{"key":"${key}"}`), Buffer.alloc(0)]) {
      const etag = await puts.put(key, body, METADATA, until());
      expect(await sink.find(key)).toEqual({ body, etag, metadata: METADATA });
    }
  }
});

test('a fast put is the same request that the SDK makes', async () => {
  const bucket = await createBucket(fake.endpoint);
  const client = bucketClient(fake.endpoint);
  const puts = new FastPuts(client);
  for (const key of KEYS) {
    fake.requests.length = 0;
    const body = Buffer.from(`{"key":"${key}"}`);
    await putBySdk(client, bucket, key, body);
    await puts.put(key, body, METADATA, until());
    const [first, second] = fake.requests.map(withoutOwn);
    expect(second).toEqual(first);
    expect(fake.requests[1]?.headers.authorization).toMatch(
      /Credential=AKTEST\/\d{8}\/us-east-1\/s3\/aws4_request/,
    );
  }
});

test('after a refusal the SDK retries until one is accepted, then fast puts resume', async () => {
  const bucket = await createBucket(fake.endpoint);
  const sink = await openBucket(fake.endpoint, bucket, { sdk_attempts: 2 });
  await sink.write('first', Buffer.from('1'));
  let left = 3;
  fake.fault = () => (left-- > 0 ? { kind: 'status', status: 503, code: 'SlowDown' } : undefined);
  fake.requests.length = 0;
  await sink.write('second', Buffer.from('2'));
  await sink.write('third', Buffer.from('3'));
  // Only the SDK counts its attempts.
  expect(fake.requests.map(({ key, headers }) => [key.split('/')[1], 'amz-sdk-request' in headers])).toEqual([
    ['second', false],
    ['second', true],
    ['second', true],
    ['second', true],
    ['third', false],
  ]);
  expect((await sink.read('second'))?.toString()).toBe('2');
});

test('a body over a megabyte goes through the SDK, which asks before sending it', async () => {
  const bucket = await createBucket(fake.endpoint);
  const client = bucketClient(fake.endpoint);
  const puts = new FastPuts(client);
  await putBySdk(client, bucket, 'first', Buffer.from('1'));
  expect(await puts.put('large', Buffer.alloc(2 ** 20 + 1), {}, until())).toBeUndefined();
  expect(await puts.put('small', Buffer.alloc(2 ** 20), {}, until())).toBeDefined();
});

test('while the clock is wrong the SDK signs, since it knows the offset', async () => {
  const bucket = await createBucket(fake.endpoint);
  const client = bucketClient(fake.endpoint);
  const puts = new FastPuts(client);
  await putBySdk(client, bucket, 'first', Buffer.from('1'));
  client.config.systemClockOffset = 600_000;
  expect(await puts.put('second', Buffer.from('2'), {}, until())).toBeUndefined();
  client.config.systemClockOffset = 0;
  expect(await puts.put('second', Buffer.from('2'), {}, until())).toBeDefined();
});
