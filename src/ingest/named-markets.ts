import { type Family, parseCatalogId } from '../model/platform.ts';
import { DAY_MS, parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions/definitions.ts';
import type { Reader } from '../store/store.ts';

/** A market that a definition in force names: its price history is kept, not only its catalog row. */
export interface NamedMarket {
  market_id: string;
  family: Family;
  native_id: string;
  /** From when on its prices are wanted. */
  history_from: Instant;
  /** Whether a definition counts its trades one by one. */
  counts_trades?: true;
}

/** Prices are wanted from this long before the first print: its mark may be that old, and a day more. */
const BEFORE_FIRST_PRINT_MS = 8 * DAY_MS;

/** Every market that a definition in force names, once, with the earliest start that one asks for. */
export function selectNamedMarkets(reader: Reader): NamedMarket[] {
  const named = new Map<string, NamedMarket>();
  const add = (marketId: string, startsAt: string, countsTrades = false): void => {
    const parsed = parseCatalogId(marketId);
    const starts = parseInstant(startsAt);
    if (!parsed || starts === undefined) return;
    const history_from = starts - BEFORE_FIRST_PRINT_MS;
    const known = named.get(marketId);
    named.set(marketId, {
      market_id: marketId,
      ...parsed,
      history_from: Math.min(known?.history_from ?? history_from, history_from),
      ...(countsTrades || known?.counts_trades ? { counts_trades: true } : {}),
    });
  };
  for (const { definition } of listIndexDefinitions(reader))
    for (const each of definition.constituents) add(each.market_id, definition.base_at);
  for (const { definition } of listRateDefinitions(reader))
    for (const each of definition.sources)
      add(each.market_id, definition.start_at, 'least_trades' in definition);
  return [...named.values()];
}
