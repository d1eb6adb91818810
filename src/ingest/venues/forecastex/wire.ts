import { z } from 'zod';
import { centralInstant, MINUTE_MS, parseInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { Refusal, scalar } from '../../wire/scalar.ts';
import { shown } from '../../wire/shown.ts';
import {
  nativeId,
  neededText,
  nullableAmount,
  nullableFraction,
  shownText,
} from '../../wire/wire-scalars.ts';
import { sessionEnd } from './sessions.ts';

/**
 * The columns used of the daily files, by name and not by position, since files have gained columns. A cell may be empty,
 * but without one of these columns no row can be read.
 */

/** `2026-08-18`, `20260818` or `08/18/2026`. */
const DAY = /^(?:(\d{4})-?(\d\d)-?(\d\d)|(\d\d)\/(\d\d)\/(\d{4}))$/;

/** A time of a day without a zone. */
const CLOCK_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?$/;

/**
 * An instant such as `2026-08-19T03:00:00-05:00`; a bare day is the end of its session, and a time without a zone is
 * Chicago's, as everywhere at this venue.
 */
const expiry = scalar((value): Instant | Refusal => {
  const text = typeof value === 'string' ? value.trim() : '';
  const at = expiryIn(text);
  if (at !== undefined && !Number.isNaN(at)) return at;
  return new Refusal(`must be an instant or a day, got ${shown(value)}`);
});

/** A day in any of its forms, as YYYY-MM-DD; undefined if a text is none. */
export function dayIn(text: string): string | undefined {
  const match = DAY.exec(text);
  return match ? `${match[1] ?? match[6]}-${match[2] ?? match[4]}-${match[3] ?? match[5]}` : undefined;
}

function expiryIn(text: string): Instant | undefined {
  const bare = dayIn(text);
  if (bare !== undefined) return sessionEnd(bare);
  const [, day, time = ''] = CLOCK_TIME.exec(text) ?? [];
  const at = parseInstant(text);
  return day === undefined || at === undefined ? at : centralInstant(day, time) + (at % MINUTE_MS);
}

/** The side of a contract that a row describes. */
const side = scalar((value): 'YES' | 'NO' | Refusal => {
  const name = typeof value === 'string' ? value.toUpperCase() : undefined;
  return name === 'YES' || name === 'NO' ? name : new Refusal(`must be YES or NO, got ${shown(value)}`);
});

export const priceRow = z.object({
  event_contract: nativeId,
  subtype: side,
  expiration_date: expiry,
  start_price: nullableFraction,
  high_price: nullableFraction,
  low_price: nullableFraction,
  end_price: nullableFraction,
  settlement_price: nullableFraction,
  pair_quantity: nullableAmount,
  open_interest: nullableAmount,
});

export type PriceRow = z.output<typeof priceRow>;

export const productRow = z.object({
  product_id: nativeId,
  product_name: neededText,
  product_category: shownText,
});

export type ProductRow = z.output<typeof productRow>;
