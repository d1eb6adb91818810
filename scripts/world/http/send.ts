import type { ServerResponse } from 'node:http';
import type { RawBody, Reply } from './route.ts';

/** Sends an answer, as JSON by default. */
export function send(response: ServerResponse, reply: Reply): void {
  const text = writeBody(reply.body);
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...reply.headers,
  });
  response.end(text);
}

/** The JSON text of a body; text and bytes are passed on unchanged. */
export function writeBody(body: unknown): string | Buffer {
  return isRaw(body) ? body.raw : JSON.stringify(body);
}

function isRaw(body: unknown): body is RawBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'raw' in body &&
    (typeof body.raw === 'string' || Buffer.isBuffer(body.raw))
  );
}
