// A store in memory with active markets, their observations and rate definitions, calculated up to an instant.
import { compute } from '../../src/compute/compute.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { ObservationBatch } from '../../src/model/observation.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';

/** The store after one run at `now`; what was observed is known from its own instants on. */
export function computeRates(
  rates: RateDefinition[],
  batches: readonly (ObservationBatch & { market_id: string })[],
  now: Instant,
): Store {
  const store = openStore(':memory:');
  store.write((writer) => {
    for (const { market_id, series, observations } of batches) {
      const volume_unit = market_id.startsWith('venue_a:') ? 'contracts' : 'usd';
      const { market_key } = upsertMarket(
        writer,
        market({ market_id, volume_unit }),
        observations[0]?.observed_at ?? 0,
      );
      insertObservations(writer, market_key, { series, observations }, now);
    }
    adoptDefinitions(writer, { indices: [], rates }, 0, { keepMissing: false });
  });
  const { failures } = compute(store, now, () => {});
  if (failures.length > 0) throw new Error(failures.map((each) => each.message).join('; '));
  return store;
}
