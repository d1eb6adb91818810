import type { Instant } from '../units.ts';
import type { IndexDefinition } from './index-definition.ts';

/** The versions that a changed index definition follows. */
export interface EarlierVersions {
  /** The version in force. */
  inForce: IndexDefinition;
  /** The version adopted last, if it has not taken effect yet; once replaced it never will. */
  pending?: { definition: IndexDefinition; takes_effect_at: Instant };
  /** The last instant that was calculated by them; absent when none was. */
  calculated_to?: Instant;
}
