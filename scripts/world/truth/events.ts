/** What the world knows about a question, apart from any venue. */

/** How strongly a hidden quantity moves with a shared factor: standard deviation a day. */
export interface Loading {
  factor: string;
  daily_sd: number;
}

/** The half-open band of the hidden value in which an outcome pays; an absent bound is infinite. */
interface Band {
  low?: number;
  high?: number;
}

/** One hidden number (a margin, a temperature, a win total) and bands that pay. */
export interface ScalarLaw {
  kind: 'scalar';
  mean: number;
  loadings: Loading[];
  /** Uncertainty that stays until the outcome is known. */
  residual_sd: number;
  bands: Band[];
}

/** Rivals of whom exactly one wins: the strongest, up to chance. */
export interface ContestLaw {
  kind: 'contest';
  rivals: { mean: number; loadings: Loading[] }[];
  residual_sd: number;
}

type Law = ScalarLaw | ContestLaw;

/** A question with its outcomes, its deadline, and how much the public cares. */
export interface TruthEvent {
  key: string;
  law: Law;
  listed_at: number;
  known_at: number;
  /** 0 to 1: share of the liquidity that the best-known question would get. */
  interest: number;
  /** A cancelled game or a late print may void it; then every outcome pays one half. */
  voidable: boolean;
}

/** Number of outcomes of a question. */
export function countOutcomes(event: TruthEvent): number {
  return event.law.kind === 'scalar' ? event.law.bands.length : event.law.rivals.length;
}
