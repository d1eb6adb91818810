import type { CatalogEvent, CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { type Observation, usableTrade } from '../../../model/observation.ts';
import { catalogId } from '../../../model/platform.ts';
import { sessionEnd } from './sessions.ts';
import type { PriceRow, ProductRow } from './wire.ts';

/**
 * The event of a contract. A contract's id consists of product, date and strike.
 *
 * @example eventOf('UHBKF_081826_75', undefined).native_id // 'UHBKF_081826'
 */
export function eventOf(row: PriceRow, product: ProductRow | undefined): CatalogEvent {
  const native_id = eventName(row.event_contract);
  return {
    event_id: catalogId('venue_c', native_id),
    family: 'venue_c',
    native_id,
    title: `${product?.product_name ?? productId(row.event_contract)}, ${periodOf(row.event_contract)}`,
    series: productId(row.event_contract),
    closes_at: row.expiration_date,
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

/** A month, a day or an hour, as in ids: 1126, 081826, 09162615. */
const PERIOD = /^(0[1-9]|1[0-2])(?:(\d\d)(\d\d)(\d\d)?|(\d\d))$/;
/** A quarter: Q326. */
const QUARTER = /^(Q[1-4])(\d\d)$/;

// The period that a contract is about, not its expiry: a contract on November may expire in January, when November's
// figure is known.
function periodOf(contract: string): string {
  const text = contract.split('_')[1] ?? '';
  const [, quarter, quarterYear] = QUARTER.exec(text) ?? [];
  if (quarter !== undefined) return `20${quarterYear}-${quarter}`;
  const [, month, day, dayYear, hour, monthYear] = PERIOD.exec(text) ?? [];
  if (month === undefined) return text;
  if (day === undefined) return `20${monthYear}-${month}`;
  return `20${dayYear}-${month}-${day}${hour === undefined ? '' : ` ${hour}:00`}`;
}

/** A contract as a day's file lists it; its lifetime volume is in no file. */
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
    closes_at: row.expiration_date,
    volume_unit: 'contracts',
    ...given({ open_interest: row.open_interest }),
  };
}

/** The trades of a contract on a day; undefined if there were none, since its prices are then 0 or older ones. */
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
