import type { Sink } from './sinks/sink.ts';

/** The requests made to a sink, and their cost at its list prices. */
export interface Usage {
  writes: number;
  reads: number;
  bytes_written: number;
  usd: number;
}

/** A sink that counts its requests. */
export function meteredSink(sink: Sink): { sink: Sink; usage(): Usage } {
  const count = { writes: 0, reads: 0, bytes_written: 0 };
  const { link } = sink;
  const metered: Sink = {
    ...sink,
    ...(link && {
      async link(from, to) {
        const linked = await link(from, to);
        if (linked) count.writes++;
        return linked;
      },
    }),
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
export function costOf({ writes, reads }: { writes: number; reads: number }, { prices }: Sink): number {
  return Math.round((writes * prices.write + reads * prices.read) * 1e6) / 1e6;
}
