import { hash } from 'node:crypto';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketClient, createBucket, REAL_ENDPOINT } from './buckets.ts';
import { type FakeS3, startFakeS3 } from './fake-s3.ts';

let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
  fake.pageSize = 100;
});
afterAll(() => fake.close());

/** How a request ended: its status. */
async function statusOf(sent: Promise<{ $metadata: { httpStatusCode?: number } }>): Promise<number> {
  try {
    return (await sent).$metadata.httpStatusCode ?? 0;
  } catch (thrown) {
    const { $metadata } = thrown as { $metadata?: { httpStatusCode?: number } };
    return $metadata?.httpStatusCode ?? 0;
  }
}

/** The behaviour of S3 that publishing leans on: the fake server must not drift from a real one. */
function probe(name: string, endpoint: () => string): void {
  describe(`S3 as ${name} speaks it`, () => {
    let client: S3Client;
    let Bucket: string;
    beforeAll(async () => {
      client = bucketClient(endpoint());
      Bucket = await createBucket(endpoint());
    });
    afterAll(() => client.destroy());
    const put = (Key: string, Body: string, more: object = {}) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Body), ...more }));
    const get = async (Key: string) =>
      (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

    test('the ETag of an object sent in one piece is the MD5 of its bytes, in quotes', async () => {
      expect((await put('etag', 'body')).ETag).toBe(`"${hash('md5', 'body')}"`);
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'etag' }));
      expect(head.ETag).toBe(`"${hash('md5', 'body')}"`);
      expect(head.ContentLength).toBe(4);
    });

    test('a missing key is 404, for GET and HEAD', async () => {
      expect(await statusOf(client.send(new GetObjectCommand({ Bucket, Key: 'none' })))).toBe(404);
      expect(await statusOf(client.send(new HeadObjectCommand({ Bucket, Key: 'none' })))).toBe(404);
    });

    test('create-only: 200 where nothing exists, 412 where something does, one winner of eight', async () => {
      expect(await statusOf(put('once', '1', { IfNoneMatch: '*' }))).toBe(200);
      expect(await statusOf(put('once', '2', { IfNoneMatch: '*' }))).toBe(412);
      const ended = await Promise.all(
        Array.from({ length: 8 }, (_, i) => statusOf(put('race', String(i), { IfNoneMatch: '*' }))),
      );
      expect(ended.filter((status) => status === 200)).toHaveLength(1);
    });

    test('If-Match with another ETag is refused; with the right one some quoting is accepted', async () => {
      const { ETag = '' } = await put('match', '1');
      expect(await statusOf(put('match', 'x', { IfMatch: '"00000000000000000000000000000000"' }))).toBe(412);
      expect(await get('match')).toBe('1');
      const quoted = await statusOf(put('match', '2', { IfMatch: ETag }));
      const bare =
        quoted === 200 ? quoted : await statusOf(put('match', '2', { IfMatch: ETag.replaceAll('"', '') }));
      expect(bare).toBe(200);
      expect(await get('match')).toBe('2');
    });

    test('If-Match where nothing exists is refused', async () => {
      const status = await statusOf(put('nowhere', 'x', { IfMatch: '"00000000000000000000000000000000"' }));
      expect([404, 412]).toContain(status);
      expect(await statusOf(client.send(new GetObjectCommand({ Bucket, Key: 'nowhere' })))).toBe(404);
    });

    test('a GET with the current ETag is 304', async () => {
      const { ETag = '' } = await put('fresh', 'body');
      const asked = client.send(new GetObjectCommand({ Bucket, Key: 'fresh', IfNoneMatch: ETag }));
      expect(await statusOf(asked)).toBe(304);
    });

    test('a body that does not match its MD5 is refused', async () => {
      expect(await statusOf(put('bad', 'body', { ContentMD5: hash('md5', 'other', 'base64') }))).toBe(400);
      expect(await statusOf(client.send(new GetObjectCommand({ Bucket, Key: 'bad' })))).toBe(404);
    });

    test('content type, caching and encoding are kept', async () => {
      const said = {
        ContentType: 'application/json',
        CacheControl: 'public, max-age=15',
        ContentEncoding: 'gzip',
      };
      await put('said', 'zip', said);
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'said' }));
      expect(head).toMatchObject(said);
    });

    test('a list is sorted by bytes and paged; a batch of removals leaves nothing of it', async () => {
      const keys = Array.from({ length: 250 }, (_, i) => `p/${String((i * 89) % 250).padStart(4, '0')}`);
      for (let i = 0; i < keys.length; i += 25)
        await Promise.all(keys.slice(i, i + 25).map((key) => put(key, '{}')));
      const listed: string[] = [];
      let pages = 0;
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: 'p/',
            MaxKeys: 100,
            ...(ContinuationToken ? { ContinuationToken } : {}),
          }),
        );
        listed.push(...(page.Contents ?? []).flatMap((each) => each.Key ?? []));
        ContinuationToken = page.NextContinuationToken;
        pages++;
      } while (ContinuationToken !== undefined);
      expect(pages).toBe(3);
      expect(listed).toEqual(keys.toSorted());
      const Objects = listed.map((Key) => ({ Key }));
      await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
      const left = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'p/' }));
      expect(left.Contents ?? []).toEqual([]);
    });

    test('keys with a tilde, dots and upper case are unchanged', async () => {
      const keys = ['K/a~2fb.json', 'K/A.B.json', 'k/a.b.json'];
      for (const key of keys) await put(key, key);
      for (const key of keys) expect(await get(key)).toBe(key);
    });
  });
}

probe('the fault-injecting server', () => fake.endpoint);
if (REAL_ENDPOINT !== undefined) {
  const endpoint = REAL_ENDPOINT;
  probe('a real server', () => endpoint);
}
