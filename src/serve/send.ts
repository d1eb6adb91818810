import type { Context } from 'hono';
import { type CompressedBodies, type CompressedBody, isWorthCompressing } from './compression.ts';
import { isKnown } from './entity-tag.ts';
import { type Env, reply } from './request-context.ts';

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
    const all: Record<string, string> = { 'Content-Type': type, ...headers };
    all.ETag = compressed ? `"${digest}-${compressed.encoding}"` : `"${digest}"`;
    if (isKnown(context, digest)) return reply(context, null, 304, all);
    if (!compressed) return reply(context, body, 200, all);
    return reply(context, compressed.body, 200, { ...all, 'Content-Encoding': compressed.encoding });
  };
  if (!isWorthCompressing(body) || !COMPRESSIBLE.test(type)) return inForm(undefined);
  const compressed = bodies.find(context.req.header('accept-encoding'), digest, body);
  return compressed instanceof Promise ? compressed.then(inForm) : inForm(compressed);
}
