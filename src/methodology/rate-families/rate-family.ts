import type { Mark } from '../../model/mark.ts';
import type { ReceiptLine } from '../../model/print.ts';
import type { Instant, Probability, Weight } from '../../model/units.ts';
import type { RateHistory } from './rate-history.ts';

/** A source as it enters a rate: its mark and, if the family weights by it, its lifetime volume. */
export interface SourceReading {
  mark: Mark;
  volume?: number;
}

/** One value for each source in the order of the definition; undefined for a source without a part. */
export type OfSources<Value> = readonly (Value | undefined)[];

/** The price that a family calculates from its sources. A source without a share has no part in it. */
export interface Pricing {
  price: Probability;
  shares: OfSources<Weight>;
}

/** One of the time intervals whose prices a print averages. */
export interface PrintPart {
  /** Excluded; the end is included. */
  from: Instant;
  to: Instant;
  price: Probability;
  /** Description of the price. */
  of: string;
}

/** A source whose payoff is part of what a rate pays. */
interface PayingSource {
  market_id: string;
  weight: number;
  /** If it is `no`, the rate pays what the No side of the contract does. */
  side?: 'yes' | 'no';
}

/** What all families have in common. */
interface FamilyHead {
  version: string;
  /** The sources that the rate represents: once all of them have settled, it pays the mean of what they pay. */
  represents: readonly PayingSource[];
  /** What the family needs besides the marks of the instant. */
  needs?: 'volume' | 'hour';
  /** Weights of the sources that did not enter, in the order of the definition; fractions of 1. */
  catalogShares(at: Instant): readonly Weight[];
  /**
   * The parts that a price averages, if the receipt of the print does not contain them.
   *
   * @param enters whether a source has a part in the print, by its position in the definition
   */
  breakdown?(enters: (source: number) => boolean, at: Instant, history: RateHistory): PrintPart[];
  /** Describes how a price follows from the lines of its receipt. */
  formula(lines: readonly Pick<ReceiptLine, 'state' | 'volume'>[]): string;
}

/** A family whose price is a weighted mean of the marks. */
export interface MeanFamily extends FamilyHead {
  /**
   * The weights, which need not sum to 1; undefined for a source without one. They replace volumes that are not known.
   */
  parts(at: Instant): OfSources<number>;
}

/** A family that calculates its price from the marks in its own way. */
interface PricingFamily extends FamilyHead {
  /**
   * The price and the share of each source; undefined if no source has a part.
   *
   * @param readings of the sources that enter, undefined for the others
   */
  price(readings: OfSources<SourceReading>, at: Instant, history: RateHistory): Pricing | undefined;
}

/** A methodology for rates, applied to one definition: one file each, listed in rate-families.ts. */
export type RateFamily = MeanFamily | PricingFamily;

/** Whether a family's price is a weighted mean of the marks. */
export function isMean(family: RateFamily): family is MeanFamily {
  return 'parts' in family;
}
