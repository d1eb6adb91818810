import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import { settleResolved } from './settle-resolved.ts';
import { withTakerVolumes } from './taker-volumes.ts';

/** Completes markets with what only the data host knows: taker volumes and payouts. */
export async function completed(
  walk: CatalogWalk,
  markets: readonly ListedMarket[],
): Promise<ListedMarket[]> {
  return await settleResolved(walk, await withTakerVolumes(walk, markets));
}
