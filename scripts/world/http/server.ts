import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DIALECTS } from '../dialects/dialects.ts';
import type { ServedWorld, World } from '../world.ts';
import { rememberAnswers } from './answers.ts';
import { answerControl, CONTROL_PREFIX } from './control.ts';
import { createFaults, type Faults } from './faults.ts';
import { type Ask, findRoute, type RawBody, type Reply } from './route.ts';

const BODY_BYTES = 4 * 2 ** 20;

/** What a serving keeps apart from the world itself. */
export interface Desk {
  world: World;
  faults: Faults;
  answer(ask: Ask): Reply;
  /** Requests answered or failed, by path without query; control routes are not counted. */
  requests: Map<string, number>;
}

/** Serves a world on loopback until closed; a wrong request never stops it. */
export function listen(world: World, port: number): Promise<ServedWorld> {
  const desk: Desk = {
    world,
    faults: createFaults(),
    answer: rememberAnswers(world, answer),
    requests: new Map(),
  };
  const server = createServer((request, response) => {
    handle(desk, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, body: { error: String(error) } });
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const used = typeof address === 'object' && address !== null ? address.port : port;
      resolve({
        origin: `http://127.0.0.1:${used}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function handle(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://world');
  const body = await readBody(request);
  const ask: Ask = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    params: {},
    body,
  };
  if (ask.path.startsWith(CONTROL_PREFIX)) {
    send(response, answerControl(desk, ask));
    return;
  }
  desk.requests.set(ask.path, (desk.requests.get(ask.path) ?? 0) + 1);
  await desk.faults.respond(ask, response, () => desk.answer(ask));
}

function answer(world: World, ask: Ask): Reply {
  const dialect = DIALECTS.find(({ prefix }) => ask.path.startsWith(`${prefix}/`));
  if (dialect === undefined) return { status: 404, body: { error: 'no such venue' } };
  const path = ask.path.slice(dialect.prefix.length);
  const found = findRoute(dialect.routes, ask.method, path);
  if (found === undefined) return dialect.notFound(path);
  return found.route.answer(world, { ...ask, path, params: found.params });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > BODY_BYTES) throw new Error(`body must be at most ${BODY_BYTES} bytes`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}

/** Sends an answer, as JSON unless it says otherwise. */
export function send(response: ServerResponse, reply: Reply): void {
  const text = writeBody(reply.body);
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...reply.headers,
  });
  response.end(text);
}

/** The JSON text of a body; a body that is text or bytes already is taken as it stands. */
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
