import { createHash, hash } from 'node:crypto';
import type { Context } from 'hono';
import { type Env, headerOf } from '../request-context.ts';

/** The first half of the SHA-256 of an answer, as used in its ETag. */
export function digestOf(body: string | Uint8Array): string {
  return hash('sha256', body).slice(0, 32);
}

/** The same for an answer that is read piece by piece. */
export async function digestOfStream(body: AsyncIterable<Buffer>): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const part of body) sha256.update(part);
  return sha256.digest('hex').slice(0, 32);
}

/**
 * Whether the asker already has an answer, in whatever encoding. A cache on the way may have weakened the tag.
 *
 * @param digest of the uncompressed answer
 * @see RFC 9110, section 13.1.2
 */
export function matchesEntityTag(context: Context<Env>, digest: string): boolean {
  const header = headerOf(context, 'if-none-match');
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header
    .split(',')
    .some((each) => each.trim().replace(/^W\/|-(?:br|gzip)(?="$)/g, '') === `"${digest}"`);
}
