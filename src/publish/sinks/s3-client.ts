import type { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../model/config.ts';
import { given } from '../../model/given.ts';
import { toMilliseconds } from '../../model/time.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');
type S3Settings = NonNullable<Config['publish']['s3']>;

export interface S3Options extends S3Settings {
  /** Called at the start of each operation; nothing is retried once the signal is aborted. */
  deadline: () => AbortSignal;
  /** Called now and then with a problem that is being retried. */
  tell?: (text: string) => void;
  /** Attempts that the SDK makes by itself. */
  sdk_attempts?: number;
  /** Time limit of one attempt at a fenced removal. */
  removal_ms?: number;
}

/** Attempts that the SDK makes by itself, before ours begin. */
const SDK_ATTEMPTS = 8;

/** The SDK's client for the settings of a bucket. */
export function createClient(sdk: Sdk, options: S3Options): S3Client {
  const checksums = options.checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  const timeoutMs = toMilliseconds(options.request_timeout_seconds);
  const client = new sdk.S3Client({
    region: options.region,
    ...given({ endpoint: options.endpoint }),
    forcePathStyle: options.path_style,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: options.sdk_attempts ?? SDK_ATTEMPTS,
    requestHandler: {
      // Of silence, in either direction: `requestTimeout` would only warn, or also end a long upload that goes well.
      socketTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      httpAgent: { keepAlive: true, maxSockets: options.width },
      httpsAgent: { keepAlive: true, maxSockets: options.width },
    },
  });
  // A store that does not support AWS's checksums refuses the header that names one, even along with Content-MD5.
  if (checksums === 'WHEN_REQUIRED')
    client.middlewareStack.add(
      (next) => (sent) => {
        delete (sent.request as { headers: Record<string, string> }).headers['x-amz-sdk-checksum-algorithm'];
        return next(sent);
      },
      { step: 'build', priority: 'low' },
    );
  return client;
}
