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

/** What tells the versions of a body apart. */
export interface Validators {
  /** Of the uncompressed bytes, as in their entity tag. */
  digest: string;
  /** Its date as a header says it; absent for what has no date that changes with it. */
  last_modified?: string | undefined;
}

/**
 * Whether the asker already has a body, in whatever encoding: by its tag or, if none is given, by its date. Only the very
 * date counts, since a file that is restored may be an older one.
 *
 * @see RFC 9110, sections 13.1.2 and 13.1.3
 */
export function isKnown(context: Context<Env>, body: Validators): boolean {
  const tags = headerOf(context, 'if-none-match');
  if (tags !== undefined) return matchesEntityTag(tags, body.digest);
  const { last_modified } = body;
  return last_modified !== undefined && headerOf(context, 'if-modified-since') === last_modified;
}

// A cache on the way may have weakened the tag.
function matchesEntityTag(header: string, digest: string): boolean {
  if (header.trim() === '*') return true;
  return header
    .split(',')
    .some((each) => each.trim().replace(/^W\/|-(?:br|gzip)(?="$)/g, '') === `"${digest}"`);
}
