import { restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { Adopted } from '../../store/definitions/definitions.ts';
import type { Made } from '../../store/prints/print-record.ts';
import { findRatePrint, RateRecord } from '../../store/prints/rate-prints.ts';
import { findStanding, setStanding } from '../../store/prints/standings.ts';
import type { Writer } from '../../store/store.ts';
import { calculateRateInstants } from './calculate-rate-instants.ts';
import { loadRateHistory } from './load-rate-history.ts';
import type { MarketInputs } from './window-inputs.ts';

/**
 * Calculates a rate at some instants, continuing from its standing, and records the prints and the new standing. The
 * first real price restates the unbroken run of half-cent prints before it.
 *
 * @param instants ascending, all after the last calculated one
 * @returns the instants that printed, restated ones included
 * @see Spec 2.5.2
 */
export function calculateRateAt(
  writer: Writer,
  { definition, definition_key }: Adopted<RateDefinition>,
  instants: readonly Instant[],
  { views, reads, knownAt }: MarketInputs,
  recordedAt: Instant,
): Instant[] {
  const { ticker } = definition;
  const made = { definition_key, recorded_at: recordedAt };
  const before = findStanding<RatePrint>(writer, { kind: 'rate', ticker })?.body;
  const record = new RateRecord(writer, ticker);
  const history = loadRateHistory(writer, definition, instants, reads, knownAt);
  const printed: Instant[] = [];
  const body = calculateRateInstants(definition, instants, { views, history }, before, {
    firstPrice(print) {
      printed.push(...restateFloorPrints(writer, record, ticker, print, made));
    },
    print(print) {
      record.add(print, made);
      printed.push(print.at);
    },
    columns(print, lines) {
      record.addColumns(print, definition.sources, lines, made);
      printed.push(print.at);
    },
  });
  const calculated_to = instants.at(-1);
  if (calculated_to !== undefined)
    setStanding(writer, { kind: 'rate', ticker }, { calculated_to, definition_key, body });
  return printed;
}

function restateFloorPrints(
  writer: Writer,
  record: RateRecord,
  ticker: string,
  print: RatePrint,
  made: Made,
): Instant[] {
  const restated: Instant[] = [];
  let standing = findRatePrint(writer, ticker, print.at - 1);
  while (standing && restsOnFloor(standing)) {
    const { at, revision, price: value } = standing;
    record.restate({ revision, value }, { ...print, at }, { ...made, reason: 'half_cent_replaced' });
    restated.push(at);
    standing = findRatePrint(writer, ticker, at - 1);
  }
  return restated;
}
