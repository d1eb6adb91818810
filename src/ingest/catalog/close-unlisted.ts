import { LIVE_STATUSES } from '../../model/catalog.ts';
import type { Family } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import { changeUnseenMarket, findMarket, listUnsettledUnseen } from '../../store/catalog/catalog.ts';
import type { Writer } from '../../store/store.ts';
import { takeTurns } from '../take-turns.ts';
import type { CatalogWalk, LookUp } from './catalog-walk.ts';
import type { Crawled, CrawlPlan } from './crawl.ts';

/** Markets that are looked up in one run. */
const LOOKED_UP_A_RUN = 1000;
/** Stored in place of the venue's own status when it no longer lists a market. */
export const NOT_LISTED = 'not listed';

/**
 * After a full crawl, looks up the markets that it did not meet and that are not finally settled, and closes those that
 * the venue no longer knows: missing from this crawl, from the one before, and from the look-up by id. A market is not
 * closed if its row is unreadable or the venue failed at it, and none is closed if an answer was not believed. One that
 * is listed again opens again.
 */
export async function closeUnlisted(
  walk: CatalogWalk,
  family: Family,
  { last }: CrawlPlan,
  { began }: Crawled,
  lookUp: LookUp,
): Promise<void> {
  const { run, feed, state } = walk;
  const wanted = run.store.write((writer) => {
    const unseen = listUnsettledUnseen(writer, family, began, NOT_LISTED);
    return takeTurns(writer, feed.name, unseen, LOOKED_UP_A_RUN).flatMap(
      (id) => findMarket(writer, id) ?? [],
    );
  });
  const left = () =>
    run.store.read((reader) =>
      wanted.filter(({ market_id }) => findMarket(reader, market_id)?.last_seen_at !== run.now),
    );
  if (wanted.length > 0) await lookUp(walk, left);
  // An answer that was not believed may list these markets.
  if (last === undefined || state.doubt !== undefined) return;
  run.store.write((writer) => {
    for (const { market_id, native_id } of wanted) {
      if (feed.isUnreadable(native_id)) continue;
      closeUnseen(writer, market_id, last.began, run.now);
    }
  });
}

/**
 * Closes a market that this crawl and the look-up by its id did not show, if the crawl before did not list it either.
 *
 * @param before when that began
 */
export function closeUnseen(writer: Writer, marketId: string, before: Instant, now: Instant): void {
  const market = findMarket(writer, marketId);
  if (!market || market.last_seen_at >= before || !LIVE_STATUSES.has(market.status)) return;
  changeUnseenMarket(writer, market, { status: 'closed', venue_status: NOT_LISTED }, now);
}
