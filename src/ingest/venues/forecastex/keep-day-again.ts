import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import type { Instant } from '../../../model/units.ts';
import { changeUnseenMarket, findMarket } from '../../../store/catalog/catalog.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Writer } from '../../../store/store.ts';
import type { Kept } from '../../feed.ts';
import { observationOf } from './contracts.ts';
import { type DayFile, keepRows, keepTrades, type NamedDay, settledAt } from './keep-day.ts';
import { giveUpVolumes, type PairsBefore, volumeOf } from './lifetime-pairs.ts';
import type { PriceFile } from './parse-files.ts';
import { sessionEnd } from './sessions.ts';
import type { PriceRow } from './wire.ts';

/** What a corrected file is compared with. */
export interface Corrected {
  /** The file that it replaces; undefined if that is no longer kept. */
  replaced: PriceFile | undefined;
  /** Lifetime pairs before the day of contracts without a readable Yes row. */
  pairsBefore: PairsBefore;
}

/**
 * Writes the newest day again, from a file that has changed since: its trades as revisions, and volumes changed by the
 * pairs that the correction adds or takes away.
 */
export function keepDayAgain(
  writer: Writer,
  day: NamedDay,
  { replaced, pairsBefore }: Corrected,
  now: Instant,
): Kept {
  const pairsMore = correctionBy(replaced);
  const kept = keepRows(writer, day, now, (known, row) => {
    const volume = known?.volume ?? undefined;
    if (volume !== undefined) return volume + pairsMore(row);
    const before = pairsBefore.get(row.event_contract);
    return before === undefined ? undefined : before + (row.pair_quantity ?? 0);
  });
  return sumOf(kept, takeBack(writer, day, replaced, now));
}

/**
 * Writes the file of an earlier day that was issued again, for known contracts: its trades as revisions, volumes
 * changed by the pairs that it adds or takes away, and payouts, also of contracts that are settled.
 */
export function keepCorrectedDay(
  writer: Writer,
  day: DayFile,
  replaced: PriceFile | undefined,
  now: Instant,
): Kept {
  const kept = keepEarlierRows(writer, day, correctionBy(replaced), now);
  const corrected = { rows_changed: correctPayouts(writer, day.file, replaced, now) };
  return sumOf(sumOf(kept, corrected), takeBack(writer, day, replaced, now));
}

/**
 * Writes the payouts that a corrected file changes, of contracts that are settled at the payout of the replaced file.
 */
function correctPayouts(
  writer: Writer,
  { rows }: PriceFile,
  replaced: PriceFile | undefined,
  now: Instant,
): number {
  const paid = new Map(replaced?.rows.map((row) => [row.event_contract, row.settlement_price]));
  let changed = 0;
  for (const { event_contract, settlement_price: payout } of rows) {
    const before = paid.get(event_contract);
    if ((payout !== 0 && payout !== 1) || before !== 1 - payout) continue;
    const known = findMarket(writer, catalogId('venue_c', event_contract));
    if (known?.status !== 'settled' || known.payout !== before) continue;
    if (changeUnseenMarket(writer, known, { payout }, now)) changed++;
  }
  return changed;
}

/** By how many pairs a row differs from the file that it replaces; 0 if that is no longer kept. */
function correctionBy(replaced: PriceFile | undefined): (row: PriceRow) => number {
  const counted = new Map(replaced?.rows.map((row) => [row.event_contract, row.pair_quantity ?? 0]));
  return ({ event_contract, pair_quantity = 0 }) =>
    replaced ? pair_quantity - (counted.get(event_contract) ?? 0) : 0;
}

/**
 * Withdraws the trades that a corrected file no longer has: the day's candle then has no trade. If the file does not
 * even name a contract, its pairs of that day are subtracted from its volume too.
 */
function takeBack(
  writer: Writer,
  { day, file }: DayFile,
  replaced: PriceFile | undefined,
  now: Instant,
): Kept {
  const rows = new Map(file.rows.map((row) => [row.event_contract, row]));
  let rows_changed = 0;
  let observations_added = 0;
  for (const old of replaced?.rows ?? []) {
    const row = rows.get(old.event_contract);
    const isNamed = file.contracts.has(old.event_contract);
    // Nothing is known about a contract whose row cannot be read.
    if ((isNamed && !row) || (row && observationOf(row, day))) continue;
    const known = findMarket(writer, catalogId('venue_c', old.event_contract));
    if (!known) continue;
    const { pair_quantity: counted = 0 } = old;
    if (!isNamed && known.volume !== null && counted > 0) {
      const change = { volume: known.volume - counted };
      if (changeUnseenMarket(writer, known, change, now)) rows_changed++;
    }
    if (!observationOf(old, day)) continue;
    const observation = { observed_at: sessionEnd(day), volume: row?.pair_quantity ?? 0 };
    const batch = { series: 'trades_1440' as const, observations: [observation] };
    observations_added += insertObservations(writer, known.market_key, batch, now);
  }
  return { rows_changed, observations_added };
}

function sumOf(a: Kept, b: Kept): Kept {
  return {
    rows_changed: (a.rows_changed ?? 0) + (b.rows_changed ?? 0),
    observations_added: (a.observations_added ?? 0) + (b.observations_added ?? 0),
  };
}

/**
 * Writes a day whose file was published after that of a later day, for known contracts: their trades, their pairs, and
 * the payouts of those that have left the list since. Must be called after the newest day was written.
 */
export function keepLateDay(writer: Writer, day: DayFile, now: Instant): Kept {
  const kept = keepEarlierRows(writer, day, ({ pair_quantity = 0 }) => pair_quantity, now);
  giveUpVolumes(writer, { file: day.file, before: undefined, first: false }, now);
  return kept;
}

/** @param pairsMore by how many pairs a row adds to the volume of its contract */
function keepEarlierRows(
  writer: Writer,
  { day, file }: DayFile,
  pairsMore: (row: PriceRow) => number,
  now: Instant,
): Kept {
  let rows_changed = 0;
  let observations_added = 0;
  for (const row of file.rows) {
    const known = findMarket(writer, catalogId('venue_c', row.event_contract));
    if (!known) continue;
    observations_added += keepTrades(writer, known.market_key, { row, day }, now);
    const { settlement_price: payout } = row;
    const hasLeft = known.status === 'closed' || (known.status === 'active' && known.last_seen_at < now);
    const hasEnded = hasLeft && (payout === 0 || payout === 1);
    const pairs = pairsMore(row);
    if (pairs === 0 && !hasEnded) continue;
    const change = {
      ...given({ volume: volumeOf(known, false, pairs) }),
      ...(hasEnded ? { status: 'settled' as const, payout, settled_at: settledAt(known, day) } : {}),
    };
    // Not marked as seen, so that another such file can still show that it has left.
    if (changeUnseenMarket(writer, known, change, now)) rows_changed++;
  }
  return { rows_changed, observations_added };
}
