import { chunksOf } from '../../../model/chunks.ts';
import { findMarket } from '../../../store/catalog/catalog.ts';
import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { conditionKey } from './condition-ids.ts';
import { parseResolutions, type Resolution } from './parse-resolutions.ts';

const CONDITIONS_A_REQUEST = 20;

/** Statuses of markets that may have an outcome their prices do not show: two zeros, or not yet closed. */
const MAY_BE_RESOLVED: ReadonlySet<string> = new Set(['closed', 'determined']);

/**
 * Settles those named markets of a page that may have an outcome which their prices do not show, at the payouts that
 * the data host gives.
 */
export async function settleResolved(
  { run, feed, state: { named } }: CatalogWalk,
  markets: readonly ListedMarket[],
): Promise<ListedMarket[]> {
  const asked = markets.filter(
    ({ market }) => MAY_BE_RESOLVED.has(market.status) && named.has(market.market_id),
  );
  const resolutions = new Map<string, Resolution>();
  for (const chunk of chunksOf(asked, CONDITIONS_A_REQUEST)) {
    const ids = chunk.map(({ market }) => market.native_id);
    const fetched = await feed.part(() => fetchResolutions(run, feed, ids));
    for (const [id, resolution] of fetched ?? []) resolutions.set(id, resolution);
  }
  return markets.map((listed) =>
    asked.includes(listed)
      ? settledAs(run, listed, resolutions.get(conditionKey(listed.market.native_id)))
      : listed,
  );
}

async function fetchResolutions(
  run: VenueRun,
  feed: Feed,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Resolution>> {
  const { data_url } = run.config.venues.venue_b_global;
  const answer = await feed.fetch({ url: urlOf(data_url, '/v2/resolutions', { condition: ids.join(',') }) });
  const page = parseResolutions(answer.json);
  feed.keep(answer, page);
  return page.byId;
}

// A known outcome stays while the data host gives no answer.
function settledAs(run: VenueRun, listed: ListedMarket, resolution: Resolution | undefined): ListedMarket {
  const { market, yes_place } = listed;
  const known = run.store.read((reader) => findMarket(reader, market.market_id));
  const before = known?.status === 'settled' ? known : undefined;
  const payout = yes_place !== undefined && resolution ? resolution.payouts?.[yes_place] : before?.payout;
  if (payout === undefined || payout === null) return listed;
  const settled_at = resolution?.resolved_at ?? before?.settled_at ?? run.now;
  return { market: { ...market, status: 'settled', payout, settled_at } };
}
