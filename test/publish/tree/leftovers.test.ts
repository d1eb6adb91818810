import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../../src/publish/publish.ts';
import type { Sink } from '../../../src/publish/sinks/sink.ts';
import type { Variant } from '../../../src/publish/tree/variants.ts';
import { verifyArchive } from '../../../src/publish/verify.ts';
import { upsertMarket } from '../../../src/store/catalog/catalog.ts';
import { setCatalogState } from '../../../src/store/runs.ts';
import type { Store } from '../../../src/store/store.ts';
import { market, NOW, SITES } from '../../helpers/small-store.ts';
import { openStoreFile } from '../../helpers/store-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { createBucket, openBucket, REAL_ENDPOINT } from '../../s3/buckets.ts';
import { type FakeS3, startFakeS3 } from '../../s3/fake-s3.ts';

let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
});
afterAll(async () => {
  await fake.close();
});

/** A store with a number of markets. */
function storeOf(count: number): Store {
  const store = openStoreFile(join(temporaryFolder(), 'foremark.db'));
  store.write((writer) => {
    for (let i = 0; i < count; i++)
      upsertMarket(writer, market({ market_id: `venue_a:M${i}`, question: `Question ${i}?` }), NOW);
    setCatalogState(writer, 'serving', NOW);
  });
  return store;
}

/** Publishes, but stops after a number of writes. @returns the keys that were written */
async function publishSome(
  store: Store,
  sink: Sink,
  most = Number.POSITIVE_INFINITY,
  now = NOW,
  variants: readonly Variant[] = [],
): Promise<string[]> {
  const written: string[] = [];
  const short: Sink = {
    ...sink,
    async write(key, body, options) {
      if (written.length >= most) throw new Error('cut off');
      written.push(key);
      return sink.write(key, body, options);
    },
  };
  const options = {
    store,
    sink: short,
    now,
    sites: SITES,
    label: '',
    program: 'this one',
    variants,
    progress: () => {},
  };
  await publish(options).catch((thrown) => {
    if (!(thrown instanceof Error && thrown.message === 'cut off')) throw thrown;
  });
  return written;
}

const endpoints = REAL_ENDPOINT === undefined ? ['fake'] : ['fake', REAL_ENDPOINT];

describe.each(endpoints)('a publish to a bucket that is cut off: %s', (which) => {
  const bucketOf = async (width: number) => {
    const endpoint = which === 'fake' ? fake.endpoint : which;
    return openBucket(endpoint, await createBucket(endpoint), { width });
  };

  test('is resumed where it ended, however little each attempt gets done', async () => {
    const store = storeOf(12);
    const whole = await publishSome(storeOf(12), await bucketOf(4));
    const sink = await bucketOf(4);
    const all: string[] = [];
    let runs = 0;
    for (; runs === 0 || (all.length < whole.length * 3 && !(await sink.read('publication.json'))); runs++)
      all.push(...(await publishSome(store, sink, 15)));
    expect(runs).toBeGreaterThan(3);
    // Objects and documents are never written again, only the few files that record the state.
    const again = (keys: readonly string[]) =>
      keys.filter((key) => !/pointer|generations|shards|publication/.test(key));
    expect(again(all).toSorted()).toEqual(again(whole).toSorted());
    expect((await verifyArchive(sink)).problems).toEqual([]);
  });

  test('is resumed after a change: what the tree has of the previous generation is replaced', async () => {
    const store = storeOf(12);
    const sink = await bucketOf(2);
    await publishSome(store, sink);
    store.write((writer) => {
      for (let i = 0; i < 12; i++)
        upsertMarket(writer, market({ market_id: `venue_a:M${i}`, question: `Another question ${i}?` }), NOW);
    });
    const first = await publishSome(store, sink, 20, NOW + 60_000);
    expect(first.filter((key) => key.startsWith('api/')).length).toBeGreaterThan(0);
    const second = await publishSome(store, sink, undefined, NOW + 120_000);
    const documents = (keys: readonly string[]) => keys.filter((key) => key.startsWith('api/'));
    expect(documents(second).filter((key) => documents(first).includes(key))).toEqual([]);
    expect((await verifyArchive(sink)).problems).toEqual([]);
    const body = JSON.parse(String(await sink.read('api/v1/public/markets/venue_a~3aM7.json')));
    expect(body.question).toBe('Another question 7?');
  });

  test('is resumed between a document and its precompressed form', async () => {
    const publishPacked = (store: Store, sink: Sink, most?: number) =>
      publishSome(store, sink, most, NOW, ['gz']);
    const whole = await publishPacked(storeOf(12), await bucketOf(1));
    const between = whole.findIndex((key) => key.endsWith('.gz'));
    expect(whole[between]).toBe(`${whole[between - 1]}.gz`);
    const [store, sink] = [storeOf(12), await bucketOf(1)];
    await publishPacked(store, sink, between);
    await publishPacked(store, sink);
    expect((await verifyArchive(sink)).problems).toEqual([]);
    for (const key of [whole[between - 1] ?? '', whole[between] ?? '']) {
      const { content_encoding, generation } = (await sink.find(key))?.metadata ?? {};
      expect([content_encoding, generation]).toEqual([key.endsWith('.gz') ? 'gzip' : undefined, '1']);
    }
  });
});

test('an object that was stored with bytes other than those sent is written again', async () => {
  const sink = await openBucket(fake.endpoint, await createBucket(fake.endpoint), { width: 1 });
  const [first = ''] = await publishSome(storeOf(3), sink, 1);
  await sink.write(first, Buffer.from('other bytes'));
  expect(await publishSome(storeOf(3), sink)).toContain(first);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a tree whose publication.json was removed is written whole, with its headers', async () => {
  const store = storeOf(3);
  const sink = await openBucket(fake.endpoint, await createBucket(fake.endpoint), { width: 2 });
  const documents = (keys: readonly string[]) => keys.filter((key) => key.startsWith('api/')).toSorted();
  const first = documents(await publishSome(store, sink));
  await sink.remove('publication.json');
  expect(documents(await publishSome(store, sink, undefined, NOW + 60_000))).toEqual(
    expect.arrayContaining(first),
  );
});
