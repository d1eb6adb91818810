import { hash } from 'node:crypto';

/** Many documents are as short as an empty list, and equal: their digests are remembered. */
const SHORT = 64;
const SHORT_KEPT = 1_000;
const short = new Map<string, string>();

/** SHA-256 of a document's bytes, in hex. */
export function digestOf(body: string | Buffer): string {
  if (typeof body !== 'string' || body.length > SHORT) return hash('sha256', body);
  const known = short.get(body);
  if (known !== undefined) return known;
  const sha256 = hash('sha256', body);
  if (short.size < SHORT_KEPT) short.set(body, sha256);
  return sha256;
}
