import { QUIET_AFTER_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { listIndexDefinitions, listRateDefinitions } from '../store/definitions.ts';
import { findLastCalculation, takeLateInputs } from '../store/restatements.ts';
import type { Writer } from '../store/store.ts';
import { namedMembers } from './calculate-index.ts';
import { marketsBehind } from './markets-behind.ts';
import { listSeries, recalculate, type Wanted } from './recalculate.ts';

/** Nothing older is restated by itself: it enters at the next print. */
const RESTATED_FOR_MS = QUIET_AFTER_MS;

/** The instant under which something is recorded now: after every calculation before it. */
export function recordingInstant(writer: Writer, now: Instant): Instant {
  return Math.max(now, (findLastCalculation(writer) ?? Number.NEGATIVE_INFINITY) + 1);
}

/**
 * Which series rest on inputs that came or changed late, and from when on: those that stand on the market, and
 * the total return of an index that does. Where several came, the earliest counts.
 *
 * @returns in the order of calculation
 */
export function findLate(writer: Writer, now: Instant): Wanted[] {
  const late = takeLateInputs(writer).filter((each) => each.valid_at >= now - RESTATED_FOR_MS);
  if (late.length === 0) return [];
  late.sort((a, b) => a.valid_at - b.valid_at);
  const rates = new Map(listRateDefinitions(writer).map((each) => [each.definition.ticker, each.definition]));
  const indices = new Map(
    listIndexDefinitions(writer).map((each) => [each.definition.ticker, each.definition]),
  );
  const wanted = new Map<string, Wanted>();
  for (const { kind, ticker } of listSeries(writer)) {
    const index = kind === 'index' ? indices.get(ticker) : undefined;
    const base = index?.methodology === 'total_return' && wanted.get(`index ${index.base_index_id}`);
    const markets = new Set(
      kind === 'rate'
        ? rates.get(ticker)?.sources.map((each) => each.market_id)
        : namedMembers(writer, ticker).flatMap((id) => marketsBehind(id, rates)),
    );
    const first = late.find((each) => markets.has(each.market_id));
    const from = base || (first && { from_at: first.valid_at, reason: first.reason });
    if (from) wanted.set(`${kind} ${ticker}`, { kind, ticker, from_at: from.from_at, reason: from.reason });
  }
  return [...wanted.values()];
}

/** Restates one series. @returns the number of its prints that changed or came to be */
export function restate(writer: Writer, wanted: Wanted, recordedAt: Instant): number {
  const count = recalculate(writer, wanted, recordedAt);
  return count ? count.restated + count.added : 0;
}
