import type { DivisorStep, DivisorStepReason, IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { sum } from '../sum.ts';
import { valueOfLine } from './line-marks.ts';

/** Basket value of all lines, without cash. */
export function basketValue(lines: readonly ReceiptLine[]): number {
  return sum(lines.map(valueOfLine));
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
    const { level, divisor } = this.standing;
    const level_after = (basketValue(after.lines) + after.cash) / after.divisor;
    this.steps.push({
      at: this.#at,
      reason,
      market_ids: lines.map((line) => line.market_id),
      level_before: level,
      level_after,
      divisor_before: divisor,
      divisor_after: after.divisor,
    });
    this.standing = { ...after, level };
  }
}

/** The first step in an index's ledger: what it holds at its base. */
export function baseStep(at: Instant, { lines, level, divisor }: IndexStanding): DivisorStep {
  return {
    at,
    reason: 'base',
    market_ids: lines.filter((line) => line.quantity > 0).map((line) => line.market_id),
    level_before: level,
    level_after: level,
    divisor_before: divisor,
    divisor_after: divisor,
  };
}
