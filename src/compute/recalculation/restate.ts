import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import type { SeriesId } from '../../model/constituent-id.ts';
import { QUIET_AFTER_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import {
  byTicker,
  listDefinitionHistory,
  listIndexDefinitions,
} from '../../store/definitions/definitions.ts';
import { findLastRun } from '../../store/prints/calculations.ts';
import {
  dropLateSeries,
  type LateInput,
  type LateSeries,
  listLateSeries,
  listRecalculations,
  noteLateSeries,
  recordingInstant,
  takeLateInputs,
} from '../../store/restatements.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { everNamed } from '../series/calculate-index.ts';
import { marketsBehind, type Sourced } from '../series/markets-behind.ts';
import { listSeries, recalculate } from './recalculate.ts';

/** Older late inputs do not restate anything; they enter at the next print. */
const RESTATED_FOR_MS = QUIET_AFTER_MS;

/** What a run is to restate. */
export interface LateWork {
  /** In the order of calculation. */
  late: readonly LateSeries[];
  /** The instant at which it records that. */
  recordedAt: Instant;
}

/**
 * Finds the series affected by late or changed inputs, and from when on: those that use the market, and the total
 * return of an affected index. If several inputs came late, the earliest counts. Each series is noted until it is
 * restated, so that one whose restatement failed or was interrupted is found again.
 *
 * They are restated at the instant of the run, so that a run that is continued after an interruption restates all of them
 * at the same. But if a calculation, a recalculation of one of them, or any before an input came is already recorded at
 * that instant or later, it is the first after these.
 */
export function findLate(writer: Writer, now: Instant): LateWork {
  const since = now - RESTATED_FOR_MS;
  const inputs = takeLateInputs(writer).filter(({ valid_at }) => valid_at >= since);
  const left = listLateSeries(writer);
  if (inputs.length === 0 && left.length === 0) return { late: [], recordedAt: now };
  const late = lateSeries(
    writer,
    inputs.sort((a, b) => a.valid_at - b.valid_at),
    left.filter(({ from_at }) => from_at >= since),
  );
  for (const each of left) dropLateSeries(writer, each);
  for (const each of late) noteLateSeries(writer, each);
  const isTaken =
    inputs.length > 0 ||
    (findLastRun(writer) ?? 0) >= now ||
    late.some((series) => listRecalculations(writer, series).some((each) => each.recorded_at >= now));
  return { late, recordedAt: isTaken ? recordingInstant(writer, now) : now };
}

/**
 * The series to restate, in the order of calculation.
 *
 * @param inputs the earliest first
 * @param left what an earlier run did not restate
 */
function lateSeries(reader: Reader, inputs: readonly LateInput[], left: readonly LateSeries[]): LateSeries[] {
  const rates = everSources(reader);
  const indices = byTicker(listIndexDefinitions(reader));
  const found: LateSeries[] = [];
  const foundOf = (among: readonly LateSeries[], { kind, ticker }: SeriesId) =>
    among.find((each) => each.kind === kind && each.ticker === ticker);
  for (const series of listSeries(reader)) {
    const index = series.kind === 'index' ? indices.get(series.ticker) : undefined;
    const base = index && indexFamilyOf(index).follows?.(index);
    const [first] = [
      foundOf(left, series),
      base === undefined ? undefined : foundOf(found, { kind: 'index', ticker: base }),
      lateInputOf(reader, series, inputs, rates),
    ]
      .filter((cause) => cause !== undefined)
      .sort((a, b) => a.from_at - b.from_at);
    if (first) found.push({ ...series, from_at: first.from_at, reason: first.reason });
  }
  return found;
}

/**
 * From when on, and why, a series must be restated because of the earliest late input that it uses; undefined if it
 * uses none.
 */
function lateInputOf(
  reader: Reader,
  { kind, ticker }: SeriesId,
  inputs: readonly LateInput[],
  rates: ReadonlyMap<string, Sourced>,
): Pick<LateSeries, 'from_at' | 'reason'> | undefined {
  const named =
    kind === 'rate'
      ? (rates.get(ticker)?.sources.map((each) => each.market_id) ?? [])
      : everNamed(reader, ticker);
  const priced = new Set(named);
  // An index uses a rate as first printed, until its sources have settled.
  const paying = new Set(named.flatMap((id) => marketsBehind(id, rates)));
  const input = inputs.find(({ market_id, reason }) =>
    (reason === 'late_settlement' ? paying : priced).has(market_id),
  );
  return input && { from_at: input.valid_at, reason: input.reason };
}

/** The present and former sources of each rate, by ticker: prints of earlier versions depend on the former ones. */
function everSources(reader: Reader): Map<string, Sourced> {
  const rates = new Map<string, Sourced>();
  for (const { kind, definition } of listDefinitionHistory(reader))
    if (kind === 'rate') {
      const earlier = rates.get(definition.ticker)?.sources ?? [];
      rates.set(definition.ticker, { sources: [...earlier, ...definition.sources] });
    }
  return rates;
}

/** Restates one series. @returns the number of changed and added prints */
export function restate(writer: Writer, wanted: LateSeries, recordedAt: Instant): number {
  const count = recalculate(writer, wanted, recordedAt);
  dropLateSeries(writer, wanted);
  return count ? count.restated + count.added : 0;
}
