import { finished, Readable } from 'node:stream';
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
  body: string | Uint8Array<ArrayBuffer>;
  /** Media type. */
  type: string;
}

/** A body that is too large to be in memory whole; it is sent as it is. */
export interface SendableStream extends Omit<Sendable, 'body'> {
  /** In bytes. */
  size: number;
  read(range?: ByteRange): Readable;
  /** Called once nothing more is read. */
  close(): void;
}

/** Media types worth compressing; PNG and Parquet are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/;

/** Whether a body of a media type is sent in an encoding to those who take one. */
export function isCompressed(type: string, body: { length: number }): boolean {
  return isWorthCompressing(body) && COMPRESSIBLE.test(type);
}

/** Sends a body, or the part that is asked for, piece by piece as it is read, or 304 if the asker already has it. */
export function sendStream(
  context: Context<Env>,
  file: SendableStream,
  headers: Readonly<Record<string, string>>,
): Response {
  const { digest, size, read, close } = file;
  const all = headersOf(file, headers);
  const sized = { ...all, 'Content-Length': String(size) };
  const known = isKnown(context, file);
  if (known || context.req.method === 'HEAD') {
    close();
    return known ? reply(context, null, 304, all) : reply(context, null, 200, sized);
  }
  const range = askedRange(context, headers, { digest, size });
  if (range === 'none') {
    close();
    return reply(context, null, 416, rangeHeaders(range, size));
  }
  const body = read(range);
  finished(body, close);
  const stream = Readable.toWeb(body) as ReadableStream;
  return range
    ? reply(context, stream, 206, { ...all, ...rangeHeaders(range, size) })
    : reply(context, stream, 200, sized);
}

/** Sends the part of a file that is asked for, uncompressed; undefined if it is to be sent whole. */
export function sendPart(
  context: Context<Env>,
  file: Sendable & { body: Uint8Array<ArrayBuffer> },
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  if (isKnown(context, file)) return undefined;
  const { body, digest } = file;
  const size = body.byteLength;
  const range = askedRange(context, headers, { digest, size });
  if (!range) return undefined;
  if (range === 'none') return reply(context, null, 416, rangeHeaders(range, size));
  const all = { ...headersOf(file, headers), ...rangeHeaders(range, size) };
  return reply(context, body.subarray(range.start, range.end + 1), 206, all);
}

/** Sends a body in the encoding that the asker prefers, or 304 if the asker already has it. */
export function send(
  context: Context<Env>,
  bodies: CompressedBodies,
  sendable: Sendable,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const { body, digest, type } = sendable;
  const encoding = isCompressed(type, body)
    ? preferredEncoding(headerOf(context, 'accept-encoding'))
    : undefined;
  const all = headersOf(sendable, headers, encoding);
  // Before compressing: the tag names the encoding, not the compressed bytes.
  if (isKnown(context, sendable)) return reply(context, null, 304, all);
  if (!encoding) return reply(context, body, 200, all);
  all['Content-Encoding'] = encoding;
  const compressed = bodies.find(encoding, digest, body);
  return compressed instanceof Promise
    ? compressed.then((shorter) => reply(context, shorter, 200, all))
    : reply(context, compressed, 200, all);
}

function headersOf(
  { digest, type, last_modified }: Pick<Sendable, 'type'> & Validators,
  headers: Readonly<Record<string, string>>,
  encoding?: Encoding,
): Record<string, string> {
  const tag = encoding ? `"${digest}-${encoding}"` : `"${digest}"`;
  const all: Record<string, string> = { 'Content-Type': type, ETag: tag, ...headers };
  if (last_modified !== undefined) all['Last-Modified'] = last_modified;
  return all;
}
