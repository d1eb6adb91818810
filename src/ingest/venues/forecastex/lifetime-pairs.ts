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

/** What a day's file is read against. */
export interface ReadAgainst {
  /** The file before, where it is known. */
  before: PriceFile | undefined;
  /** Whether this is the very first file that the venue published: nothing was traded before. */
  first: boolean;
}

/** Whether a contract was listed on a day for the first time. */
export function isNew({ first, before }: ReadAgainst, contract: string): boolean {
  return first || (before !== undefined && !before.contracts.has(contract));
}

/**
 * The pairs of a contract's life, with those of one more day. A contract that is not in the file before was listed on
 * this day. Where there is no file before, its past is unknown; where it is known already it has come back, and
 * nothing is known of the days between.
 */
export function volumeOf(
  known: Pick<KnownMarket, 'volume'> | undefined,
  isNew: boolean,
  pairs = 0,
): number | undefined {
  if (!known) return isNew ? pairs : undefined;
  return known.volume === null || isNew ? undefined : known.volume + pairs;
}

/** Pairs until a day of the contracts whose rows of that day cannot be read, where they are known. */
export type PairsBefore = ReadonlyMap<string, number>;

/**
 * Gives up the counts of contracts whose rows of a day cannot be read, since the pairs of that day would be missing.
 *
 * @returns the counts that go on, should the file be mended in time
 */
export function giveUpVolumes(
  writer: Writer,
  whole: ReadAgainst & { file: PriceFile },
  now: Instant,
): PairsBefore {
  const left_out = new Map<string, number>();
  const read = new Set(whole.file.rows.map((row) => row.event_contract));
  for (const { native_id } of whole.file.rejections) {
    if (native_id === null || read.has(native_id) || left_out.has(native_id)) continue;
    const known = findMarket(writer, catalogId('venue_c', native_id));
    const before = volumeOf(known, isNew(whole, native_id));
    if (before !== undefined) left_out.set(native_id, before);
    if (known && known.volume !== null)
      upsertMarket(writer, toCatalogMarket({ ...known, volume: null }), now);
  }
  return left_out;
}
