import type { CatalogEvent } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { isOutcome } from '../../../model/platform.ts';
import type { Instant } from '../../../model/units.ts';
import {
  findKnownMarkets,
  type KnownMarket,
  listUnsettledMarkets,
  toCatalogMarket,
  upsertEvents,
  upsertMarket,
  upsertMarkets,
} from '../../../store/catalog/catalog.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Writer } from '../../../store/store.ts';
import { NOT_LISTED } from '../../catalog/close-unlisted.ts';
import type { Kept } from '../../feed.ts';
import { eventOf, marketOf, observationOf, productId } from './contracts.ts';
import { giveUpVolumes, isNew, type PairsBefore, type ReadAgainst, volumeOf } from './lifetime-pairs.ts';
import type { PriceFile } from './parse-files.ts';
import { sessionEnd } from './sessions.ts';
import type { PriceRow, ProductRow } from './wire.ts';

export interface DayFile {
  day: string;
  file: PriceFile;
}

export interface NamedDay extends DayFile {
  products: ReadonlyMap<string, ProductRow>;
}

export interface Day extends NamedDay, ReadAgainst {}

/**
 * Writes a day: events, contracts with their pairs added up, trades, and the end of contracts that are no longer in the
 * file and have settled or expired. Each day must be written once, in order.
 *
 * @returns also the previous pairs of contracts without a readable Yes row, in case the file is corrected
 */
export function keepDay(writer: Writer, whole: Day, now: Instant): Kept & { left_out: PairsBefore } {
  const kept = keepRows(writer, whole, now, (known, row) =>
    volumeOf(known, isNew(whole, row.event_contract), row.pair_quantity),
  );
  const left_out = giveUpVolumes(writer, whole, now);
  return { ...kept, rows_changed: kept.rows_changed + endContracts(writer, whole, now), left_out };
}

/** Writes the rows of a day's file: events, contracts and trades. @param volumeNow of a contract, by what is known */
export function keepRows(
  writer: Writer,
  { day, file, products }: NamedDay,
  now: Instant,
  volumeNow: (known: KnownMarket | undefined, row: PriceRow) => number | undefined,
): { rows_changed: number; observations_added: number } {
  const listed = file.rows.map((row) => {
    const product = products.get(productId(row.event_contract));
    return { row, event: eventOf(row, product), market: marketOf(row, product) };
  });
  const known = findKnownMarkets(
    writer,
    listed.map(({ market }) => market.market_id),
  );
  const markets = listed.map(({ row, market }) => ({
    ...market,
    ...given({ volume: volumeNow(known.get(market.market_id), row) }),
  }));
  const events = new Map<string, CatalogEvent>();
  // An event is described by its first contract.
  for (const { event } of listed) if (!events.has(event.event_id)) events.set(event.event_id, event);
  const ofEvents = upsertEvents(writer, [...events.values()], now);
  const ofMarkets = upsertMarkets(writer, markets, now, known);
  let observations_added = 0;
  for (const { row, market } of listed) {
    const key = ofMarkets.keys.get(market.market_id) as number;
    observations_added += keepTrades(writer, key, { row, day }, now);
  }
  return { rows_changed: ofEvents.changed + ofMarkets.changed, observations_added };
}

/** Writes the trades of a contract on a day. @returns observations added */
export function keepTrades(
  writer: Writer,
  marketKey: number,
  { row, day }: { row: PriceRow; day: string },
  now: Instant,
): number {
  const observation = observationOf(row, day);
  const batch = { series: 'trades_1440' as const, observations: observation ? [observation] : [] };
  return insertObservations(writer, marketKey, batch, now);
}

// The files have no results: a contract pays its last settlement price if that is 1 or 0. It leaves the list once the
// outcome is known, perhaps before it expires. Some leave at another price when they expire; their payout is unknown.
function endContracts(writer: Writer, { day, file, before }: Day, now: Instant): number {
  const end = sessionEnd(day);
  const payouts = new Map<string, number>();
  for (const { event_contract, settlement_price: price } of before?.rows ?? [])
    if (price === 0 || price === 1) payouts.set(event_contract, price);
  const ended = listUnsettledMarkets(writer, 'venue_c').filter(
    (each) =>
      !isOutcome(each.native_id) &&
      !file.contracts.has(each.native_id) &&
      (payouts.has(each.native_id) || (each.closes_at ?? Number.POSITIVE_INFINITY) <= end),
  );
  let changed = 0;
  for (const row of ended) {
    const payout = payouts.get(row.native_id);
    const status = payout === undefined ? ('closed' as const) : ('settled' as const);
    const settled_at = payout === undefined ? undefined : settledAt(row, day);
    const market = {
      ...toCatalogMarket(row),
      status,
      venue_status: NOT_LISTED,
      ...given({ payout, settled_at }),
    };
    if (upsertMarket(writer, market, now).changed) changed++;
  }
  return changed;
}

/**
 * When a contract settled that has ended, as a day's file shows: at the end of that day's session, or at its expiry if
 * that is earlier.
 */
export function settledAt({ closes_at }: { closes_at: Instant | null }, day: string): Instant {
  const end = sessionEnd(day);
  return Math.min(closes_at ?? end, end);
}
