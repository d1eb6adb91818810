import { vi } from 'vitest';
import type { Effects } from '../../src/model/effects.ts';
import type { OpenWorld } from '../world/open-world.ts';
import { testEffects } from './run-ingest.ts';

/**
 * Does work during which each request that a world leaves without an answer is over its time limit at once, and no other
 * ever is, however busy the machine.
 */
export async function withHungOverdue<Result>(
  open: OpenWorld,
  work: (effects: Effects) => Promise<Result>,
): Promise<Result> {
  const limits = new Map<string, AbortController>();
  let latest = new AbortController();
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    latest = new AbortController();
    return latest.signal;
  });
  const effects = testEffects();
  // The limit of a request is set right before it is sent.
  const limited: typeof fetch = (url, init) => {
    limits.set(new URL(String(url)).pathname, latest);
    return effects.fetch(url, init);
  };
  open.onHang = (path) => limits.get(path)?.abort();
  try {
    return await work({ ...effects, fetch: limited });
  } finally {
    open.onHang = () => {};
    spy.mockRestore();
  }
}
