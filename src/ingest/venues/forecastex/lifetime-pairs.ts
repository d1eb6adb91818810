import { catalogId } from '../../../model/platform.ts';
import type { Instant } from '../../../model/units.ts';
import {
  findMarket,
  type KnownMarket,
  toCatalogMarket,
  upsertMarket,
} from '../../../store/catalog/catalog.ts';
import type { Writer } from '../../../store/store.ts';
import type { PriceFile } from './parse-files.ts';

/** What a day's file is compared with. */
export interface ReadAgainst {
  /** The previous file, if it is known. */
  before: PriceFile | undefined;
  /** Whether this is the first file that the venue ever published, before which nothing was traded. */
  first: boolean;
}

/** Whether a day's file is the first to list a contract, as far as the previous file shows. */
export function isNew({ first, before }: ReadAgainst, contract: string): boolean {
  return first || (before !== undefined && !before.contracts.has(contract));
}

/**
 * The lifetime pairs of a contract after one more day. A contract that is not in the previous file is new on this day.
 * Without a previous file its past is unknown. If a new contract is already in the catalog it has come back, and the
 * days between are unknown.
 */
export function volumeOf(
  known: Pick<KnownMarket, 'volume'> | undefined,
  isNew: boolean,
  pairs = 0,
): number | undefined {
  if (!known) return isNew ? pairs : undefined;
  return known.volume === null || isNew ? undefined : known.volume + pairs;
}

/** Lifetime pairs before a day, if known, of the contracts without a readable Yes row on that day. */
export type PairsBefore = ReadonlyMap<string, number>;

/**
 * Clears the volumes of contracts that a day's file names without a Yes row that can be read, since the pairs of that
 * day would be missing.
 *
 * @returns their previous counts, to continue from if the file is corrected in time
 */
export function giveUpVolumes(
  writer: Writer,
  whole: ReadAgainst & { file: PriceFile },
  now: Instant,
): PairsBefore {
  const left_out = new Map<string, number>();
  const read = new Set(whole.file.rows.map((row) => row.event_contract));
  for (const native_id of whole.file.contracts) {
    if (read.has(native_id)) continue;
    const known = findMarket(writer, catalogId('venue_c', native_id));
    const before = volumeOf(known, isNew(whole, native_id));
    if (before !== undefined) left_out.set(native_id, before);
    if (known && known.volume !== null)
      upsertMarket(writer, toCatalogMarket({ ...known, volume: null }), now);
  }
  return left_out;
}
