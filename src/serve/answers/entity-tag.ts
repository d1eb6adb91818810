import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { type Env, headerOf } from '../request-context.ts';

/** Names the bytes of an answer: the first half of their SHA-256. */
export function digestOf(body: string | Uint8Array): string {
  return hash('sha256', body).slice(0, 32);
}

/**
 * Whether the asker has an answer already, in whatever encoding; a cache on the way may have weakened its tag.
 *
 * @param digest of the answer as it is without compression
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
