import { hash } from 'node:crypto';
import { SHARDS, shardKey } from '../../store/archive/archive.ts';
import type { Sink } from '../sinks/sink.ts';

/**
 * A cache of the current generation's shards: every publish reads all of them and changes few. A cached shard is checked
 * against its digest, which is its name.
 */
export interface ShardCache {
  /** Wraps a sink so that shards are looked up in the cache first. */
  over(sink: Sink): Sink;
  /** Drops the shards that were neither read nor written. */
  dropOthers(): Promise<void>;
}

/** A cache in another sink, such as a folder. */
export function shardCache(near: Sink): ShardCache {
  const used = new Set<string>();
  const keep = async (key: string, body: Buffer) => {
    used.add(key);
    await near.write(key, body);
  };
  return {
    over: (sink) => ({
      ...sink,
      async read(key) {
        if (!key.startsWith(SHARDS)) return sink.read(key);
        const kept = await near.read(key);
        if (kept && shardKey(hash('sha256', kept)) === key) {
          used.add(key);
          return kept;
        }
        const body = await sink.read(key);
        if (body) await keep(key, body);
        return body;
      },
      async write(key, body, options) {
        const etag = await sink.write(key, body, options);
        if (key.startsWith(SHARDS)) await keep(key, body);
        return etag;
      },
    }),
    async dropOthers() {
      const others: string[] = [];
      for await (const key of near.list(SHARDS)) if (!used.has(key)) others.push(key);
      await near.remove(...others);
    },
  };
}
