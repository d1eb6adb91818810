import type { Socket } from 'node:net';
import type { Context } from 'hono';
import { ForemarkError } from '../../model/errors.ts';
import { type Env, incomingOf } from '../request-context.ts';

/** Bytes of answers that a client may leave unread. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** The connections of each client, and how much of their answers is still buffered in memory. */
export class UnreadAnswers {
  readonly #trustedHops: number;
  readonly #byClient = new Map<string, Set<Socket>>();

  /** @param trustedHops proxies in front of the server; nothing is limited behind one, which reads for everybody */
  constructor(trustedHops: number) {
    this.#trustedHops = trustedHops;
  }

  /** Refuses a client that leaves too much unread. @throws ForemarkError too_many_requests */
  refuse(context: Context<Env>, client: string): void {
    const socket = this.#trustedHops === 0 ? incomingOf(context)?.socket : undefined;
    if (!socket || this.#bytesFor(client, socket) <= MOST_UNREAD) return;
    const message = 'too many bytes of answers are still unread; read them, or retry in 10 seconds';
    throw new ForemarkError('too_many_requests', message, { retryAfterSeconds: 10 });
  }

  /** Buffered bytes on all connections of a client; remembers the connection that it asks on. */
  #bytesFor(client: string, asking: Socket): number {
    const sockets = this.#byClient.get(client) ?? new Set();
    if (!sockets.has(asking)) {
      this.#byClient.set(client, sockets.add(asking));
      asking.once('close', () => {
        sockets.delete(asking);
        if (sockets.size === 0) this.#byClient.delete(client);
      });
    }
    let bytes = 0;
    for (const { writableLength } of sockets) bytes += writableLength;
    return bytes;
  }
}
