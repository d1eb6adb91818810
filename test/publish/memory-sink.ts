import { hash } from 'node:crypto';
import type { Sink } from '../../src/publish/sinks/sink.ts';

export interface MemorySink extends Sink {
  objects: Map<string, Buffer>;
  /** Requests so far. */
  requests: number;
  /** Called before a request takes effect, and after; what it throws ends the request. */
  before: ((request: number, key: string) => void | Promise<void>) | undefined;
  after: ((request: number, key: string) => void | Promise<void>) | undefined;
}

const etagOf = (body: Buffer) => hash('sha256', body);

/** A sink in memory, which conforms like the others and can be stopped at any request. */
export function memorySink(width = 1, objects = new Map<string, Buffer>()): MemorySink {
  const request = async <T>(key: string, work: () => T): Promise<T> => {
    const index = sink.requests++;
    await sink.before?.(index, key);
    const result = work();
    await sink.after?.(index, key);
    return result;
  };
  const sink: MemorySink = {
    objects,
    requests: 0,
    before: undefined,
    after: undefined,
    place: 'memory',
    width,
    prices: { write: 0.005 / 1000, read: 0.0004 / 1000 },
    read: (key) => request(key, () => objects.get(key)),
    find: (key) =>
      request(key, () => {
        const body = objects.get(key);
        return body && { body, etag: etagOf(body), metadata: {} };
      }),
    write: (key, body, { condition } = {}) =>
      request(key, () => {
        const standing = objects.get(key);
        if (condition && 'absent' in condition && standing) return undefined;
        if (condition && 'etag' in condition && (!standing || etagOf(standing) !== condition.etag))
          return undefined;
        objects.set(key, Buffer.from(body));
        return etagOf(body);
      }),
    async *list(prefix) {
      yield* await request(prefix, () => [...objects.keys()].filter((key) => key.startsWith(prefix)).sort());
    },
    remove: (...keys) =>
      request(keys.join(), () => {
        for (const key of keys) objects.delete(key);
      }),
  };
  return sink;
}

/** Thrown where a test stops a publish. */
export class Killed extends Error {}
