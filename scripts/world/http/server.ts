import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DIALECTS } from '../dialects/dialects.ts';
import type { World } from '../world.ts';
import { rememberAnswers } from './answers.ts';
import { answerControl, CONTROL_PREFIX, type ServerState } from './control.ts';
import { createFaults } from './faults.ts';
import { type Ask, findRoute, type Reply } from './route.ts';
import { send } from './send.ts';

const BODY_BYTES = 4 * 2 ** 20;

/** A running server of a world. */
export interface ServedWorld {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves a world on the loopback interface until closed; a wrong request never stops it: each dialect under its prefix,
 * and `/_world` for tests (clock, truth, faults, request counts).
 *
 * @param port 0 takes a free one
 * @throws when the port is taken
 */
export async function serveWorld(
  world: World,
  { port, onHang }: { port: number; onHang?: (path: string) => void },
): Promise<ServedWorld> {
  const state: ServerState = {
    world,
    faults: createFaults(onHang),
    answer: rememberAnswers(world, answer),
    requests: new Map(),
  };
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, body: { error: String(error) } });
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    send(response, answerControl(state, ask));
    return;
  }
  state.requests.set(ask.path, (state.requests.get(ask.path) ?? 0) + 1);
  await state.faults.respond(ask, response, () => state.answer(ask));
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
