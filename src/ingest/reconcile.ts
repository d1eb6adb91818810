import type { Family } from '../model/platform.ts';
import {
  changeUnseenMarket,
  findMarket,
  listUnsettledUnseen,
  type MarketRow,
} from '../store/catalog/catalog.ts';
import type { CatalogWalk } from './catalog-walk.ts';
import { type Crawled, type CrawlPlan, noteCrawl } from './crawl.ts';
import { takeTurns } from './take-turns.ts';

/** Markets that are looked up in one run. */
const LOOKED_UP_A_RUN = 1000;
/** The venue's own word is missing: it lists the market no more. */
const NOT_LISTED = 'not listed';
const TRADING: ReadonlySet<string> = new Set(['unopened', 'active', 'paused']);

/** Asks for markets by their ids and keeps what it finds. @param left those that no answer of the run has shown yet */
type LookUp = (left: () => MarketRow[]) => Promise<void>;

/**
 * After a full crawl, asks for the markets that it did not meet and whose outcome is not final, and closes
 * those that the venue does not know any more: missing from this crawl, from the one before and when asked for
 * by their id. One whose row cannot be read, or that the venue fails at, is not closed, and none is where an answer is not
 * believed. A market that comes back is open again. Then notes the crawl.
 */
export async function reconcile(
  walk: CatalogWalk,
  family: Family,
  plan: CrawlPlan,
  crawled: Crawled,
  lookUp: LookUp,
): Promise<void> {
  await walk.feed.part(() => closeUnlisted(walk, family, plan, crawled, lookUp));
  noteCrawl(walk, plan, crawled);
}

async function closeUnlisted(
  { run, feed, state }: CatalogWalk,
  family: Family,
  { last }: CrawlPlan,
  { began }: Crawled,
  lookUp: LookUp,
): Promise<void> {
  const wanted = run.store.write((writer) => {
    const unseen = listUnsettledUnseen(writer, family, began, NOT_LISTED);
    return takeTurns(writer, feed.report.feed, unseen, LOOKED_UP_A_RUN).flatMap(
      (id) => findMarket(writer, id) ?? [],
    );
  });
  const left = () =>
    run.store.read((reader) =>
      wanted.filter(({ market_id }) => findMarket(reader, market_id)?.last_seen_at !== run.now),
    );
  if (wanted.length > 0) await lookUp(left);
  // What the venue answered and is not believed is there all the same.
  if (last === undefined || state.doubt !== undefined) return;
  run.store.write((writer) => {
    for (const { market_id, native_id } of wanted) {
      if (feed.unreadable.has(native_id.toLowerCase())) continue;
      const market = findMarket(writer, market_id);
      if (!market || market.last_seen_at >= last.began || !TRADING.has(market.status)) continue;
      changeUnseenMarket(writer, market, { status: 'closed', venue_status: NOT_LISTED }, run.now);
    }
  });
}
