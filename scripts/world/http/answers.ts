import type { World } from '../world.ts';
import type { Ask, Reply } from './route.ts';
import { writeBody } from './send.ts';

/** Maximum bytes of cached answers; the newest are kept. */
const REMEMBERED_BYTES = 64 * 2 ** 20;

/**
 * Caches answers: while its clock stands still, a world gives the same answer to the same request. A test that runs a
 * hundred times over one world then waits for each answer only once.
 *
 * @param answer computes an answer
 */
export function rememberAnswers(
  world: World,
  answer: (world: World, ask: Ask) => Reply,
): (ask: Ask) => Reply {
  if (world.running) return (ask) => answer(world, ask);
  const known = new Map<string, Reply & { bytes: number }>();
  let bytes = 0;
  return (ask) => {
    const { method, path, query, body } = ask;
    const question = JSON.stringify([world.now(), method, path, String(query), body]);
    const before = known.get(question);
    if (before) return before;
    const reply = answer(world, ask);
    const raw = writeBody(reply.body);
    const written = { ...reply, body: { raw }, bytes: raw.length };
    known.set(question, written);
    bytes += written.bytes;
    for (const [oldest, { bytes: freed }] of known) {
      if (bytes <= REMEMBERED_BYTES) break;
      known.delete(oldest);
      bytes -= freed;
    }
    return written;
  };
}
