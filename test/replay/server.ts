import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { findRoute, type Reply } from '../../scripts/world/http/route.ts';
import { send } from '../../scripts/world/http/send.ts';
import type { VenueHost } from './route.ts';

/** The virtual clock of a replay: UTC milliseconds, moved by the test. */
export interface Clock {
  now: number;
}

/** A listening replay server. */
export interface ListeningServer {
  origin: string;
  close(): Promise<void>;
}

/** Serves venue hosts on a free loopback port. */
export async function listen(hosts: readonly VenueHost[], clock: Clock): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    answerOf(hosts, clock, request)
      .catch((error: unknown): Reply => ({ status: 500, body: { error: String(error) } }))
      .then((reply) => send(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

async function answerOf(hosts: readonly VenueHost[], clock: Clock, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://replay');
  const body = await text(request);
  const host = hosts.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
  if (host === undefined) return { status: 404, body: { error: 'no venue answers under this path' } };
  const { method = 'GET' } = request;
  const path = pathname.slice(host.prefix.length);
  const found = findRoute(host.routes, method, path);
  if (found === undefined) return host.unknownPath;
  return found.route.answer({ method, path, query, params: found.params, body, now: clock.now });
}
