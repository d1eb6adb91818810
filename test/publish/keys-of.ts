import type { Sink } from '../../src/publish/sinks/sink.ts';

/** All keys below a prefix. */
export async function keysOf(sink: Sink, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of sink.list(prefix)) keys.push(key);
  return keys;
}
