/**
 * An S3 server in this process, as far as publishing needs one, that can be told to fail. It stands in for the
 * network and a remote service, never for our own code; probes.ts holds it to a real server.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

/** What goes wrong with one request. */
export type Fault =
  | { kind: 'status'; status: number; code: string }
  /** The connection breaks before or after the request took effect. */
  | { kind: 'reset_before' }
  | { kind: 'reset_after' }
  /** A read ends half way. */
  | { kind: 'cut' }
  /** No answer comes, or only half of a read, and the connection stays open. */
  | { kind: 'hang' }
  /** A write keeps other bytes than were sent. */
  | { kind: 'damage' }
  /** A read gives what stood before the last write. */
  | { kind: 'stale' }
  | { kind: 'slow'; ms: number };

export interface FakeRequest {
  /** Place in the order of requests, from 0. */
  index: number;
  method: string;
  key: string;
  /** Path and query as they came. */
  target: string;
  headers: IncomingHttpHeaders;
}

interface StoredObject {
  body: Buffer;
  headers: Record<string, string>;
  before?: StoredObject;
}

export interface FakeS3 {
  endpoint: string;
  /** Objects by `bucket/key`. */
  objects: Map<string, StoredObject>;
  requests: FakeRequest[];
  /** Decides what goes wrong; nothing does while it is undefined. */
  fault: ((request: FakeRequest) => Fault | undefined) | undefined;
  /** As Ceph: If-Match holds only without quotes. */
  bareEtags: boolean;
  /** As buckets with a KMS key: an ETag is no MD5 of the bytes. */
  encrypts: boolean;
  /** As stores that know no conditional writes: each counts. */
  ignoresConditions: boolean;
  /** As MinIO before 2025: a batch of removals has to come with its MD5. */
  wantsMd5: boolean;
  /** Keys on one page of a list. */
  pageSize: number;
  close(): Promise<void>;
}

const KEPT_HEADERS = ['content-type', 'cache-control', 'content-encoding', 'x-amz-meta-generation'];

/** Starts the server on a free port of the loopback interface. */
export async function startFakeS3(): Promise<FakeS3> {
  const server = createServer((request, response) => {
    answer(fake, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    objects: new Map(),
    requests: [],
    fault: undefined,
    bareEtags: false,
    encrypts: false,
    ignoresConditions: false,
    wantsMd5: false,
    pageSize: 1000,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

async function answer(fake: FakeS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', fake.endpoint);
  const key = decodeURIComponent(url.pathname.slice(1));
  const body = await bodyOf(request);
  const method = request.method ?? 'GET';
  const { headers: sent, url: target = '/' } = request;
  const told: FakeRequest = { index: fake.requests.length, method, key, target, headers: sent };
  fake.requests.push(told);
  const fault = fake.fault?.(told);
  if (fault?.kind === 'slow') await setTimeout(fault.ms);
  if (fault?.kind === 'status') return refuse(response, fault.status, fault.code);
  if (fault?.kind === 'reset_before') return void response.destroy();
  if (fault?.kind === 'hang' && method !== 'GET') return;
  if (fault?.kind === 'reset_after') {
    handle(fake, { method, key, url, body, request }, undefined);
    return void response.destroy();
  }
  const { status, headers = {}, content = '' } = handle(fake, { method, key, url, body, request }, fault);
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(content), ...headers });
  if (fault?.kind === 'hang') return void response.write(content.slice(0, Math.floor(content.length / 2)));
  if (fault?.kind === 'cut') {
    response.write(content.slice(0, Math.floor(content.length / 2)), () => response.destroy());
    return;
  }
  response.end(method === 'HEAD' ? undefined : content);
}

interface Handled {
  status: number;
  headers?: Record<string, string>;
  content?: string | Buffer;
}

interface Asked {
  method: string;
  key: string;
  url: URL;
  body: Buffer;
  request: IncomingMessage;
}

function handle(fake: FakeS3, asked: Asked, fault: Fault | undefined): Handled {
  const { method, key, url } = asked;
  if (method === 'PUT' && !key.replace(/\/$/, '').includes('/')) return { status: 200 };
  if (method === 'PUT') return put(fake, asked, fault);
  if (method === 'POST' && url.searchParams.has('delete')) return removeMany(fake, asked);
  if (method === 'DELETE') {
    fake.objects.delete(key);
    return { status: 204 };
  }
  if (url.searchParams.has('list-type')) return list(fake, asked);
  const found = fake.objects.get(key);
  const shown = fault?.kind === 'stale' ? found?.before : found;
  if (!shown) return errorAnswer(404, method === 'HEAD' ? '' : 'NoSuchKey');
  const etag = `"${etagOf(fake, shown.body)}"`;
  if (asked.request.headers['if-none-match'] === etag) return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ...shown.headers, ETag: etag }, content: shown.body };
}

