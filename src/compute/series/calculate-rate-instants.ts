import type { ColumnPrint } from '../../methodology/rate-families/rate-columns.ts';
import { calculateRate, rateColumns, restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import type { RateHistory } from '../../methodology/rate-families/rate-history.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { LineColumns, RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { ViewsOfWindow } from './load-views.ts';

/** Records the prints of a rate, in order. */
interface Recorder {
  print(print: RatePrint): void;
  /** A print with its lines as columns, which are valid until the next print. */
  columns(print: ColumnPrint, lines: LineColumns): void;
  /** The first real price after half-cent prints; called before it is recorded as a print. */
  firstPrice(print: RatePrint): void;
}

interface RateInputs {
  views: Pick<ViewsOfWindow, 'at' | 'contract'>;
  history: RateHistory;
}

/**
 * Calculates a rate at some instants: as columns if its family supports that, otherwise instant by instant.
 *
 * @param instants ascending
 * @param before the print before them
 * @returns the last print
 */
export function calculateRateInstants(
  definition: RateDefinition,
  instants: readonly Instant[],
  { views, history }: RateInputs,
  before: RatePrint | undefined,
  record: Recorder,
): RatePrint | undefined {
  const alone = (at: Instant, last?: RatePrint) => calculateRate(definition, views.at(at), at, last, history);
  const contracts = definition.sources.map(({ market_id }) => views.contract(market_id));
  const columns = rateColumns(definition, contracts, history, before);
  let last = before;
  if (!columns) {
    for (const at of instants) {
      const print = alone(at, last);
      if (!print) continue;
      if (last && restsOnFloor(last) && !restsOnFloor(print)) record.firstPrice(print);
      record.print(print);
      last = print;
    }
    return last;
  }
  let onFloor = before !== undefined && restsOnFloor(before);
  let printedAt: Instant | undefined;
  for (const at of instants) {
    const print = columns.printAt(at);
    if (!print) continue;
    if (onFloor && !print.onFloor) record.firstPrice(alone(at) as RatePrint);
    record.columns(print, columns.lines);
    onFloor = print.onFloor;
    printedAt = at;
  }
  return printedAt === undefined ? before : alone(printedAt);
}
