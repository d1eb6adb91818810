import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { ForemarkError, messageOf } from '../model/errors.ts';

export interface Listening {
  origin: string;
  /** Stops taking requests and resolves when those under way are answered. */
  close(): Promise<void>;
}

/**
 * Listens for requests.
 *
 * @param address port 0 takes a free one
 * @throws ForemarkError invalid_configuration when the address cannot be taken
 */
export function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
      const name = host.includes(':') ? `[${host}]` : host;
      const close = () => new Promise<void>((done) => server.close(() => done()));
      resolve({ origin: `http://${name}:${address.port}`, close });
    });
    server.on('error', (thrown) =>
      reject(
        new ForemarkError('invalid_configuration', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`),
      ),
    );
  });
}
