import type { CatalogEvent } from '../../../model/catalog.ts';
import { catalogId } from '../../../model/platform.ts';
import type { Instant } from '../../../model/units.ts';
import {
  findKnownMarkets,
  findMarket,
  type KnownMarket,
  listUnsettledMarkets,
  marketAgain,
  upsertEvents,
  upsertMarket,
  upsertMarkets,
} from '../../../store/catalog/catalog.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Writer } from '../../../store/store.ts';
import type { Kept } from '../../feed.ts';
import { given } from '../../wire-rows.ts';
import { isOutcome } from '../hyperliquid/outcome-names.ts';
import { eventOf, marketOf, observationOf, productId, sessionEnd } from './contracts.ts';
import type { PriceFile } from './parse-files.ts';
import type { PriceRow, ProductRow } from './wire.ts';

/** A day's file with the names of its products. */
export interface DayFile {
  day: string;
  file: PriceFile;
  products: ReadonlyMap<string, ProductRow>;
}

/** The same with what it is read against. */
export interface Day extends DayFile {
  /** The file before, where it is known. */
  before: PriceFile | undefined;
  /** Whether this is the very first file that the venue published: nothing was traded before. */
  first: boolean;
}

/**
 * Writes a day: events, contracts with their pairs added up, what they traded at, and the end of those whose
 * time has come and that the file has no longer. Each day is to be written once, in order.
 */
export function keepDay(writer: Writer, whole: Day, now: Instant): Kept {
  const { file, before, first } = whole;
  const kept = keepRows(writer, whole, now, (known, row) =>
    volumeOf(known, row, first || isMissing(row, before)),
  );
  giveUpVolumes(writer, file, now);
  return { ...kept, rows_changed: kept.rows_changed + endContracts(writer, whole, now) };
}

/** Writes the newest day once more, from a file that has changed since: its pairs are not added up again. */
export function keepDayAgain(writer: Writer, day: DayFile, now: Instant): Kept {
  return keepRows(writer, day, now, (known) => known?.volume ?? undefined);
}

function keepRows(
  writer: Writer,
  { day, file, products }: DayFile,
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
  // The first contract of an event tells of it.
  for (const { event } of listed) if (!events.has(event.event_id)) events.set(event.event_id, event);
  const ofEvents = upsertEvents(writer, [...events.values()], now);
  const ofMarkets = upsertMarkets(writer, markets, now, known);
  let observations_added = 0;
  for (const { row, market } of listed) {
    const observation = observationOf(row, day);
    const batch = { series: 'trades_1440' as const, observations: observation ? [observation] : [] };
    const key = ofMarkets.keys.get(market.market_id) as number;
    observations_added += insertObservations(writer, key, batch, now);
  }
  return { rows_changed: ofEvents.changed + ofMarkets.changed, observations_added };
}

function isMissing({ event_contract }: PriceRow, before: PriceFile | undefined): boolean {
  return before !== undefined && !before.contracts.has(event_contract);
}

// The pairs of a day that cannot be read would be missing for good, so the count is given up.
function giveUpVolumes(writer: Writer, { rejections }: PriceFile, now: Instant): void {
  for (const { native_id } of rejections) {
    const known = native_id === null ? undefined : findMarket(writer, catalogId('venue_c', native_id));
    if (known && known.volume !== null) upsertMarket(writer, marketAgain({ ...known, volume: null }), now);
  }
}

// A contract that is new in a file after another one was listed that day; of an older one the past is not known. One
// that is back has days of which nothing is known.
function volumeOf(known: KnownMarket | undefined, row: PriceRow, isNew: boolean): number | undefined {
  const pairs = row.pair_quantity ?? 0;
  if (!known) return isNew ? pairs : undefined;
  return known.volume === null || isNew ? undefined : known.volume + pairs;
}

// The files have no result: what a contract was last settled at, 1 or 0, is what it pays. Some drop out at
// another mark, and then nobody knows.
function endContracts(writer: Writer, { day, file, before }: Day, now: Instant): number {
  const last = new Map(before?.rows.map((row) => [row.event_contract, row.settlement_price]));
  const ended = listUnsettledMarkets(writer, 'venue_c').filter(
    (each) =>
      !isOutcome(each.native_id) &&
      !file.contracts.has(each.native_id) &&
      (each.closes_at ?? Number.POSITIVE_INFINITY) <= sessionEnd(day),
  );
  let changed = 0;
  for (const row of ended) {
    const price = last.get(row.native_id);
    const payout = price === 0 || price === 1 ? price : undefined;
    const status = payout === undefined ? ('closed' as const) : ('settled' as const);
    const settled_at = payout === undefined ? undefined : (row.closes_at ?? undefined);
    const market = {
      ...marketAgain(row),
      status,
      venue_status: 'not listed',
      ...given({ payout, settled_at }),
    };
    if (upsertMarket(writer, market, now).changed) changed++;
  }
  return changed;
}
