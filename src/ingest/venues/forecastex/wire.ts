import { z } from 'zod';
import { amount, fraction, nativeId, neededText, shownText } from '../../wire/wire-scalars.ts';

/** The columns that are read of the daily files; files have gained columns, so that names count and not places. */

/** A calendar day as `2026-08-18`, `20260818` or `08/18/2026`. */
const day = neededText.transform((value, context): string => {
  const match = /^(?:(\d{4})-?(\d\d)-?(\d\d)|(\d\d)\/(\d\d)\/(\d{4}))$/.exec(value.trim());
  if (match) return `${match[1] ?? match[6]}-${match[2] ?? match[4]}-${match[3] ?? match[5]}`;
  context.addIssue({ code: 'custom', message: `must be a day, got ${JSON.stringify(value.slice(0, 80))}` });
  return z.NEVER;
});

export const priceRow = z.object({
  event_contract: nativeId,
  subtype: neededText,
  expiration_date: day,
  start_price: fraction,
  high_price: fraction,
  low_price: fraction,
  end_price: fraction,
  settlement_price: fraction,
  pair_quantity: amount,
  open_interest: amount,
});

export type PriceRow = z.output<typeof priceRow>;

export const productRow = z.object({
  product_id: nativeId,
  product_name: neededText,
  product_category: shownText,
});

export type ProductRow = z.output<typeof productRow>;
