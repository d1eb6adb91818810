import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { config } from '../../src/model/config.ts';
import { openS3Sink } from '../../src/publish/sinks/s3.ts';
import type { S3Options } from '../../src/publish/sinks/s3-client.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';

/** A real S3 server to test against, when `npm run test:s3` has started one. */
export const REAL_ENDPOINT = process.env.TEST_S3_ENDPOINT;

// The SDK's own chain reads these; a real server is started with the same.
process.env.AWS_ACCESS_KEY_ID ??= 'AKTEST';
process.env.AWS_SECRET_ACCESS_KEY ??= 'SKTEST';

/** A client for what the sink itself does not do. */
export function bucketClient(endpoint: string): S3Client {
  return new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 });
}

/** Makes a bucket of its own. @returns its name */
export async function createBucket(endpoint: string): Promise<string> {
  const bucket = `t${randomUUID()}`;
  const client = bucketClient(endpoint);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return bucket;
}

/** Opens a sink on a bucket with the settings that a user would give. */
export function openBucket(
  endpoint: string,
  bucket: string,
  options: Partial<S3Options> = {},
): Promise<Sink> {
  const settings = config.parse({ publish: { s3: { bucket, endpoint, path_style: true, width: 16 } } })
    .publish.s3;
  if (!settings) throw new Error('no bucket in the settings');
  return openS3Sink({ ...settings, deadline: () => AbortSignal.timeout(60_000), ...options });
}
