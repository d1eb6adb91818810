import { z } from 'zod';
import { isCalendarDay } from '../../../model/time.ts';
import { Refusal, scalar } from '../../wire/scalar.ts';
import { shown } from '../../wire/shown.ts';
import { neededText, shownText } from '../../wire/wire-scalars.ts';

/** How the registry writes a missing day: 0000-00-00, or what a date library makes of that. */
const NO_DAY = /^(?:11\/30\/-0001|-0001-11-30|00\/00\/0000|0000-00-00)/;

/** A day as the registry writes it: 10/02/2026 in lists, 2026-10-02 00:00:00 on pages of products. */
const day = scalar((value): string | undefined | Refusal => {
  if (typeof value !== 'string' || value === '' || NO_DAY.test(value)) return undefined;
  const [us, month = '', date = '', year = ''] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(value) ?? [];
  const iso = us ? `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}` : value.slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(iso) && !Number.isNaN(Date.parse(iso)) && isCalendarDay(iso)) return iso;
  return new Refusal(`must be a day such as 10/02/2026, got ${shown(value)}`);
});

const number = scalar((value): number | Refusal =>
  typeof value === 'string' && /^\d{1,12}$/.test(value)
    ? Number(value)
    : new Refusal("must be in a link to the filing's page"),
);

const count = scalar((value): number | undefined =>
  typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined,
);

/** A row of a list: its cells as texts on one line, and the number in its link. */
export const listRow = z.object({
  filing_id: number,
  org: neededText,
  description: shownText,
  product_name: shownText,
  product_type: shownText,
  category: shownText,
  subcategory: shownText,
  products_affected: shownText,
  remarks: shownText,
  received_day: day,
  status: neededText,
  status_day: day,
  document_count: count,
});
