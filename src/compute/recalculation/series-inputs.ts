import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import type { KnownOfWindow } from '../series/known-of-window.ts';
import { loadIndexInputs } from '../series/load-index-inputs.ts';
import { loadRateHistory } from '../series/load-rate-history.ts';
import { loadViews } from '../series/load-views.ts';
import { marketsBehind } from '../series/markets-behind.ts';

/**
 * What loading a single series needs. A run loads the views of all its series at once; here they are loaded for one.
 */
type Known = Omit<KnownOfWindow, 'views'>;

/** Loads the inputs of an index at some instants. @param ids of its present and former constituents */
export function loadIndex(
  reader: Reader,
  ids: readonly string[],
  instants: readonly Instant[],
  known: Known,
): ReturnType<typeof loadIndexInputs> {
  const markets = new Set(ids.flatMap((id) => marketsBehind(id, known.rates)));
  const views = loadViews(reader, markets, instants, known.reads, known.knownAt);
  return loadIndexInputs(reader, ids, instants, { ...known, views });
}

/** Loads the inputs of a rate at some instants. */
export function loadRate(
  reader: Reader,
  definition: RateDefinition,
  instants: readonly Instant[],
  { reads, knownAt }: Omit<Known, 'rates'>,
) {
  const markets = new Set(definition.sources.map((each) => each.market_id));
  return {
    views: loadViews(reader, markets, instants, reads, knownAt),
    history: loadRateHistory(reader, definition, instants, reads, knownAt),
  };
}
