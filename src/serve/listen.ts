import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { UNREADABLE } from './request-context.ts';

export interface Listening {
  origin: string;
  /** Stops taking requests and resolves when those under way are answered or have had their time. */
  close(): Promise<void>;
}

/** Time limits of each part of a request; a socket that exceeds one is closed. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  // How often Node enforces these limits; by default every half minute.
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Refused below instead, with a body that says why.
  requireHostHeader: false,
  // A socket idle for this long is closed: a stalled export holds a snapshot of the store.
  stalledTimeout: 30_000,
};

/**
 * Requests that a connection may send before the first is answered. Node takes all that it reads at once, a thousand or
 * more, before anybody else's; no browser or proxy sends any ahead.
 */
const MOST_UNANSWERED = 32;

/**
 * Time for a refused client to read why and close. It may still be sending: closed at once, the connection would be reset
 * and the refusal lost; left to it, it could be held open for ever, a byte at a time.
 */
const LINGER_MS = 1_000;

/** Time for requests under way at shutdown; supervisors often kill a process after 10 seconds. */
const LAST_MS = 8_000;

/**
 * Listens for requests.
 *
 * @param address port 0 takes a free one
 * @param limits that differ from the usual ones
 * @throws ForemarkError invalid_configuration when the address cannot be taken
 */
export function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port }: { host: string; port: number },
  limits: Partial<typeof LIMITS> = {},
): Promise<Listening> {
  // The application also answers requests that cannot be read.
  const refuse = (unreadable: string) => app.fetch(new Request(UNREADABLE), { unreadable });
  const errorHandler = (thrown: unknown) =>
    thrown instanceof RequestError
      ? refuse('the host or the path of the request cannot be read')
      : new Response(null, { status: 500 });
  const answer: FetchCallback = (request, bindings) => {
    const unreadable = hostProblem(bindings.incoming);
    return unreadable === undefined ? app.fetch(request, bindings) : refuse(unreadable);
  };
  const { stalledTimeout, ...ofNode } = { ...LIMITS, ...limits };
  const take = getRequestListener(answer, { hostname: host, errorHandler });
  const unanswered = new WeakMap<Socket, number>();
  const server = createServer(ofNode, (request, response) => {
    const { socket } = request;
    const before = unanswered.get(socket) ?? 0;
    if (before === MOST_UNANSWERED) socket.destroy();
    // Node goes on with what it has already read of a closed connection.
    if (socket.destroyed) return;
    unanswered.set(socket, before + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    void take(request, response);
  });
  // What else is expected than 100-continue may be ignored; Node would refuse it in words of its own.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (thrown: NodeJS.ErrnoException, socket) => {
    const { status, unreadable } = REFUSED_BY_NODE[thrown.code ?? ''] ?? REFUSED;
    void refuseOn(socket as Socket, status, () => refuse(unreadable));
  });
  server.setTimeout(stalledTimeout);
  return new Promise((resolve, reject) => {
    server.on('error', (thrown) =>
      reject(
        new ForemarkError('invalid_configuration', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`),
      ),
    );
    server.listen(port, host, () => {
      const name = host.includes(':') ? `[${host}]` : host;
      const taken = (server.address() as AddressInfo).port;
      resolve({ origin: `http://${name}:${taken}`, close: () => close(server) });
    });
  });
}

type FetchCallback = Parameters<typeof getRequestListener>[0];

/**
 * What is wrong with the Host header of a request: only HTTP/1.0 may omit it, and there may not be two, since a cache on
 * the way could have used the other one.
 *
 * @see RFC 9112, section 3.2
 */
function hostProblem({
  rawHeaders,
  httpVersion,
}: Parameters<FetchCallback>[1]['incoming']): string | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) return 'the request names two hosts';
  return hosts === 0 && httpVersion !== '1.0' ? 'the request names no host' : undefined;
}

const REFUSED = { status: 400, unreadable: 'the request cannot be read' };
const REFUSED_BY_NODE: Record<string, typeof REFUSED> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, unreadable: 'the request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, unreadable: 'the headers of the request are too long' },
};

/**
 * Refuses what Node cannot parse, in the same form as all other refusals, and closes the connection. If something was
 * already sent on it, possibly half an answer, it is just closed.
 */
async function refuseOn(
  socket: Socket,
  status: number,
  refuse: () => Response | Promise<Response>,
): Promise<void> {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const answer = await refuse();
  const body = await answer.text();
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const ends = `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}${ends}${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS);
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => server.closeAllConnections(), LAST_MS);
    // Clients keep idle connections open, also those whose last answer began before the shutdown.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(late);
      clearInterval(idle);
      done();
    });
  });
}
