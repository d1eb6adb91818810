import type { Instant } from '../units.ts';
import type { IndexDefinition } from './index-definition.ts';

/** A version of an index definition, with the instant at which it takes effect. */
export interface DatedVersion {
  definition: IndexDefinition;
  takes_effect_at: Instant;
}

/** The earlier versions of a changed index definition. */
export interface EarlierVersions {
  /** The version in force. */
  inForce: IndexDefinition;
  /** The newest adopted version, if it has not taken effect yet; if it is replaced, it never will. */
  pending?: DatedVersion;
  /** The last instant that was calculated; absent if none was. */
  calculated_to?: Instant;
}
