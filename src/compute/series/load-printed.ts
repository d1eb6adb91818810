import type { FindPrinted, Printed } from '../../methodology/index-families/index-input.ts';
import { failedPrint } from '../../methodology/rate-families/rate-families.ts';
import { ratePayout } from '../../methodology/rate-payout.ts';
import { parsePrintedId, type SeriesId } from '../../model/constituent-id.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import { listFirstValues } from '../../store/prints/known-prints.ts';
import { selectRateRevisions } from '../../store/prints/rate-prints.ts';
import type { Reader } from '../../store/store.ts';
import { linkedPrints } from './linked-prints.ts';
import type { WindowInputs } from './window-inputs.ts';

/**
 * Loads the prints of those constituents that are rates and indices, for the instants of a window.
 *
 * @param ids of all constituents; markets are skipped
 * @param instants ascending
 * @returns look-ups at one instant of the window, which see only prints at or before it
 */
export function loadPrinted(
  reader: Reader,
  ids: readonly string[],
  instants: readonly Instant[],
  { views, rates, knownAt }: Pick<WindowInputs, 'views' | 'rates' | 'knownAt'>,
): (instant: Instant) => FindPrinted {
  const series = new Map<string, { prints: readonly Printed[]; rate: RateDefinition | undefined }>();
  const [first, last] = [instants[0] ?? 0, instants.at(-1) ?? 0];
  for (const id of ids) {
    const printed = parsePrintedId(id);
    if (!printed) continue;
    const rate = printed.kind === 'rate' ? rates.get(printed.ticker) : undefined;
    const prints = linkedPrints(reader, printed, listFirstValues(reader, printed, first, last, knownAt));
    series.set(id, { prints: prints.map((print) => checked(reader, printed, print)), rate });
  }
  return (instant) => (id) => {
    const known = series.get(id);
    const print = known?.prints.findLast((each) => each.at <= instant);
    if (!known || !print) return undefined;
    const paid = known.rate && ratePayout(known.rate, views.at(instant));
    return paid ? { ...print, paid } : print;
  };
}

/**
 * A print with what it means to an index that contains it: why the price of a rate is none for an index, or that a level
 * of 0 is the end of an index, which pays nothing any more.
 */
function checked(reader: Reader, { kind, ticker }: SeriesId, print: Printed): Printed {
  if (kind === 'index') return print.value > 0 ? print : { ...print, paid: { payout: 0, at: print.at } };
  const [first] = selectRateRevisions(reader, ticker, print.at);
  const failed = first && failedPrint(first);
  return failed ? { ...print, failed } : print;
}
