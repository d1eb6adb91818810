import type { Instant, Probability } from '../../model/units.ts';
import type { ContractView } from '../contract-views.ts';

/** What was known of a contract during the hour before a print. */
export interface SourceHour {
  /** Views at the start of every twelfth of the hour and at each observation within it, in time order. */
  views: readonly { at: Instant; view: ContractView }[];
  /**
   * Trades as the venue reported them; before the first of these, the growth of the lifetime volume between two quotes,
   * at the later one's last trade price.
   */
  trades: readonly { at: Instant; price: Probability; volume: number }[];
}

/** What a rate may use of its sources besides their marks: nothing observed after the instant. */
export interface RateHistory {
  /** Lifetime volume known at an instant, in the venue's own unit; undefined if unknown. */
  volume(marketId: string, at: Instant): number | undefined;
  /** The hour that ends at an instant; undefined if the contract is unknown. */
  hour(marketId: string, at: Instant): SourceHour | undefined;
}

/** For rates that need no history. */
export const NO_HISTORY: RateHistory = { volume: () => undefined, hour: () => undefined };
