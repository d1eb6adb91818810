import type { CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { type Instant, roundTo } from '../../../model/units.ts';
import { findMarketKey, hasMarket } from '../../../store/catalog/catalog.ts';
import { findNote } from '../../../store/notes.ts';
import { selectPrices } from '../../../store/prices/price-reads.ts';
import type { Writer } from '../../../store/store.ts';
import { insertQuote, insertQuoteIfNew } from '../../catalog/keep-catalog.ts';
import type { Feed } from '../../feed.ts';
import { reportAbsent } from '../../prices/collect-books.ts';
import type { VenueRun } from '../venue.ts';
import { infoRequest } from './info-request.ts';
import { yesCoin } from './outcome-names.ts';
import { parseBook } from './parse-book.ts';
import { VOLUMES, volumeCount } from './volume-count.ts';

/** Books fetched concurrently. */
const AT_ONCE = 4;

/** Fetches the book of each active market in the catalog, since the venue's list has no quotes. */
export async function collectBooks(run: VenueRun, markets: readonly CatalogMarket[]): Promise<void> {
  const named = new Set(run.named.map((each) => each.market_id));
  const trading = run.store.read((reader) =>
    markets.filter(({ market_id, status }) => status === 'active' && hasMarket(reader, market_id)),
  );
  await run.feed('venue_c/books', async (feed) => {
    const absent: CatalogMarket[] = [];
    const collect = async (each: CatalogMarket) => {
      if (!(await collectBook(run, feed, each, named.has(each.market_id)))) absent.push(each);
    };
    await feed.each(trading, collect, AT_ONCE);
    reportAbsent(feed, absent, trading.length, named);
  });
}

/** @returns whether the venue has the book */
async function collectBook(
  run: VenueRun,
  feed: Feed,
  market: CatalogMarket,
  named: boolean,
): Promise<boolean> {
  const coin = yesCoin(market.native_id);
  const answer = await feed.fetch(infoRequest(run.config, { type: 'l2Book', coin }));
  const book = parseBook(answer.json, coin);
  feed.keep(answer, { read: 1, rejections: [] }, (writer) => {
    const key = findMarketKey(writer, market.market_id);
    if (!book || key === undefined) return {};
    const volume = named ? lifetimeVolume(writer, key, market.market_id, run.now) : market.volume;
    const prices = { ...book, ...given({ volume, open_interest: market.open_interest }) };
    const insert = named ? insertQuote : insertQuoteIfNew;
    return { observations_added: insert(writer, key, prices, run.now) };
  });
  return book !== undefined;
}

/**
 * The lifetime volume of a named market up to the last whole hour: the count of days and the candles since. A quote
 * with the count of days alone would hide what was traded since midnight.
 */
function lifetimeVolume(writer: Writer, key: number, marketId: string, now: Instant): number | undefined {
  const count = findNote(writer, VOLUMES, marketId, volumeCount);
  // A run reads books before it counts: one that is repeated must not know the count that it began.
  if (!count || count.through === 0 || count.begun_at === now) return undefined;
  const span = { series: 'trades_60', from: count.through + 1, until: now, columns: ['volume'] } as const;
  const { volume } = selectPrices(writer, key, span);
  // Rounded like the count, which sums would otherwise give floating-point noise.
  return roundTo(
    Array.from(volume ?? []).reduce((sum, hour) => sum + (hour || 0), count.total),
    6,
  );
}
