import type { ExcludeReason, MarkBasis } from './mark.ts';
import type { Instant, Probability, Weight } from './units.ts';

/**
 * A constituent's part in a print. `settled` stands only in the print that its payoff entered, or the price at
 * which its editor deleted it, `departed` only in the print of the reconstitution that took it out; afterwards it
 * is no constituent any more. `consulted` is
 * a source that was read and has no part in the rate: another line of a ladder, a contract whose turn it is
 * not, an outlier that was dropped.
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

/** All that entered a print for one constituent of an index or one source of a rate. */
export interface ReceiptLine {
  /** A market, or the id of a rate or an index (`rate:<ticker>`, `index:<ticker>`). */
  market_id: string;
  state: ConstituentState;
  /** Share of the print: a fraction of 1 over the included. */
  weight: Weight;
  /** Contracts held, in a basket; the definition's weight, in a gauge; 1 in a rate. */
  quantity: number;
  /** The mark, for an excluded name its last good one. Absent when it never had one. */
  price?: Probability;
  basis?: MarkBasis;
  observed_at?: Instant;
  spread?: Probability;
  /** Why it did not enter; names of an index that stay in at their last good mark have one too. */
  exclude_reason?: ExcludeReason;
  /** Lifetime volume known at the print, in a rate that weighs by it; in the venue's own unit. */
  volume?: number;
  /** A source far from the others. */
  outlier?: true;
}

/** Whether a print's line is the last of its constituent, which the print took out. */
export function hasLeft({ state }: Pick<ReceiptLine, 'state'>): boolean {
  return state === 'settled' || state === 'departed';
}

/** The code of a value in a column: its place in its list, counted from 1; 0 is absent. */
export function codeOf<Value>(
  list: readonly (Value | undefined)[],
  value: NoInfer<Value> | undefined,
): number {
  return list.indexOf(value) + 1;
}

/** The lines of one print, one array a column: NaN where absent; states, bases and reasons by {@link codeOf}. */
export interface LineColumns {
  state: Uint8Array;
  basis: Uint8Array;
  exclude_reason: Uint8Array;
  price: Float64Array;
  spread: Float64Array;
  /** From the observation to the print, in milliseconds. */
  age: Float64Array;
  weight: Float64Array;
  /** Absent where no line has one. */
  volume?: Float64Array | undefined;
  /** 1 for an outlier; absent where there is none. */
  outlier?: Uint8Array | undefined;
}

/** Empty columns for a number of lines. */
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
  /** Settlement cash that no name could take, in basket value. */
  cash: number;
  lines: ReceiptLine[];
  /** When the weights or, in a team index, the seats were last set. */
  constituted_at?: Instant;
}

/** One published value of an index, with all that entered it. */
export interface IndexPrint extends IndexStanding {
  at: Instant;
  /** Value of the included names over the whole value: 1 when nothing is held. */
  coverage: number;
  methodology_version: string;
}

/** One published value of a rate, with all that entered it. Price and spread are fractions. */
export interface RatePrint {
  at: Instant;
  price: Probability;
  spread: Probability;
  methodology_version: string;
  lines: ReceiptLine[];
}

/** Why the priced set or its weights changed. */
export type DivisorStepReason =
  | 'base'
  | 'admission'
  | 'settlement'
  | 'deletion'
  | 'departure'
  | 'reconstitution'
  | 'rebalance';

/** One line of the continuity ledger: a basket's level does not move when what is priced changes. */
export interface DivisorStep {
  at: Instant;
  reason: DivisorStepReason;
  market_ids: string[];
  level_before: number;
  level_after: number;
  divisor_before: number;
  divisor_after: number;
}
