import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import { loadIndexInputs } from '../series/load-index-inputs.ts';
import { loadRateHistory } from '../series/load-rate-history.ts';
import { loadViews } from '../series/load-views.ts';
import { marketsBehind } from '../series/markets-behind.ts';
import type { WindowInputs } from '../series/window-inputs.ts';

/** The inputs of a window without the views: a run loads those of all its series at once, this file those of one. */
type SeriesInputs = Omit<WindowInputs, 'views'>;

/** Loads the inputs of an index at some instants. @param ids of its present and former constituents */
export function loadIndex(
  reader: Reader,
  ids: readonly string[],
  instants: readonly Instant[],
  inputs: SeriesInputs,
): ReturnType<typeof loadIndexInputs> {
  const markets = new Set(ids.flatMap((id) => marketsBehind(id, inputs.rates)));
  const views = loadViews(reader, markets, instants, inputs.reads, inputs.knownAt);
  return loadIndexInputs(reader, ids, instants, { ...inputs, views });
}

/** Loads the inputs of a rate at some instants. */
export function loadRate(
  reader: Reader,
  definition: RateDefinition,
  instants: readonly Instant[],
  { reads, knownAt }: Omit<SeriesInputs, 'rates'>,
) {
  const markets = new Set(definition.sources.map((each) => each.market_id));
  return {
    views: loadViews(reader, markets, instants, reads, knownAt),
    history: loadRateHistory(reader, definition, instants, reads, knownAt),
  };
}
