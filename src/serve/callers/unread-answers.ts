import type { Socket } from 'node:net';

/** The connections of each client, and how much of their answers is still buffered in memory. */
export class UnreadAnswers {
  readonly #byClient = new Map<string, Set<Socket>>();

  /** Buffered bytes on all connections of a client; remembers the connection that it asks on. */
  bytesFor(client: string, asking: Socket): number {
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
