import type { IndexDefinition } from './index-definition.ts';
import type { Instant } from './units.ts';

/** What a changed index definition comes after. */
export interface EarlierVersions {
  /** What is priced by now. */
  inForce: IndexDefinition;
  /** What was adopted last, when it has not taken effect yet: once replaced it never will. */
  pending?: { definition: IndexDefinition; takes_effect_at: Instant };
}
