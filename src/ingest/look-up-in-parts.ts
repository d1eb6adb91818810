import { chunksOf } from '../model/chunks.ts';
import type { Feed } from './feed.ts';
import { isFinal, isMissing, isVenueTrouble } from './wire/venue-trouble.ts';

/** Enough to find two ids among a hundred; a venue that refuses everything is not asked for each of them. */
const MOST_SPLITS = 16;

/**
 * Looks up records by their ids, so many a request: what the venue fails at keeps none of the others waiting. A request
 * that it refuses is made in halves, down to the one id that it is about. An id that got no answer is told, and counts as
 * one that cannot be read; one that the venue has nothing of, as one that it does not list.
 *
 * @param lookUp asks for some of them and keeps the answer
 */
export async function lookUpInParts(
  feed: Feed,
  ids: readonly string[],
  most: number,
  lookUp: (ids: string[]) => Promise<void>,
): Promise<void> {
  const waiting = chunksOf(ids, most);
  let splits = 0;
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    try {
      await lookUp(part);
    } catch (thrown) {
      const alone = part.length === 1;
      if (alone && isMissing(thrown)) continue;
      if (!alone && splits < MOST_SPLITS && isOfItself(thrown)) {
        splits++;
        waiting.unshift(...chunksOf(part, Math.ceil(part.length / 2)));
        continue;
      }
      feed.goOnAfter(thrown);
      for (const id of part) feed.unreadable.add(id.toLowerCase());
    }
  }
}

/** Whether it may be what was asked for that the venue stumbled over: it refused that, or answered what is no list. */
function isOfItself(thrown: unknown): boolean {
  return isFinal(thrown) || (isVenueTrouble(thrown) && thrown.code === 'invalid_payload');
}
