import { findMarket } from '../../../store/catalog/catalog.ts';
import { type CatalogWalk, outcomeStands } from '../../catalog/catalog-walk.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import { leaveOut, type ReadPage, readRow, reject } from '../../wire/wire-rows.ts';
import type { VenueRun } from '../venue.ts';
import * as wire from './wire.ts';

/**
 * Settles the determined markets of a page at their payouts. Payouts are fetched one by one and only for named markets;
 * otherwise a known outcome is kept. The venue does not say when a market of an open event settled: then it is the run
 * that first saw it.
 */
export async function settleMarkets(
  { run, feed, state }: CatalogWalk,
  markets: readonly ListedMarket[],
): Promise<ListedMarket[]> {
  const settled: ListedMarket[] = [];
  for (const listed of markets) {
    const { market } = listed;
    if (market.status !== 'determined') {
      settled.push(listed);
      continue;
    }
    const known = run.store.read((reader) => findMarket(reader, market.market_id));
    const since = known?.status === 'settled' ? (known.settled_at ?? undefined) : undefined;
    const asked =
      state.named.has(market.market_id) && !outcomeStands(known, run.now)
        ? await feed.part(() => fetchPayout(run, feed, market.native_id))
        : undefined;
    const payout = asked ?? (since === undefined ? undefined : (known?.payout ?? undefined));
    const settled_at = market.settled_at ?? since ?? run.now;
    settled.push(
      payout === undefined ? listed : { market: { ...market, status: 'settled', payout, settled_at } },
    );
  }
  return settled;
}

async function fetchPayout(run: VenueRun, feed: Feed, slug: string): Promise<number | undefined> {
  const path = `/v1/markets/${encodeURIComponent(slug)}/settlement`;
  const answer = await feed.find({ url: urlOf(run.config.venues.venue_b_us.base_url, path) });
  if (!answer) return undefined;
  const place = { position: 0, idField: 'slug' };
  const page: ReadPage = { read: 1, rejections: [] };
  const row = readRow(page, wire.settlement, answer.json, place);
  if (row && row.slug !== slug)
    leaveOut(page, reject(answer.json, place, 'slug', `slug must be ${slug}, got ${row.slug}`));
  feed.keep(answer, page);
  return page.rejections.length === 0 ? row?.settlement : undefined;
}
