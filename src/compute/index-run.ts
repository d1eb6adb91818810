import type { BasketStretch, StretchInput } from '../methodology/index-families/basket-stretch.ts';
import {
  calculateIndex,
  calmStretch,
  pricesOtherwise,
} from '../methodology/index-families/index-families.ts';
import type { IndexCalculation, IndexInput } from '../methodology/index-families/index-family.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { IndexStanding } from '../model/print.ts';
import type { Instant } from '../model/units.ts';

/** What an index is calculated from at an instant, beside itself and how it stood before. */
export type IndexFacts = Omit<IndexInput, 'definition' | 'at' | 'before' | 'reconstitute'>;

/** A version of an index's definition, as far as calculating goes. */
export interface IndexVersion {
  definition_key: number;
  takes_effect_at: Instant;
  definition: IndexDefinition;
}

/** The version that says what is priced at an instant. @param versions at least one, the oldest first */
export function versionAt<Version extends IndexVersion>(versions: readonly Version[], at: Instant): Version {
  return versions.findLast((each) => each.takes_effect_at <= at) ?? (versions[0] as Version);
}

/** How an index goes from instant to instant: each calculation stands on the one before. */
export class IndexRun {
  /** How the index stands; absent before its first print. */
  before: IndexStanding | undefined;
  /** What it was constituted by: while a reconstitution waits, not the version in force. */
  constituted: IndexVersion | undefined;

  constructor(before?: IndexStanding, constituted?: IndexVersion) {
    this.before = before;
    this.constituted = constituted;
  }

  /**
   * Goes on from the i-th of some instants of a version as far as nothing but marks changes; undefined where it is
   * to be calculated by itself.
   */
  goOn(
    version: IndexVersion,
    { instants, readings }: Pick<StretchInput, 'instants' | 'readings'>,
    from: number,
  ): BasketStretch | undefined {
    const { definition } = version;
    const { before } = this;
    if (!before || pricesOtherwise(this.constituted?.definition, definition)) return undefined;
    const stretch = calmStretch({ definition, before, instants, readings }, from);
    if (!stretch) return undefined;
    this.before = stretch.standing();
    this.constituted = version;
    return stretch;
  }

  calculate(version: IndexVersion, at: Instant, facts: IndexFacts): IndexCalculation {
    const { definition } = version;
    const { before } = this;
    const reconstitute = before !== undefined && pricesOtherwise(this.constituted?.definition, definition);
    const calculated = calculateIndex({
      ...facts,
      definition,
      at,
      reconstitute,
      ...(before ? { before } : {}),
    });
    this.before = calculated.standing ?? before;
    // A reconstitution that waits is still due at the next instant.
    if (!reconstitute || calculated.steps.some((step) => step.reason === 'reconstitution'))
      this.constituted = version;
    return calculated;
  }
}
