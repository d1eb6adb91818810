import type { ExcludeReason, MarkBasis } from './mark.ts';
import type { Instant, Probability, Weight } from './units.ts';

/**
 * The state of a constituent in a print. `settled` occurs only in the print that uses its payoff, or the price at which
 * the editor deleted it; `departed` only in the print of the step that removed it. Afterwards it is no longer
 * a constituent, unless it was linked: then a line as it was held until then has departed beside its present one. `consulted` is a source that was read but does not enter the rate: another line of a ladder, a
 * contract of a chain whose turn it is not, or a dropped outlier.
 */
export const CONSTITUENT_STATES = [
  'included',
  'excluded',
  'unpriced',
  'settled',
  'departed',
  'consulted',
] as const;
type ConstituentState = (typeof CONSTITUENT_STATES)[number];

/** The inputs of a print from one constituent of an index or one source of a rate. */
export interface ReceiptLine {
  /** A market, or the id of a rate or an index (`rate:<ticker>`, `index:<ticker>`). */
  market_id: string;
  state: ConstituentState;
  /** Share of the print, a fraction of 1. The weights of the included lines sum to 1. */
  weight: Weight;
  /** In a basket the contracts held; in a gauge the definition's weight; in a rate 1. */
  quantity: number;
  /** The mark; for an excluded constituent its last good one. Absent when it never had one. */
  price?: Probability;
  basis?: MarkBasis;
  observed_at?: Instant;
  spread?: Probability;
  /** Why it was excluded. Constituents of an index that stay in at their last good mark have one too. */
  exclude_reason?: ExcludeReason;
  /** Lifetime volume known at the print, in the venue's own unit; only in rates that weight by it. */
  volume?: number;
  /** Set for a source that is far from the others. */
  outlier?: true;
}

/** Whether a print's line is the last of its constituent, which that print removed. */
export function hasLeft({ state }: Pick<ReceiptLine, 'state'>): boolean {
  return state === 'settled' || state === 'departed';
}

/** The code of a value in a column: its position in its list, counted from 1; 0 means absent. */
export function codeOf<Value>(
  list: readonly (Value | undefined)[],
  value: NoInfer<Value> | undefined,
): number {
  return list.indexOf(value) + 1;
}

/** The lines of one print as columns; absent numbers are NaN; states, bases and reasons are codes of {@link codeOf}. */
export interface LineColumns {
  state: Uint8Array;
  basis: Uint8Array;
  exclude_reason: Uint8Array;
  price: Float64Array;
  spread: Float64Array;
  /** Milliseconds from the observation to the print. */
  age: Float64Array;
  weight: Float64Array;
  /** Absent if no line has one. */
  volume?: Float64Array | undefined;
  /** 1 for an outlier; absent if there is none. */
  outlier?: Uint8Array | undefined;
}

/** Columns for a number of lines, filled with 0. */
export function lineColumns(count: number): LineColumns {
  return {
    state: new Uint8Array(count),
    basis: new Uint8Array(count),
    exclude_reason: new Uint8Array(count),
    price: new Float64Array(count),
    spread: new Float64Array(count),
    age: new Float64Array(count),
    weight: new Float64Array(count),
  };
}

/** The state of an index after a calculation, from which the next one continues. */
export interface IndexStanding {
  level: number;
  /** Basket value divided by divisor is the level; 1 for a gauge. */
  divisor: number;
  /** Settlement cash that no constituent could take, in basket value. */
  cash: number;
  lines: ReceiptLine[];
  /** When the weights or, in a team index, the seats were last set. */
  constituted_at?: Instant;
}

/** One published value of an index, with its receipt. */
export interface IndexPrint extends IndexStanding {
  at: Instant;
  /** Value of the included constituents divided by the whole value; 1 when nothing is held. */
  coverage: number;
  methodology_version: string;
}

/** One published value of a rate, with its receipt. Price and spread are fractions. */
export interface RatePrint {
  at: Instant;
  price: Probability;
  spread: Probability;
  methodology_version: string;
  lines: ReceiptLine[];
}

/** Why the set of priced constituents or their weights changed. */
export type DivisorStepReason =
  | 'base'
  | 'admission'
  | 'settlement'
  | 'deletion'
  | 'departure'
  | 'reconstitution'
  | 'rebalance'
  | 'linking';

/** One line of the continuity ledger, which shows that the level does not jump when the priced constituents change. */
export interface DivisorStep {
  at: Instant;
  reason: DivisorStepReason;
  market_ids: string[];
  level_before: number;
  level_after: number;
  divisor_before: number;
  divisor_after: number;
}
