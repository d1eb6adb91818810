import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRow } from './recorded.ts';
import type { Answer, VenueHost } from './route.ts';

/** The virtual clock of a replay: UTC milliseconds, moved by the test. */
export interface Clock {
  now: number;
}

/** A listening replay server. */
export interface ListeningServer {
  origin: string;
  /** Requests served so far by `METHOD /path`, control routes left out. */
  requests(): Record<string, number>;
  close(): Promise<void>;
}

/** Serves venue hosts on a free loopback port; `POST /_replay/clock {"now": ISO}` moves the clock. */
export async function listen(hosts: readonly VenueHost[], clock: Clock): Promise<ListeningServer> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://replay');
    const text = await bodyOf(request);
    const answer =
      url.pathname === '/_replay/clock'
        ? moveClock(clock, request.method, text)
        : answerOf(hosts, clock, request.method ?? 'GET', url, text, counts);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => Object.fromEntries(counts),
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

/** Milliseconds of an ISO instant; throws on text that is none. */
export function instantOf(iso: string): number {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) throw new Error(`now must be an ISO instant, got ${iso}`);
  return at;
}

function answerOf(
  hosts: readonly VenueHost[],
  clock: Clock,
  method: string,
  url: URL,
  text: string,
  counts: Map<string, number>,
): Answer {
  const key = `${method} ${url.pathname}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const host = hosts.find(({ prefix }) => url.pathname.startsWith(`${prefix}/`));
  if (host === undefined) return { status: 404, body: { error: 'no venue answers under this path' } };
  const path = url.pathname.slice(host.prefix.length);
  for (const route of host.routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match === null) continue;
    const names = match.slice(1).map((name) => decodeURIComponent(name));
    return route.answer({ query: url.searchParams, body: parse(text), now: clock.now }, ...names);
  }
  return host.unknownPath;
}

function moveClock(clock: Clock, method: string | undefined, text: string): Answer {
  const body = parse(text);
  const now = isRow(body) && typeof body.now === 'string' ? Date.parse(body.now) : Number.NaN;
  if (method !== 'POST' || Number.isNaN(now)) {
    return { status: 400, body: { error: 'POST {"now": ISO instant}' } };
  }
  clock.now = now;
  return { status: 200, body: { now: new Date(now).toISOString() } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
