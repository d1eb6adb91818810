import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { ForemarkError } from '../../src/model/errors.ts';
import type { S3Options } from '../../src/publish/sinks/s3-client.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openBucket } from '../s3/buckets.ts';
import { keysOf } from './keys-of.ts';

const closed: (() => void)[] = [];
afterAll(() => {
  for (const close of closed) close();
});

/** A server that answers each request in the same way. @returns its address */
async function serverWith(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closed.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What is said when a bucket named `data` there is read, listed, written and cleared, each different message once. */
async function refusalsAt(endpoint: string, options: Partial<S3Options> = {}): Promise<string[]> {
  const sink = await openBucket(endpoint, 'data', { sdk_attempts: 1, ...options });
  const attempts = [
    () => sink.read('archive/pointer.json'),
    async () => void (await keysOf(sink, 'archive/')),
    () => sink.write('a', Buffer.from('a')),
    () => sink.write('archive/pointer.json', Buffer.from('a'), { condition: { absent: true } }),
    () => sink.remove('a'),
  ];
  const said = await Promise.all(
    attempts.map((attempt) =>
      attempt().then(
        () => 'nothing',
        (thrown) => `${thrown.code}: ${thrown.message}`,
      ),
    ),
  );
  return [...new Set(said)];
}

/** A deadline that is over soon after something was to be tried again: by then all was answered once, however slowly. */
function soonOver(): Partial<S3Options> {
  const over = new AbortController();
  return { deadline: () => over.signal, tell: () => void setTimeout(() => over.abort(), 500) };
}

const PAGE = '<!DOCTYPE html><html><body><p>Welcome</body></html>';
const of = (text: string) =>
  `${text} is not an answer of S3; publish.s3.endpoint must be the address of an S3 API`;

test.each([
  [404, { 'content-type': 'text/html' }, PAGE, of('404 (text/html)')],
  [404, { 'content-type': 'text/plain' }, '404 page not found\n', of('404 (text/plain)')],
  [405, { 'content-type': 'text/plain' }, 'method not allowed\n', of('405 (text/plain)')],
  [302, { location: 'https://a.example/login' }, '', of('302 (without content, to https://a.example/login)')],
])('an endpoint that is not S3 is named, and how it answered: %s', async (status, headers, body, reason) => {
  const endpoint = await serverWith((response) => response.writeHead(status, headers).end(body));
  expect(await refusalsAt(endpoint)).toEqual([`sink_unavailable: s3://data/ at ${endpoint}: ${reason}`]);
});

test('a page that answers every request is not taken for an object, nor for a write that was done', async () => {
  const endpoint = await serverWith((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
  );
  // A list that cannot be read counts as cut off, and is asked for again.
  const said = await refusalsAt(endpoint, soonOver());
  for (const answered of [
    'archive/pointer.json was answered without an ETag (text/html)',
    'a was answered without an ETag',
  ])
    expect(said).toContain(
      `sink_unavailable: s3://data/ at ${endpoint}: ${answered}, which ${of('').trim()}`,
    );
  expect(said).toContain(
    `sink_unavailable: s3://data/ at ${endpoint}: the time limit has passed (publish.deadline_seconds); last: ${of('200 (text/html)')}`,
  );
  expect(said).not.toContain('nothing');
});

const xml = (code: string) => `<Error><Code>${code}</Code><Message>It does not suit.</Message></Error>`;
test.each([
  [404, 'NoSuchBucket', 'create the bucket, or correct publish.s3.bucket'],
  [403, 'InvalidAccessKeyId', 'correct the credentials (AWS_PROFILE, AWS_ACCESS_KEY_ID …)'],
  [403, 'AccessDenied', 'the credentials must allow reading, writing, listing and removing there'],
  [301, 'PermanentRedirect', 'correct publish.s3.region'],
])('a refusal of S3 comes with what to do about it: %s %s', async (status, code, advice) => {
  const endpoint = await serverWith((response) => response.writeHead(status).end(xml(code)));
  expect(await refusalsAt(endpoint)).toEqual([
    `sink_unavailable: s3://data/ at ${endpoint}: ${status} ${code}: It does not suit; ${advice}`,
  ]);
});

test('a key that a batch of removals left is asked to be removed again', async () => {
  const left = '<Error><Key>a</Key><Code>InternalError</Code><Message>It does not suit.</Message></Error>';
  const endpoint = await serverWith((response) =>
    response.writeHead(200).end(`<DeleteResult>${left}</DeleteResult>`),
  );
  const sink = await openBucket(endpoint, 'data');
  let asked = 0;
  const check = async () => {
    if (asked++ > 0) throw new ForemarkError('publication_superseded', 'overtaken');
  };
  await expect(sink.removeWhile?.(check, ['a'])).rejects.toThrow('overtaken');
});

test('a store that answers a write with text keeps no connection busy', async () => {
  const endpoint = await serverWith((response) => response.writeHead(200, { etag: '"kept"' }).end('stored'));
  const sink = await openBucket(endpoint, 'data', { width: 1, sdk_attempts: 1 });
  for (const key of ['a', 'b', 'c']) expect(await sink.write(key, Buffer.from(key))).toBe('"kept"');
});

test('missing credentials are reported at once, with what to do about it', async () => {
  const endpoint = await serverWith(() => expect.unreachable());
  const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_PROFILE: undefined };
  const nowhere = { HOME: temporaryFolder(), AWS_EC2_METADATA_DISABLED: 'true' };
  for (const [name, value] of Object.entries({ ...none, ...nowhere })) vi.stubEnv(name, value);
  try {
    const [said, ...others] = await refusalsAt(endpoint);
    expect(said).toMatch(/CredentialsProviderError: .*; correct the credentials \(AWS_PROFILE, /);
    expect(said).not.toContain('the time limit has passed');
    expect(others).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('an endpoint where nobody listens is named', async () => {
  const endpoint = await serverWith(() => {});
  for (const close of closed.splice(0)) close();
  const { host } = new URL(endpoint);
  expect(await refusalsAt(endpoint, soonOver())).toEqual([
    `sink_unavailable: s3://data/ at ${endpoint}: the time limit has passed (publish.deadline_seconds); last: Error: connect ECONNREFUSED ${host}; check publish.s3.endpoint`,
  ]);
});

test('an answer that came too late is not taken for what was wrong', async () => {
  const endpoint = await serverWith(() => {});
  expect(await refusalsAt(endpoint, { deadline: () => AbortSignal.timeout(500) })).toEqual([
    `sink_unavailable: s3://data/ at ${endpoint}: the time limit has passed (publish.deadline_seconds)`,
  ]);
});
