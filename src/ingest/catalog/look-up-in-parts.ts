import { chunksOf } from '../../model/chunks.ts';
import { ForemarkError, hasCode } from '../../model/errors.ts';
import type { Feed } from '../feed.ts';
import { failsForGood, isMissing } from '../wire/venue-trouble.ts';
import type { AnsweredPage } from './listed-market.ts';

/** Enough to isolate two bad ids among a hundred; a venue that refuses everything is not asked for each id. */
const MOST_SPLITS = 16;

interface PartLookUp<Page extends AnsweredPage> {
  fetch(ids: string[]): Promise<Page>;
  keep(page: Page): void | Promise<void>;
}

/**
 * Looks up markets by their ids, at most `most` in a request. A failed request does not stop the others. One that the
 * venue refuses is split in halves, down to the single id at fault. Ids without an answer are reported and count as
 * unreadable. A single id with a 404 counts as not listed.
 */
export async function lookUpInParts<Page extends AnsweredPage>(
  feed: Feed,
  ids: readonly string[],
  most: number,
  { fetch, keep }: PartLookUp<Page>,
): Promise<void> {
  const waiting = chunksOf(ids, most);
  let splits = 0;
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    try {
      const page = await fetch(part);
      refuseOthers(page, part);
      await keep(page);
    } catch (thrown) {
      const alone = part.length === 1;
      if (alone && isMissing(thrown)) continue;
      if (!alone && splits < MOST_SPLITS && isRequestAtFault(thrown)) {
        splits++;
        waiting.unshift(...chunksOf(part, Math.ceil(part.length / 2)));
        continue;
      }
      feed.failPart(thrown);
      for (const id of part) feed.noteUnreadable(id);
    }
  }
}

/** Venues have ignored a parameter that they had renamed, and listed markets that were not asked for. */
function refuseOthers({ markets }: AnsweredPage, ids: readonly string[]): void {
  const asked = new Set(ids.map((id) => id.toLowerCase()));
  const other = markets.find(({ market }) => !asked.has(market.native_id.toLowerCase()));
  if (other)
    throw new ForemarkError(
      'invalid_payload',
      `a look-up by ids was answered with ${other.market.native_id}, which was not asked for`,
    );
}

/** Whether a single id may be at fault: the venue refused the request, or its answer could not be read. */
function isRequestAtFault(thrown: unknown): boolean {
  return failsForGood(thrown) || hasCode(thrown, 'invalid_payload');
}
