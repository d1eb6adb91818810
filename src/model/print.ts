import type { ExcludeReason, MarkBasis } from './mark.ts';
import type { Instant, Probability, Weight } from './units.ts';

/** A constituent's part in a print. */
export const CONSTITUENT_STATES = ['included', 'excluded', 'unpriced', 'staged'] as const;
export type ConstituentState = (typeof CONSTITUENT_STATES)[number];

/** All that entered a print for one constituent of an index or one source of a rate. */
export interface ReceiptLine {
  market_id: string;
  state: ConstituentState;
  /** Contracts held by a basket, weight (not normalised) in a gauge or a rate. */
  quantity: number;
  weight: Weight;
  price?: Probability;
  basis?: MarkBasis;
  observed_at?: Instant;
  spread?: Probability;
  exclude_reason?: ExcludeReason;
}

/** One published value of an index, with all that entered it. */
export interface IndexPrint {
  at: Instant;
  level: number;
  /** Baskets only: basket value divided by divisor is the level. */
  divisor?: number;
  /** Value of the included names over the whole value: 1 when nothing is held. */
  coverage: number;
  methodology_version: string;
  lines: ReceiptLine[];
}

/** One published value of a rate, with all that entered it. Price and spread are fractions. */
export interface RatePrint {
  at: Instant;
  price: Probability;
  spread: Probability;
  methodology_version: string;
  lines: ReceiptLine[];
}

/** Why a basket's divisor changed. */
export type DivisorStepReason = 'base' | 'admission' | 'settlement' | 'reconstitution';

/** One line of the continuity ledger: the level does not move when what is priced changes. */
export interface DivisorStep {
  at: Instant;
  reason: DivisorStepReason;
  market_ids: string[];
  level_before: number;
  level_after: number;
  divisor_before: number;
  divisor_after: number;
}
