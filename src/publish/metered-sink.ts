import type { Sink } from './sinks/sink.ts';

/** The most keys that a bucket lists at once. */
const KEYS_A_PAGE = 1_000;

/** The requests made to a sink, and their cost at its list prices. */
export interface Usage {
  writes: number;
  reads: number;
  /** Pages of keys, each of which costs as much as a write. */
  lists: number;
  bytes_written: number;
  usd: number;
}

/** A sink that counts its requests. */
export function meteredSink(sink: Sink): { sink: Sink; usage(): Usage } {
  const count = { writes: 0, reads: 0, lists: 0, bytes_written: 0 };
  const { link, listEtags } = sink;
  async function* counted<Key>(keys: AsyncIterable<Key>): AsyncGenerator<Key> {
    let listed = 0;
    count.lists++;
    for await (const key of keys) {
      if (listed++ === KEYS_A_PAGE) {
        count.lists++;
        listed = 1;
      }
      yield key;
    }
  }
  const metered: Sink = {
    ...sink,
    ...(link && {
      async link(from, to) {
        const linked = await link(from, to);
        if (linked) count.writes++;
        return linked;
      },
    }),
    ...(listEtags && { listEtags: (prefix) => counted(listEtags(prefix)) }),
    list: (prefix) => counted(sink.list(prefix)),
    read(key) {
      count.reads++;
      return sink.read(key);
    },
    find(key) {
      count.reads++;
      return sink.find(key);
    },
    write(key, body, options) {
      count.writes++;
      count.bytes_written += body.byteLength;
      return sink.write(key, body, options);
    },
  };
  return { sink: metered, usage: () => ({ ...count, usd: costOf(count, sink) }) };
}

/** What a number of requests costs, in US dollars. */
export function costOf(
  { writes, reads, lists }: Omit<Usage, 'bytes_written' | 'usd'>,
  { prices }: Sink,
): number {
  return Math.round(((writes + lists) * prices.write + reads * prices.read) * 1e6) / 1e6;
}
