import type { CatalogWalk } from '../../catalog-walk.ts';
import type { ListedMarket } from '../../listed-market.ts';
import { settleResolved } from './settle-resolved.ts';
import { withTakerVolumes } from './taker-volumes.ts';

/** Markets with what their rows leave to the data host. */
export async function completed(
  walk: CatalogWalk,
  markets: readonly ListedMarket[],
): Promise<ListedMarket[]> {
  return await settleResolved(walk, await withTakerVolumes(walk, markets));
}
