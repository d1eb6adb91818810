import type { Context } from 'hono';
import { type Env, headerOf, reply } from '../request-context.ts';
import { type CompressedBodies, isWorthCompressing, preferredEncoding } from './compression.ts';
import { matchesEntityTag } from './entity-tag.ts';

/** A body to send: its bytes, their entity tag and their type. */
export interface Sendable {
  body: string | Uint8Array<ArrayBuffer>;
  digest: string;
  /** Media type. */
  type: string;
}

/** Media types worth compressing; PNG and Parquet are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/;

/** Sends a body in the encoding that the asker prefers, or 304 if the asker already has it. */
export function send(
  context: Context<Env>,
  bodies: CompressedBodies,
  { body, digest, type }: Sendable,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const encoding =
    isWorthCompressing(body) && COMPRESSIBLE.test(type)
      ? preferredEncoding(headerOf(context, 'accept-encoding'))
      : undefined;
  const tag = encoding ? `"${digest}-${encoding}"` : `"${digest}"`;
  const all: Record<string, string> = { 'Content-Type': type, ETag: tag, ...headers };
  // Before compressing: the tag names the encoding, not the compressed bytes.
  if (matchesEntityTag(context, digest)) return reply(context, null, 304, all);
  if (!encoding) return reply(context, body, 200, all);
  all['Content-Encoding'] = encoding;
  const compressed = bodies.find(encoding, digest, body);
  return compressed instanceof Promise
    ? compressed.then((shorter) => reply(context, shorter, 200, all))
    : reply(context, compressed, 200, all);
}
