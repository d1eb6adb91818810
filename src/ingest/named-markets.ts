import type { SeriesKind } from '../model/constituent-id.ts';
import { type Definition, firstInstant, membersOf } from '../model/definitions/definition.ts';
import { type Family, parseCatalogId } from '../model/platform.ts';
import { DAY_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import {
  type Adopted,
  findFirstAdoption,
  listIndexDefinitions,
  listRateDefinitions,
} from '../store/definitions/definitions.ts';
import type { Reader } from '../store/store.ts';

/** A market that a definition in force names: its price history is kept, not only its catalog row. */
export interface NamedMarket {
  market_id: string;
  family: Family;
  native_id: string;
  /** Start of the price history that is wanted. */
  history_from: Instant;
  /** When the first of the definitions in force that name it was adopted. */
  named_since: Instant;
  /** The first instant that is calculated with it. */
  priced_from: Instant;
  /** Whether a definition counts its trades one by one. */
  counts_trades?: true;
}

/** History is wanted from this long before the first print: the oldest that its mark may be, and a day more. */
const BEFORE_FIRST_PRINT_MS = 8 * DAY_MS;

/** Every market that a definition in force names, once, with the earliest start that any of them asks for. */
export function selectNamedMarkets(reader: Reader): NamedMarket[] {
  const named = new Map<string, NamedMarket>();
  const add = (marketId: string, starts: Starts, countsTrades = false): void => {
    const parsed = parseCatalogId(marketId);
    if (!parsed) return;
    const known = named.get(marketId);
    named.set(marketId, {
      market_id: marketId,
      ...parsed,
      history_from: Math.min(known?.history_from ?? starts.history_from, starts.history_from),
      named_since: Math.min(known?.named_since ?? starts.named_since, starts.named_since),
      priced_from: Math.min(known?.priced_from ?? starts.priced_from, starts.priced_from),
      ...(countsTrades || known?.counts_trades ? { counts_trades: true } : {}),
    });
  };
  for (const adopted of listIndexDefinitions(reader)) {
    const starts = startsOf(reader, 'index', adopted);
    for (const id of membersOf(adopted.definition)) add(id, starts);
  }
  for (const adopted of listRateDefinitions(reader)) {
    const { definition } = adopted;
    const starts = startsOf(reader, 'rate', adopted);
    for (const id of membersOf(definition)) add(id, starts, 'least_trades' in definition);
  }
  return [...named.values()];
}

type Starts = Pick<NamedMarket, 'history_from' | 'named_since' | 'priced_from'>;

// A changed definition is calculated from its adoption on.
function startsOf(reader: Reader, kind: SeriesKind, { adopted_at, definition }: Adopted<Definition>): Starts {
  const starts = firstInstant(definition);
  const isChanged = findFirstAdoption(reader, { kind, ticker: definition.ticker }) !== adopted_at;
  return {
    history_from: starts - BEFORE_FIRST_PRINT_MS,
    named_since: adopted_at,
    priced_from: isChanged ? adopted_at : starts,
  };
}
