import type { Socket } from 'node:net';

/** The connections of each client, and how much was answered on them that was not taken: it is in memory until then. */
export class UnreadAnswers {
  readonly #byClient = new Map<string, Set<Socket>>();

  /** Bytes that wait for a client on all of its connections; takes note of the one that it asks on. */
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
