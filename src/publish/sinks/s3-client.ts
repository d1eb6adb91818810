import type { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../model/config.ts';
import { given } from '../../model/given.ts';
import { toMilliseconds } from '../../model/time.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');
type S3Settings = NonNullable<Config['publish']['s3']>;

export interface S3Options extends S3Settings {
  /** Asked at the start of each operation for its end: once aborted, nothing is tried again. */
  deadline: () => AbortSignal;
  /** Called now and then with what is wrong, while it is tried again. */
  tell?: (text: string) => void;
  /** Tries of one request that the SDK makes by itself. */
  sdk_attempts?: number;
  /** Limit of one try of a removal that may become unwanted. */
  removal_ms?: number;
}

/** Tries that the SDK makes of one request by itself, before ours begin. */
const SDK_ATTEMPTS = 8;

/** The SDK's client with what the settings of a bucket say. */
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
      requestTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      httpAgent: { keepAlive: true, maxSockets: options.width },
      httpsAgent: { keepAlive: true, maxSockets: options.width },
    },
  });
  // A store that does not know the checksums of AWS refuses the header that names one, also beside Content-MD5.
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
