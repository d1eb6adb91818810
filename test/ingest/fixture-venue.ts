import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a route of a fixture venue answers: JSON, or whatever the test does to the response itself. */
type Answering = unknown | ((response: ServerResponse, request: IncomingMessage) => void);

/** A request as the fixture venue saw it. */
interface SeenRequest {
  path: string;
  query: URLSearchParams;
  body: string;
}

/** A venue over loopback that answers what a test wants of it, in order or for ever. */
export interface FixtureVenue {
  origin: string;
  requests: SeenRequest[];
  /** Answers a path from now on; a function is given the query and says what. */
  on(path: string, answer: (query: URLSearchParams, body: string) => Answering): void;
  close(): Promise<void>;
}

/** A response handler, told apart from JSON that happens to be answered. */
export class Raw {
  readonly handle: (response: ServerResponse, request: IncomingMessage) => void;

  constructor(handle: (response: ServerResponse, request: IncomingMessage) => void) {
    this.handle = handle;
  }
}

/** Bytes with a status and headers. */
export function raw(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Raw {
  return new Raw((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
}

/** Listens on loopback; a path without an answer is 404 in Kalshi's shape. */
export async function startFixtureVenue(): Promise<FixtureVenue> {
  const answers = new Map<string, (query: URLSearchParams, body: string) => Answering>();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://fixture');
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ path: url.pathname, query: url.searchParams, body });
      const answer =
        answers.get(url.pathname)?.(url.searchParams, body) ??
        raw('{"error":{"code":"not_found","message":"not found"}}', 404);
      if (answer instanceof Raw) answer.handle(response, request);
      else raw(JSON.stringify(answer)).handle(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on: (path, answer) => answers.set(path, answer),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
