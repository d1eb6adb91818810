import { openBucket } from './s3-bucket.ts';
import type { S3Options } from './s3-client.ts';
import { BucketWrites } from './s3-writes.ts';
import type { Sink } from './sink.ts';

/**
 * A bucket, or the part of one below a prefix, behind the S3 API. Bodies are sent as buffers: given a stream, several servers
 * store the framing of its checksum inside the object.
 *
 * @throws ForemarkError sink_unavailable, from each of its functions, once the deadline is over or the
 *   bucket refuses
 */
export async function openS3Sink(options: S3Options): Promise<Sink> {
  const bucket = await openBucket(options);
  const writes = new BucketWrites(bucket);
  return {
    place: bucket.place,
    width: options.width,
    prices: { write: options.usd_per_1000_writes / 1000, read: options.usd_per_1000_reads / 1000 },
    find: (key) => bucket.find(key),
    read: async (key) => (await bucket.find(key))?.body,
    write: (key, body, { metadata = {}, condition } = {}) =>
      condition ? writes.writeIf(key, body, metadata, condition) : writes.write(key, body, metadata),
    async *list(prefix) {
      for await (const { key } of bucket.list(prefix)) yield key;
    },
    listEtags: (prefix) => bucket.list(prefix),
    remove: (...keys) => bucket.remove(keys),
    removeWhile: (check, keys) => bucket.remove(keys, check),
    removalsOver: () => bucket.removalsOver(),
  };
}
