import type { DivisorStep, DivisorStepReason, IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { sum } from '../sum.ts';
import { valueOfLine } from './line-marks.ts';

/** Basket value of all lines, without cash. */
export function basketValue(lines: readonly ReceiptLine[]): number {
  return sum(lines.map(valueOfLine));
}

/** What a step carries over or changes. */
type Scale = Pick<IndexStanding, 'level' | 'divisor'>;

/**
 * One line of the ledger.
 *
 * @param lines the constituents that the step concerns
 */
export function ledgerStep(
  at: Instant,
  reason: DivisorStepReason,
  lines: readonly ReceiptLine[],
  before: Scale,
  after: Scale,
): DivisorStep {
  return {
    at,
    reason,
    market_ids: lines.map((line) => line.market_id),
    level_before: before.level,
    level_after: after.level,
    divisor_before: before.divisor,
    divisor_after: after.divisor,
  };
}

/** The steps of one instant. The level is carried over each step, not recalculated, so that no step can move it. */
export class Ledger {
  readonly steps: DivisorStep[] = [];
  readonly #at: Instant;
  standing: IndexStanding;

  constructor(at: Instant, standing: IndexStanding) {
    this.#at = at;
    this.standing = standing;
  }

  /** @param lines the constituents that the step concerns */
  step(reason: DivisorStepReason, lines: readonly ReceiptLine[], after: IndexStanding): void {
    const { divisor } = after;
    const level = (basketValue(after.lines) + after.cash) / divisor;
    this.steps.push(ledgerStep(this.#at, reason, lines, this.standing, { level, divisor }));
    this.standing = { ...after, level: this.standing.level };
  }
}
