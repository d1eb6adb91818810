import { afterAll, beforeAll } from 'vitest';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { createBucket, openBucket, REAL_ENDPOINT } from '../s3/buckets.ts';
import { type FakeS3, startFakeS3 } from '../s3/fake-s3.ts';
import { describeSink } from './sink-conformance.ts';

let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
  fake.pageSize = 10;
});
afterAll(async () => {
  await fake.close();
});

describeSink('folder', async () => folderSink(temporaryFolder()), false);

describeSink(
  'bucket of the fault-injecting server',
  async () => openBucket(fake.endpoint, await createBucket(fake.endpoint), { prefix: 'some/part' }),
  true,
);

describeSink(
  'bucket of a server that wants bare ETags',
  async () => {
    fake.bareEtags = true;
    return openBucket(fake.endpoint, await createBucket(fake.endpoint));
  },
  true,
);

if (REAL_ENDPOINT !== undefined) {
  const endpoint = REAL_ENDPOINT;
  describeSink(
    `bucket at ${endpoint}`,
    async () => openBucket(endpoint, await createBucket(endpoint), { prefix: 'some/part' }),
    true,
  );
}
