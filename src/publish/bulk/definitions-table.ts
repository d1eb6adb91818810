import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { PUBLIC_DELAY_MS } from '../../routes/indices/announcements.ts';
import type { InForce } from '../../store/definitions/definitions.ts';
import { type ColumnOf, type Table, tableOf, text } from './table.ts';

const COLUMNS: readonly ColumnOf<InForce>[] = [
  text('adopted_at', ({ adopted_at }) => formatInstant(adopted_at)),
  // The first counts from the beginning.
  text('takes_effect_at', ({ takes_effect_at: at }) => (at === 0 ? null : formatInstant(at))),
  // The schema is where the editor's file has it.
  text('definition', ({ definition: { $schema, visibility, organization, ...rest } }) =>
    JSON.stringify(rest),
  ),
];

/** The definitions of an index or rate, with all that its prints follow from, but without who may read them. */
export function definitionsTable(versions: readonly InForce[]): Table {
  return tableOf(COLUMNS, versions);
}

/**
 * Of the definitions of a public index or rate those that took or will take effect, as everybody may know it: nothing of
 * a change that is still to take effect is told before its notice.
 *
 * @param adopted all, oldest first
 */
export function publicDefinitions(adopted: readonly InForce[], now: Instant): InForce[] {
  const told = now - PUBLIC_DELAY_MS;
  const isTold = ({ adopted_at, takes_effect_at }: InForce) => takes_effect_at <= now || adopted_at <= told;
  const isDropped = ({ withdrawn_at, takes_effect_at }: InForce) =>
    withdrawn_at !== null && withdrawn_at < takes_effect_at && withdrawn_at <= told;
  return adopted.filter((each) => isTold(each) && !isDropped(each));
}
