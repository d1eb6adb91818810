import type { Instant, Probability } from '../../model/units.ts';
import type { ContractView } from '../contract-views.ts';

/** What was known of a contract through the hour before a print. */
export interface SourceHour {
  /** At the start of every twelfth of the hour and whenever something was seen in it, in time order. */
  views: readonly { at: Instant; view: ContractView }[];
  /** What traded: the growth of the lifetime volume between two quotes, at the later one's last trade. */
  trades: readonly { at: Instant; price: Probability; volume: number }[];
}

/** What a rate may ask of its sources beside their marks: nothing that was observed after the instant. */
export interface RateHistory {
  /** Lifetime volume known at an instant, in the venue's own unit; undefined when nobody said. */
  volume(marketId: string, at: Instant): number | undefined;
  /** The hour that ends at an instant; undefined when the contract is unknown. */
  hour(marketId: string, at: Instant): SourceHour | undefined;
}

/** For rates that ask for nothing. */
export const NO_HISTORY: RateHistory = { volume: () => undefined, hour: () => undefined };
