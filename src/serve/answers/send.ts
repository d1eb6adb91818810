import type { Context } from 'hono';
import { type Env, headerOf, reply } from '../request-context.ts';
import { type CompressedBodies, type CompressedBody, isWorthCompressing } from './compression.ts';
import { isKnown } from './entity-tag.ts';

/** A body to send: its bytes, their entity tag and their type. */
export interface Sendable {
  body: string | Uint8Array<ArrayBuffer>;
  digest: string;
  /** Media type. */
  type: string;
}

/** Media types worth compressing; pictures and Parquet are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/;

/** Sends what is asked for in the form that the asker likes best, or 304 where the asker has it already. */
export function send(
  context: Context<Env>,
  bodies: CompressedBodies,
  { body, digest, type }: Sendable,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const inForm = (compressed: CompressedBody | undefined): Response => {
    const tag = compressed ? `"${digest}-${compressed.encoding}"` : `"${digest}"`;
    const all: Record<string, string> = { 'Content-Type': type, ETag: tag, ...headers };
    if (isKnown(context, digest)) return reply(context, null, 304, all);
    if (!compressed) return reply(context, body, 200, all);
    all['Content-Encoding'] = compressed.encoding;
    return reply(context, compressed.body, 200, all);
  };
  if (!isWorthCompressing(body) || !COMPRESSIBLE.test(type)) return inForm(undefined);
  const compressed = bodies.find(headerOf(context, 'accept-encoding'), digest, body);
  return compressed instanceof Promise ? compressed.then(inForm) : inForm(compressed);
}
