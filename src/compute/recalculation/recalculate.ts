import { dailyCloses } from '../../methodology/closes.ts';
import type { SeriesId } from '../../model/constituent-id.ts';
import { firstInstant } from '../../model/definitions/definition.ts';
import type { IndexPrint, IndexStanding, RatePrint } from '../../model/print.ts';
import { floorTo, MINUTE_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import {
  type InForce,
  listDefinitionHistory,
  listRateDefinitions,
  listVersions,
} from '../../store/definitions/definitions.ts';
import { insertDivisorStep, listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint, IndexRecord } from '../../store/prints/index-prints.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import { asCalculated, findRatePrint, RateRecord } from '../../store/prints/rate-prints.ts';
import { findCalculatedTo, findStanding, setClose, setStanding } from '../../store/prints/standings.ts';
import { insertRecalculation, type Recalculation } from '../../store/restatements.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { loadCalculationLog, recalculatedInstants } from '../series/calculated-instants.ts';
import { listInCalculationOrder } from '../series/calculation-order.ts';
import { fromHalfCents } from './from-half-cents.ts';
import {
  calculateIndexSpan,
  calculateRateSpan,
  type IndexSpan,
  type RateSpan,
} from './recalculated-spans.ts';
import { type RestatedCount, RevisedSpan } from './revised-span.ts';

/** The whole steps of an interval, up to an instant. */
interface Grid {
  every_minutes: number;
  until: Instant;
}

/** A requested recalculation: a series from an instant on, optionally on a finer grid for part of the span. */
export interface Wanted extends SeriesId, Pick<Recalculation, 'from_at' | 'reason'> {
  grid?: Grid;
}

/**
 * Recalculates a series from an instant up to its standing with what is known now, and records each difference as a new
 * revision with a restatement. The earlier prints are kept; an instant that has a print always keeps one. Later prints
 * continue from the result.
 *
 * @param recordedAt after every earlier calculation
 * @returns undefined if the series has not been calculated up to `from_at`
 */
export function recalculate(writer: Writer, wanted: Wanted, recordedAt: Instant): RestatedCount | undefined {
  const { kind, ticker, reason } = wanted;
  const history = listDefinitionHistory(writer);
  const versions = history.filter((each) => each.kind === kind && each.definition.ticker === ticker);
  const span = spanOf(writer, wanted, versions);
  if (!span) return undefined;
  const recalculation: Recalculation = { kind, ticker, ...span, reason, recorded_at: recordedAt };
  const log = loadCalculationLog(writer, wanted, versions, span.from_at);
  const instants = recalculatedInstants(log, recalculation);
  const id = insertRecalculation(writer, recalculation);
  const replayed = { instants, runs: log.runs, rates: history.filter((each) => each.kind === 'rate') };
  const record = kind === 'index' ? recordIndex : recordRate;
  const { count, ats } = record(writer, recalculation, replayed, id);
  for (const close of dailyCloses(ats)) setClose(writer, wanted, close);
  return count;
}

/**
 * The span of a requested recalculation, up to the standing of the series. A grid ends at the last whole step that the
 * series has reached; later instants are left to its runs.
 *
 * @returns undefined if the series has not been calculated so far
 */
function spanOf(
  reader: Reader,
  wanted: Wanted,
  versions: readonly InForce[],
): Pick<Recalculation, 'from_at' | 'until_at' | 'every_minutes' | 'grid_until'> | undefined {
  const { kind, grid } = wanted;
  const until_at = findCalculatedTo(reader, wanted);
  if (until_at === undefined || wanted.from_at > until_at) return undefined;
  const begins = Math.min(...versions.map(({ definition }) => firstInstant(definition)));
  const asked = Math.max(wanted.from_at, begins);
  const stepMs = grid && grid.every_minutes * MINUTE_MS;
  // Only grid steps after the beginning are calculated: start just before, so that a step at the beginning is included.
  const from = stepMs && asked % stepMs === 0 ? asked - 1 : asked;
  const from_at = kind === 'rate' ? fromHalfCents(reader, wanted, versions, from) : from;
  if (from_at > until_at) return undefined;
  return {
    from_at,
    until_at,
    every_minutes: grid?.every_minutes ?? null,
    grid_until: grid && stepMs ? floorTo(Math.min(grid.until, until_at), stepMs) : null,
  };
}

/** Recalculates the span of an index. @returns its prints as they are now */
function recordIndex(
  writer: Writer,
  recalculation: Recalculation,
  replayed: Pick<IndexSpan, 'instants' | 'runs' | 'rates'>,
  recalculationId: number,
): RevisedSpan<IndexPrint> {
  const { ticker, from_at } = recalculation;
  const versions = listVersions(writer, ticker);
  // The recalculation replaces the ledger of the span; steps before it remain.
  const steps = listDivisorSteps(writer, ticker).filter((step) => step.at < from_at);
  const revised = new RevisedSpan(writer, recalculation, {
    find: findIndexPrint,
    record: new IndexRecord(writer, ticker),
  });
  const { printed, before } = revised;
  const span = { ...replayed, versions, steps, printed, before, knownAt: EVER };
  const calculator = calculateIndexSpan(writer, span, (_, { definition_key }, print, newSteps) => {
    for (const step of newSteps) insertDivisorStep(writer, ticker, step, recalculationId);
    if (print) revised.keep(print, definition_key);
  });
  const was = findStanding<IndexStanding>(writer, recalculation);
  const { before: body, constituted } = calculator;
  if (was) {
    const { definition_key } = constituted ?? was;
    setStanding(writer, recalculation, { ...was, definition_key, body });
  }
  return revised;
}

/** Recalculates the span of a rate. @returns its prints as they are now */
function recordRate(
  writer: Writer,
  recalculation: Recalculation,
  { instants, runs }: Pick<RateSpan, 'instants' | 'runs'>,
): RevisedSpan<RatePrint> {
  const { ticker, until_at } = recalculation;
  const revised = new RevisedSpan(writer, recalculation, {
    find: findRatePrint,
    record: new RateRecord(writer, ticker),
  });
  const { printed, before } = revised;
  const stood = (at: Instant) => findRatePrint(writer, ticker, at);
  const span = { instants, runs, printed, before, stood, knownAt: EVER };
  calculateRateSpan(writer, span, (print, { definition_key }) => revised.keep(print, definition_key));
  const was = findStanding<RatePrint>(writer, recalculation);
  // If the last instants of the span gave no print, the earlier prints remain in force.
  const body = findRatePrint(writer, ticker, until_at);
  if (was && body) setStanding(writer, recalculation, { ...was, body: asCalculated(body) });
  return revised;
}

/** Every series in force, in the order of calculation: rates, then indices. */
export function listSeries(reader: Reader): SeriesId[] {
  return [
    ...listRateDefinitions(reader).map((each) => ({ kind: 'rate' as const, ticker: each.definition.ticker })),
    ...listInCalculationOrder(reader).map((each) => ({
      kind: 'index' as const,
      ticker: each.definition.ticker,
    })),
  ];
}
