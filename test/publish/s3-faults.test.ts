import { afterAll, expect, test as oneByOne } from 'vitest';
import { ForemarkError } from '../../src/model/errors.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { createBucket, openBucket } from '../s3/buckets.ts';
import { type FakeRequest, type FakeS3, type Fault, startFakeS3 } from '../s3/fake-s3.ts';
import { keysOf } from './keys-of.ts';

interface Trial {
  fake: FakeS3;
  bucket: string;
  sink: Sink;
  /** Makes the next requests of a kind fail, a number of times. */
  failNext(times: number, method: string, fault: Fault): void;
}

/** In parallel, since the SDK waits after each fault. */
const test = oneByOne.concurrent;

const servers: FakeS3[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** A bucket of a server that nobody else asks. */
async function openTrial(): Promise<Trial> {
  const fake = await startFakeS3();
  servers.push(fake);
  const bucket = await createBucket(fake.endpoint);
  const sink = await openBucket(fake.endpoint, bucket, { sdk_attempts: 2 });
  const failNext = (times: number, method: string, fault: Fault): void => {
    let left = times;
    fake.fault = (request: FakeRequest) => (request.method === method && left-- > 0 ? fault : undefined);
  };
  return { fake, bucket, sink, failNext };
}

const body = Buffer.from('{"level":1000}');
const lost: Fault = { kind: 'reset_after' };

test.each<[string, number, Fault]>([
  ['a lost connection', 3, { kind: 'reset_before' }],
  ['a lost answer', 3, lost],
  ['a failing server', 3, { kind: 'status', status: 500, code: 'InternalError' }],
  ['SlowDown', 5, { kind: 'status', status: 503, code: 'SlowDown' }],
  ['damage on the way', 3, { kind: 'status', status: 400, code: 'BadDigest' }],
  [
    'a conflict, which the SDK gives up on',
    3,
    { kind: 'status', status: 409, code: 'ConditionalRequestConflict' },
  ],
  ['a request that took too long', 3, { kind: 'status', status: 408, code: 'TookTooLong' }],
  ['a request that came too early', 3, { kind: 'status', status: 425, code: 'TooEarly' }],
])('a write succeeds after %s', async (_, times, fault) => {
  const { failNext, sink } = await openTrial();
  failNext(times, 'PUT', fault);
  await sink.write('doc', body);
  expect(await sink.read('doc')).toEqual(body);
});

test.each<[string, Fault]>([
  ['a lost connection', { kind: 'reset_before' }],
  ['half an answer', { kind: 'cut' }],
  ['a failing server', { kind: 'status', status: 500, code: 'InternalError' }],
])('a read succeeds after %s', async (_, fault) => {
  const { failNext, sink } = await openTrial();
  await sink.write('doc', body);
  failNext(3, 'GET', fault);
  expect(await sink.read('doc')).toEqual(body);
  failNext(3, 'GET', fault);
  expect(await keysOf(sink, '')).toEqual(['doc']);
});

test.each(['PUT', 'GET'])('a %s that gets no answer, or half of one, is tried again', async (method) => {
  const { bucket, fake, failNext } = await openTrial();
  const impatient = await openBucket(fake.endpoint, bucket, {
    request_timeout_seconds: 0.2,
    sdk_attempts: 2,
  });
  await impatient.write('doc', Buffer.from('{"level":999}'));
  failNext(3, method, { kind: 'hang' });
  await impatient.write('doc', body);
  expect(await impatient.read('doc')).toEqual(body);
});

test('a write that was stored with other bytes is repeated', async () => {
  const { failNext, sink } = await openTrial();
  failNext(1, 'PUT', { kind: 'damage' });
  await sink.write('doc', body);
  expect(await sink.read('doc')).toEqual(body);
});

test('a conditional write that was stored with other bytes is repeated', async () => {
  const { failNext, sink } = await openTrial();
  failNext(1, 'PUT', { kind: 'damage' });
  const first = await sink.write('pointer', body, { condition: { absent: true } });
  expect(await sink.read('pointer')).toEqual(body);
  failNext(2, 'PUT', { kind: 'damage' });
  const second = await sink.write('pointer', Buffer.from('2'), { condition: { etag: first ?? '' } });
  expect(await sink.find('pointer')).toMatchObject({ body: Buffer.from('2'), etag: second });
});

test.each<[string, number, Fault]>([
  ['its answer was lost', 1, lost],
  ['its answer was lost twice', 2, lost],
  ['it met a conflict', 2, { kind: 'status', status: 409, code: 'ConditionalRequestConflict' }],
  ['the server failed', 3, { kind: 'status', status: 500, code: 'InternalError' }],
])('a conditional write counts once, despite %s', async (_, times, fault) => {
  const { failNext, sink } = await openTrial();
  failNext(times, 'PUT', fault);
  const first = await sink.write('pointer', Buffer.from('1'), { condition: { absent: true } });
  expect(first).toBeDefined();
  failNext(times, 'PUT', fault);
  expect(await sink.write('pointer', Buffer.from('2'), { condition: { etag: first ?? '' } })).toBeDefined();
  expect((await sink.read('pointer'))?.toString()).toBe('2');
});

test('a conditional write that lost is told so, even when its answer was lost as well', async () => {
  const { bucket, fake, failNext, sink } = await openTrial();
  const first = (await sink.write('pointer', Buffer.from('1'))) ?? '';
  const other = await openBucket(fake.endpoint, bucket);
  await other.write('pointer', Buffer.from('2'), { condition: { etag: first } });
  failNext(1, 'PUT', lost);
  expect(await sink.write('pointer', Buffer.from('3'), { condition: { etag: first } })).toBeUndefined();
  expect((await sink.read('pointer'))?.toString()).toBe('2');
});

test('retries end at the deadline, and the error names the last cause', async () => {
  const { bucket, fake } = await openTrial();
  fake.fault = () => ({ kind: 'status', status: 503, code: 'SlowDown' });
  const over = new AbortController();
  const short = await openBucket(fake.endpoint, bucket, {
    deadline: () => over.signal,
    // Before the pause of the first retry.
    tell: () => over.abort(),
    sdk_attempts: 1,
  });
  await expect(short.write('doc', body)).rejects.toMatchObject({
    code: 'sink_unavailable',
    message: expect.stringMatching(
      /the time limit has passed \(publish.deadline_seconds\); last: .*SlowDown/,
    ),
  });
});

test('the earlier cause is named even where the deadline aborts a later try', async () => {
  const { bucket, fake } = await openTrial();
  const over = new AbortController();
  let tries = 0;
  fake.fault = () => {
    if (tries++ === 0) return { kind: 'status', status: 503, code: 'SlowDown' };
    over.abort();
    return { kind: 'hang' };
  };
  const deadline = () => over.signal;
  const short = await openBucket(fake.endpoint, bucket, { deadline, sdk_attempts: 1 });
  await expect(short.read('doc')).rejects.toThrow(/the time limit has passed .*; last: .*SlowDown/);
});

test('a request that is under way at the deadline is reported as timed out', async () => {
  const { bucket, fake } = await openTrial();
  fake.fault = () => ({ kind: 'slow', ms: 3_000 });
  const short = await openBucket(fake.endpoint, bucket, { deadline: () => AbortSignal.timeout(300) });
  await expect(short.write('doc', body)).rejects.toThrow(
    'the time limit has passed (publish.deadline_seconds)',
  );
});

test('persistent retries are reported once each, with the endpoint and the error', async () => {
  const { bucket, fake, failNext } = await openTrial();
  const told: string[] = [];
  const patient = await openBucket(fake.endpoint, bucket, {
    sdk_attempts: 1,
    tell: (text) => told.push(text),
  });
  failNext(3, 'PUT', { kind: 'status', status: 503, code: 'SlowDown' });
  await patient.write('doc', body);
  failNext(3, 'PUT', { kind: 'status', status: 500, code: 'InternalError' });
  await patient.write('pointer', body, { condition: { absent: true } });
  expect(told).toEqual([
    `s3://${bucket}/ at ${fake.endpoint}: 503 SlowDown: SlowDown; retrying until publish.deadline_seconds have passed`,
  ]);
});

test('a removal that may no longer be wanted is given up after a while, and retried while it is', async () => {
  const { bucket, fake } = await openTrial();
  const patient = await openBucket(fake.endpoint, bucket, { removal_ms: 300, sdk_attempts: 1 });
  await patient.write('doc', body);
  let slow = 2;
  fake.fault = ({ method }) => (method === 'POST' && slow-- > 0 ? { kind: 'slow', ms: 2_000 } : undefined);
  let asked = 0;
  await patient.removeWhile?.(async () => void asked++, ['doc']);
  // On a busy machine the third may take as long.
  expect(asked).toBeGreaterThanOrEqual(3);
  slow = 9;
  const check = async () => {
    if (slow < 9) throw new ForemarkError('publication_superseded', 'overtaken');
  };
  await expect(patient.removeWhile?.(check, ['doc'])).rejects.toThrow('overtaken');
  expect(slow).toBe(8);
});

test.each([
  [403, 'AccessDenied'],
  [501, 'NotImplemented'],
])('an error that no retry can mend is reported at once: %s', async (status, code) => {
  const { fake, sink } = await openTrial();
  const from = fake.requests.length;
  fake.fault = () => ({ kind: 'status', status, code });
  await expect(sink.write('doc', body)).rejects.toMatchObject({ code: 'sink_unavailable' });
  await expect(sink.write('pointer', body, { condition: { absent: true } })).rejects.toThrow(code);
  await expect(sink.read('doc')).rejects.toThrow(code);
  expect(fake.requests.length - from).toBe(3);
});

test('a store without conditional writes is refused each time, since publishers would overwrite each other', async () => {
  const { fake, sink } = await openTrial();
  fake.ignoresConditions = true;
  for (const text of ['1', '2'])
    await expect(sink.write('pointer', Buffer.from(text), { condition: { absent: true } })).rejects.toThrow(
      /replaced pointer, though it was to be written only if missing/,
    );
  expect(await sink.read('pointer')).toBeUndefined();
});

test.each<[string, Fault]>([
  ['a lost answer', lost],
  ['a failing server', { kind: 'status', status: 500, code: 'InternalError' }],
])('a store without conditional writes is found out after %s, which is no refusal', async (_, fault) => {
  const { fake, sink } = await openTrial();
  fake.ignoresConditions = true;
  let puts = 0;
  // All tries of the SDK at the second write.
  fake.fault = ({ method }) => (method === 'PUT' && [2, 3].includes(++puts) ? fault : undefined);
  await expect(sink.write('pointer', body, { condition: { absent: true } })).rejects.toThrow(
    /replaced pointer, though it was to be written only if missing/,
  );
  expect(puts).toBe(4);
});

test('an encrypted bucket, whose ETags are no MD5 of the bytes, is written like any other', async () => {
  const { fake, sink } = await openTrial();
  fake.encrypts = true;
  const puts = () => fake.requests.filter(({ method }) => method === 'PUT').length;
  const from = puts();
  await sink.write('doc', body);
  const first = await sink.write('pointer', Buffer.from('1'), { condition: { absent: true } });
  await sink.write('pointer', Buffer.from('2'), { condition: { etag: first ?? '' } });
  // One more finds out whether the store knows conditions.
  expect(puts() - from).toBe(4);
  expect(await sink.read('doc')).toEqual(body);
  expect((await sink.read('pointer'))?.toString()).toBe('2');
});

test('a store without the checksums of AWS is sent the MD5 of a batch of removals', async () => {
  const { bucket, fake } = await openTrial();
  fake.wantsMd5 = true;
  const from = fake.requests.length;
  const plain = await openBucket(fake.endpoint, bucket, { checksums: 'when_required' });
  await plain.write('doc', body);
  await plain.remove('doc');
  expect(await plain.read('doc')).toBeUndefined();
  const asked = fake.requests.slice(from);
  const headers = asked.flatMap((request) => Object.keys(request.headers));
  expect(headers.filter((name) => /^x-amz-.*checksum/.test(name))).toEqual([]);
});
