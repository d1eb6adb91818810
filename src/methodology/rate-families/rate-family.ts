import type { Mark } from '../../model/mark.ts';
import type { ReceiptLine } from '../../model/print.ts';
import type { Instant, Probability, Weight } from '../../model/units.ts';
import type { RateHistory } from './rate-history.ts';

/** A source as it enters a rate: its mark and, where the family weighs by it, its lifetime volume. */
export interface SourceReading {
  mark: Mark;
  volume?: number;
}

/** One value for each source in the order of the definition, undefined for one that has no part. */
export type OfSources<Value> = readonly (Value | undefined)[];

/** What a family makes of its sources. A source without a share has no part in the price. */
export interface Pricing {
  price: Probability;
  shares: OfSources<Weight>;
}

/** A stretch of time that a print is the mean of. */
export interface PrintPart {
  /** The part begins after this instant and holds its own end. */
  from: Instant;
  to: Instant;
  price: Probability;
  /** What the price is, in words. */
  of: string;
}

/** What every family says. */
interface FamilyHead {
  version: string;
  /** What is wanted beside the marks of the instant. */
  needs?: 'volume' | 'hour';
  /** Weights of the sources that did not enter, in the order of the definition; fractions of 1. */
  catalogShares(at: Instant): readonly Weight[];
  /**
   * What a price is the mean of, where the receipt of its print does not hold it.
   *
   * @param enters whether a source has a part in the print, by its place in the definition
   */
  breakdown?(enters: (source: number) => boolean, at: Instant, history: RateHistory): PrintPart[];
  /** How a price follows from the lines of its receipt, in words. */
  formula(lines: readonly Pick<ReceiptLine, 'state' | 'volume'>[]): string;
}

/** A family whose price is the mean of the marks by parts. */
export interface MeanFamily extends FamilyHead {
  /** These need not sum to 1; undefined of a source that has none. They stand in for volumes that are not known. */
  parts(at: Instant): OfSources<number>;
}

/** A family with a way of its own from marks to price. */
interface PricingFamily extends FamilyHead {
  /**
   * The price of the sources that have a mark, and the share of each; undefined when none has a part.
   *
   * @param readings at least one
   */
  price(readings: OfSources<SourceReading>, at: Instant, history: RateHistory): Pricing | undefined;
}

/** A way of making a rate, for one definition: one file each, listed in rate-families.ts. */
export type RateFamily = MeanFamily | PricingFamily;

/** Whether a family's price is the mean of the marks by parts. */
export function isMean(family: RateFamily): family is MeanFamily {
  return 'parts' in family;
}