function put(fake: FakeS3, { key, body, request }: Asked, fault: Fault | undefined): Handled {
  const { headers } = request;
  const standing = fake.objects.get(key);
  if (!isSound(body, headers)) return errorAnswer(400, 'BadDigest');
  const { 'if-none-match': unwanted, 'if-match': wanted } = fake.ignoresConditions ? {} : headers;
  if (unwanted === '*' && standing) return errorAnswer(412, 'PreconditionFailed');
  if (wanted !== undefined) {
    if (!standing) return errorAnswer(404, 'NoSuchKey');
    const etag = etagOf(fake, standing.body);
    if (wanted !== (fake.bareEtags ? etag : `"${etag}"`)) return errorAnswer(412, 'PreconditionFailed');
  }
  const kept = fault?.kind === 'damage' ? Buffer.concat([body.subarray(1), Buffer.from('!')]) : body;
  const metadata = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  fake.objects.set(key, {
    body: kept,
    headers: Object.fromEntries(metadata),
    ...(standing ? { before: { body: standing.body, headers: standing.headers } } : {}),
  });
  return { status: 200, headers: { ETag: `"${etagOf(fake, kept)}"` } };
}

function etagOf({ encrypts }: FakeS3, body: Buffer): string {
  return hash('md5', encrypts ? Buffer.concat([body, Buffer.from('key')]) : body);
}

function list(fake: FakeS3, { key, url }: Asked): Handled {
  const bucket = key.replace(/\/$/, '');
  const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`;
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...fake.objects.keys()]
    .filter((each) => each.startsWith(prefix) && each > after)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const size = Math.min(fake.pageSize, Number(url.searchParams.get('max-keys') ?? 1000));
  const page = keys.slice(0, size);
  const more = keys.length > page.length;
  const rows = page.map(
    (each) =>
      `<Contents><Key>${escapeXml(each.slice(bucket.length + 1))}</Key>` +
      `<ETag>&quot;${etagOf(fake, fake.objects.get(each)?.body ?? Buffer.alloc(0))}&quot;</ETag>` +
      `<Size>${fake.objects.get(each)?.body.byteLength}</Size></Contents>`,
  );
  const next = more ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`,
  );
}

function removeMany(fake: FakeS3, { key, body, request: { headers } }: Asked): Handled {
  if (fake.wantsMd5 && headers['content-md5'] === undefined) return errorAnswer(400, 'MissingContentMD5');
  if (!isSound(body, headers)) return errorAnswer(400, 'BadDigest');
  const bucket = key.replace(/\/$/, '');
  for (const [, name = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/gs))
    fake.objects.delete(`${bucket}/${unescapeXml(name)}`);
  return xml('<DeleteResult></DeleteResult>');
}

/** Whether a body is what the checksums that came with it say. */
function isSound(body: Buffer, headers: IncomingHttpHeaders): boolean {
  const { 'x-amz-checksum-crc32': crc, 'content-md5': md5 } = headers;
  return (
    (crc === undefined || crc === checksumOf(body)) &&
    (md5 === undefined || md5 === hash('md5', body, 'base64'))
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function checksumOf(body: Buffer): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString('base64');
}

function xml(content: string): Handled {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml' },
    content: `<?xml version="1.0" encoding="UTF-8"?>${content}`,
  };
}

function errorAnswer(status: number, code: string): Handled {
  return {
    ...xml(code === '' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
    status,
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const { headers, content } = errorAnswer(status, code);
  response.writeHead(status, headers);
  response.end(content);
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

function unescapeXml(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|apos|#x([0-9a-f]+)|#(\d+));/gi,
    (whole, name: string, hex?: string, decimal?: string) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name] ?? whole;
    },
  );
}
