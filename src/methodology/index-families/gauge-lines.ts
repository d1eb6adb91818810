import { parsePrintedId } from '../../model/constituent-id.ts';
import type { GaugeDefinition } from '../../model/definitions/index-definition.ts';
import type { ReceiptLine } from '../../model/print.ts';
import type { Probability } from '../../model/units.ts';
import { heldAt, markedBy } from './line-marks.ts';
import type { Reading } from './member-readings.ts';

/** The weight of a constituent; 0 while it has no price. */
export const weightOfLine = (line: ReceiptLine) => (line.price === undefined ? 0 : line.quantity);

/** Converts a mean of marks to the quote convention of the gauge. */
export function inConvention({ quote_convention }: GaugeDefinition, mean: Probability): number {
  return quote_convention === 'centred' ? 50 + 100 * mean : 100 * mean;
}

/**
 * Whether a constituent is a rate that has settled: it keeps that payoff, even if its sources or their reported payoffs
 * change later.
 */
export function hasPaid({ market_id, basis }: Pick<ReceiptLine, 'market_id' | 'basis'>): boolean {
  return basis === 'settlement' && parsePrintedId(market_id) !== undefined;
}

/**
 * A constituent with its mark at an instant. One that fails a check keeps its last good mark, and a settled rate its
 * payoff.
 */
export function markGauge(
  market_id: string,
  quantity: number,
  reading: Reading,
  before: ReceiptLine | undefined,
): ReceiptLine {
  const line: ReceiptLine = { market_id, state: 'unpriced', weight: 0, quantity };
  if (before && hasPaid(before)) return { ...before, weight: 0, quantity };
  // Deleting a constituent that never had a mark does not admit it.
  if (before?.price === undefined && reading.kind === 'settled' && reading.basis === 'stated') return line;
  if (reading.kind === 'failed') return heldAt(before, line, reading.reason);
  return markedBy(reading, line, 'included');
}
