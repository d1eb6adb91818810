import { z } from 'zod';
import { parseCatalogId } from '../../../model/platform.ts';
import { findMarket } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Writer } from '../../../store/store.ts';
import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { conditionKey } from './condition-ids.ts';
import { parseTakerVolumes } from './parse-taker-volumes.ts';

/**
 * Gives the named markets of a page that are listed without a volume their lifetime volume in shares traded by takers,
 * as the data host counts it. A market that ever had a volume in dollars gets none: its volume is missing for another
 * reason, and the unit must not change.
 */
export async function withTakerVolumes(
  { run, feed, state: { named } }: CatalogWalk,
  markets: readonly ListedMarket[],
): Promise<ListedMarket[]> {
  const absent = markets.filter(
    ({ market: { market_id, volume } }) => volume === undefined && named.has(market_id),
  );
  if (absent.length === 0) return [...markets];
  const wanted = run.store.write((writer) =>
    absent.filter(({ market: { market_id } }) => !countsDollars(writer, market_id)),
  );
  const volumes = new Map<string, number>();
  const events = new Set(
    wanted.flatMap(({ market }) => parseCatalogId(market.event_id ?? '')?.native_id ?? []),
  );
  for (const event of events) {
    // Volumes are optional: the markets are stored without them too.
    const fetched = await feed.part(() => fetchTakerVolumes(run, feed, event));
    for (const [condition, volume] of fetched ?? []) volumes.set(condition, volume);
  }
  return markets.map((listed) => {
    const volume = wanted.includes(listed) ? volumes.get(conditionKey(listed.market.native_id)) : undefined;
    return volume === undefined ? listed : withVolume(listed, volume);
  });
}

/** Note of a market whose volume was once stated in dollars. */
const DOLLARS = 'venue_b_global/dollars';

function countsDollars(writer: Writer, marketId: string): boolean {
  if (findNote(writer, DOLLARS, marketId, z.string()) !== undefined) return true;
  if (findMarket(writer, marketId)?.volume_unit !== 'usd') return false;
  setNote(writer, DOLLARS, marketId, 'usd');
  return true;
}

function withVolume({ market, quote }: ListedMarket, volume: number): ListedMarket {
  return {
    market: { ...market, volume, volume_unit: 'shares' },
    ...(quote ? { quote: { ...quote, prices: { ...quote.prices, volume } } } : {}),
  };
}

async function fetchTakerVolumes(
  run: VenueRun,
  feed: Feed,
  id: string,
): Promise<ReadonlyMap<string, number>> {
  const url = urlOf(run.config.venues.venue_b_global.data_url, '/v2/live-volume', { id });
  const answer = await feed.fetch({ url });
  const page = parseTakerVolumes(answer.json);
  feed.keep(answer, page);
  return page.volumes;
}
