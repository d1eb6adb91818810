import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { given } from '../../model/given.ts';
import type { ObjectMetadata } from './sink.ts';

type Settings = S3Client['config'];
type HttpRequest = Parameters<Settings['requestHandler']['handle']>[0];

/** A successful PUT of the SDK, reduced to what all PUTs have in common. */
interface Pattern {
  /** With the path up to where the key begins. */
  request: HttpRequest;
  signer: Awaited<ReturnType<Settings['signer']>>;
  signingRegion: string;
  /** Whether to send a checksum of the bytes. */
  checksum: boolean;
}

/** Headers that all puts share. */
const SHARED_HEADERS = ['host', 'user-agent', 'x-amz-user-agent', 'x-amz-sdk-checksum-algorithm'];
/** Larger bodies are left to the SDK, which may ask first whether they are wanted (Expect: 100-continue). */
const LONGEST_BODY = 2 ** 20;
/** With a larger clock error PUTs are left to the SDK, which corrects for it. */
const WRONG_CLOCK_MS = 240_000;
/** The signature of an ordinary bucket, with its region. */
const PLAIN_SIGNATURE = /^AWS4-HMAC-SHA256 Credential=[^,]*\/([^/,]+)\/s3\/aws4_request,/;

/**
 * PUTs modelled on one that the SDK made: same host and headers, signed by the SDK's signer and sent by its handler, but
 * without its middleware, which works all of this out again for each request. This takes a quarter of the processor time.
 * Only success is handled here: after anything else the SDK repeats the request, and its next success is the new model.
 */
export class FastPuts {
  readonly #client: S3Client;
  #pattern: Pattern | undefined;

  constructor(client: S3Client) {
    this.#client = client;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (sent) => {
          const answer = await next(sent);
          if (
            commandName === 'PutObjectCommand' &&
            (answer.response as { statusCode: number }).statusCode === 200
          )
            this.#pattern ??= await this.#learn(sent.request as HttpRequest, sent.input as { Key: string });
          return answer;
        },
      { step: 'deserialize', priority: 'low' },
    );
  }

  /**
   * Puts bytes under a key, once there is a model.
   *
   * @returns their ETag; undefined when the SDK has to do it, and the bytes may or may not have been stored
   */
  async put(
    key: string,
    body: Buffer,
    metadata: ObjectMetadata,
    until: { abortSignal: AbortSignal },
  ): Promise<string | undefined> {
    const pattern = this.#pattern;
    const { config } = this.#client;
    if (!pattern || body.byteLength > LONGEST_BODY) return undefined;
    if (Math.abs(config.systemClockOffset) >= WRONG_CLOCK_MS) return undefined;
    try {
      const signed = await pattern.signer.sign(
        {
          ...pattern.request,
          path: pattern.request.path + encodeKey(key),
          headers: { ...pattern.request.headers, ...headersOf(body, metadata, pattern.checksum) },
          body,
        },
        { signingRegion: pattern.signingRegion, signingService: 's3' },
      );
      const { response } = await config.requestHandler.handle(signed as never, until);
      (response.body as Readable).resume();
      if (response.statusCode === 200 && response.headers.etag) return response.headers.etag;
    } catch {
      // The SDK repeats the request and reports what is wrong.
    }
    this.#pattern = undefined;
    return undefined;
  }

  async #learn(sent: HttpRequest, { Key }: { Key: string }): Promise<Pattern | undefined> {
    const key = encodeKey(Key);
    const signingRegion = PLAIN_SIGNATURE.exec(sent.headers.authorization ?? '')?.[1];
    if (signingRegion === undefined || !sent.path.endsWith(`/${key}`)) return undefined;
    const headers = given(Object.fromEntries(SHARED_HEADERS.map((name) => [name, sent.headers[name]])));
    return {
      request: { ...sent, path: sent.path.slice(0, -key.length), headers, body: undefined },
      signer: await this.#client.config.signer({
        name: 'sigv4',
        signingName: 's3',
        signingRegion,
        properties: {},
      }),
      signingRegion,
      checksum: sent.headers['x-amz-checksum-crc32'] !== undefined,
    };
  }
}

/** A key as the SDK writes it into a path. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replace(/%2F|[!'()*]/g, (part) =>
    part === '%2F' ? '/' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headersOf(body: Buffer, metadata: ObjectMetadata, checksum: boolean): Record<string, string> {
  const crc = Buffer.alloc(4);
  if (checksum) crc.writeUInt32BE(crc32(body));
  return given({
    'content-length': String(body.byteLength),
    'x-amz-content-sha256': hash('sha256', body),
    'x-amz-checksum-crc32': checksum ? crc.toString('base64') : undefined,
    'content-type': metadata.content_type,
    'cache-control': metadata.cache_control,
    'content-encoding': metadata.content_encoding,
    'x-amz-meta-generation': metadata.generation,
  });
}
