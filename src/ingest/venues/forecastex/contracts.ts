import type { CatalogEvent, CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { type Observation, usableTrade } from '../../../model/observation.ts';
import { catalogId } from '../../../model/platform.ts';
import { addDays, centralInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { PriceRow, ProductRow } from './wire.ts';

/** A session ends at this clock time in Chicago, on the day that its file names. */
const SESSION_END = '16:15';
/** Files are published after this clock time. */
const PUBLISHED = '16:30';

const SESSION_ENDS = new Map<string, Instant>();

/** When the session of a day ends. Each row of a file asks for it, and there are few days. */
export function sessionEnd(day: string): Instant {
  let end = SESSION_ENDS.get(day);
  if (end === undefined) {
    end = centralInstant(day, SESSION_END);
    SESSION_ENDS.set(day, end);
  }
  return end;
}

/** The days whose files can be out at an instant, from a day on. */
export function publishedDays(from: string, now: Instant): string[] {
  const days: string[] = [];
  for (let day = from; centralInstant(day, PUBLISHED) <= now; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * The event of a contract, whose id is product, date and strike.
 *
 * @example eventOf('UHBKF_081826_75', undefined).native_id // 'UHBKF_081826'
 */
export function eventOf(row: PriceRow, product: ProductRow | undefined): CatalogEvent {
  const native_id = eventName(row.event_contract);
  return {
    event_id: catalogId('venue_c', native_id),
    family: 'venue_c',
    native_id,
    title: `${product?.product_name ?? productId(row.event_contract)}, ${row.expiration_date}`,
    series: productId(row.event_contract),
    closes_at: sessionEnd(row.expiration_date),
    ...given({ category: product?.product_category }),
  };
}

/** The product of a contract. */
export function productId(contract: string): string {
  return contract.split('_')[0] ?? contract;
}

function eventName(contract: string): string {
  return contract.split('_').slice(0, 2).join('_');
}

/** A contract as a day's file lists it; the pairs of its whole life are in no file. */
export function marketOf(row: PriceRow, product: ProductRow | undefined): CatalogMarket {
  const strike = row.event_contract.split('_').slice(2).join('_');
  const event = eventOf(row, product);
  return {
    market_id: catalogId('venue_c', row.event_contract),
    event_id: event.event_id,
    family: 'venue_c',
    native_id: row.event_contract,
    question: strike === '' ? event.title : `${event.title} – ${strike}`,
    status: 'active',
    venue_status: 'listed',
    closes_at: sessionEnd(row.expiration_date),
    volume_unit: 'contracts',
    ...given({ open_interest: row.open_interest }),
  };
}

/** What a contract traded at on a day; undefined when it did not: then its prices are 0 or older ones. */
export function observationOf(row: PriceRow, day: string): Observation | undefined {
  const last = usableTrade(row.end_price);
  if (!row.pair_quantity || last === undefined) return undefined;
  return {
    observed_at: sessionEnd(day),
    last,
    volume: row.pair_quantity,
    ...given({
      open: usableTrade(row.start_price),
      high: usableTrade(row.high_price),
      low: usableTrade(row.low_price),
      open_interest: row.open_interest,
    }),
  };
}
