import { finished, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context } from 'hono';
import { type Env, headerOf, reply } from '../request-context.ts';
import { askedRange, type ByteRange, rangeHeaders } from './byte-range.ts';
import {
  type CompressedBodies,
  type Encoding,
  isWorthCompressing,
  preferredEncoding,
} from './compression.ts';
import { isKnown, type Validators } from './entity-tag.ts';

/** A body to send: its bytes, what tells them apart, and their type. */
export interface Sendable extends Validators {
  body: string | Uint8Array<ArrayBuffer> | OpenBody;
  type: string;
}

/** A body that is too large to stay in memory: it is read as it is sent. */
interface OpenBody {
  /** In bytes. */
  length: number;
  read(range?: ByteRange): Readable;
  /** Called once nothing more is read. */
  close(): void;
}

/** Media types worth compressing; PNG and Parquet are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/;

/**
 * Sends a body in the encoding that the asker prefers, or the part that is asked for as it is, or 304 if the asker already
 * has it.
 */
export function send(
  context: Context<Env>,
  bodies: CompressedBodies,
  sendable: Sendable,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const { body, digest, type } = sendable;
  const known = isKnown(context, sendable);
  const range = known ? undefined : askedRange(context, headers, { digest, size: body.length });
  const encoding =
    !range && isWorthCompressing(body) && COMPRESSIBLE.test(type)
      ? preferredEncoding(headerOf(context, 'accept-encoding'))
      : undefined;
  const all = headersOf(sendable, headers, encoding);
  // Before compressing: the tag names the encoding, not the compressed bytes.
  if (known) return reply(context, unread(body), 304, all);
  if (range === 'none') return reply(context, unread(body), 416, rangeHeaders(range, body.length));
  if (range)
    return reply(context, contentOf(body, range), 206, { ...all, ...rangeHeaders(range, body.length) });
  if (!encoding) {
    const sized = isOpen(body) ? { ...all, 'Content-Length': String(body.length) } : all;
    const isUnread = isOpen(body) && context.req.method === 'HEAD';
    return reply(context, isUnread ? unread(body) : contentOf(body), 200, sized);
  }
  all['Content-Encoding'] = encoding;
  const compressed = bodies.find(encoding, digest, () => (isOpen(body) ? buffer(body.read()) : body));
  if (compressed instanceof Promise)
    return compressed.finally(() => unread(body)).then((shorter) => reply(context, shorter, 200, all));
  unread(body);
  return reply(context, compressed, 200, all);
}

function isOpen(body: Sendable['body']): body is OpenBody {
  return typeof body === 'object' && 'read' in body;
}

/** What is sent of a body that is not read any more. */
function unread(body: Sendable['body']): null {
  if (isOpen(body)) body.close();
  return null;
}

/** What is sent of a body, or of a part of it. */
function contentOf(body: Sendable['body'], range?: ByteRange) {
  if (!isOpen(body))
    return range && typeof body !== 'string' ? body.subarray(range.start, range.end + 1) : body;
  const content = body.read(range);
  finished(content, body.close);
  return Readable.toWeb(content) as ReadableStream;
}

function headersOf(
  { digest, type, last_modified }: Sendable,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding | undefined,
): Record<string, string> {
  const tag = encoding ? `"${digest}-${encoding}"` : `"${digest}"`;
  const all: Record<string, string> = { 'Content-Type': type, ETag: tag, ...headers };
  if (last_modified !== undefined) all['Last-Modified'] = last_modified;
  return all;
}
