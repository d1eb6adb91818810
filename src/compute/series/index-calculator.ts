import {
  calculateIndex,
  indexFamilyOf,
  pricesOtherwise,
} from '../../methodology/index-families/index-families.ts';
import type { IndexCalculation } from '../../methodology/index-families/index-family.ts';
import type { IndexInput } from '../../methodology/index-families/index-input.ts';
import type { Stretch, StretchInput } from '../../methodology/index-families/stretch.ts';
import type { DatedVersion } from '../../model/definitions/index-versions.ts';
import type { IndexStanding } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';

/** The inputs of an index at an instant, besides its definition and its standing. */
export type IndexFacts = Omit<IndexInput, 'definition' | 'at' | 'before' | 'reconstitute'>;

/** The part of an index definition's version that the calculation needs. */
export interface IndexVersion extends DatedVersion {
  definition_key: number;
}

/** The version in effect at an instant. @param versions at least one, the oldest first */
export function versionAt<Version extends IndexVersion>(versions: readonly Version[], at: Instant): Version {
  return versions.findLast((each) => each.takes_effect_at <= at) ?? (versions[0] as Version);
}

/** Calculates an index from instant to instant, each time continuing from the result before. */
export class IndexCalculator {
  /** The standing of the index; absent before its first print. */
  before: IndexStanding | undefined;
  /** The version that it was last constituted by; while a reconstitution is pending, not the one in effect. */
  constituted: IndexVersion | undefined;

  constructor(before?: IndexStanding, constituted?: IndexVersion) {
    this.before = before;
    this.constituted = constituted;
  }

  /**
   * Calculates from one of some instants on for as long as nothing but marks changes.
   *
   * @param from position of the first instant
   * @returns undefined if that instant has to be calculated by itself
   */
  calculateStretch(
    version: IndexVersion,
    { instants, readings }: Pick<StretchInput, 'instants' | 'readings'>,
    from: number,
  ): Stretch | undefined {
    const { definition } = version;
    const { before } = this;
    if (!before || pricesOtherwise(this.constituted?.definition, definition)) return undefined;
    const stretch = indexFamilyOf(definition).stretch?.({ definition, before, instants, readings }, from);
    if (!stretch) return undefined;
    this.before = stretch.standing();
    this.constituted = version;
    return stretch;
  }

  calculate(version: IndexVersion, at: Instant, facts: IndexFacts): IndexCalculation {
    const { definition } = version;
    const { before } = this;
    const reconstitute = before !== undefined && pricesOtherwise(this.constituted?.definition, definition);
    const calculated = calculateIndex({ ...facts, definition, at, reconstitute, before });
    this.before = calculated.standing ?? before;
    // A pending reconstitution is still due at the next instant.
    if (!reconstitute || calculated.steps.some((step) => step.reason === 'reconstitution'))
      this.constituted = version;
    return calculated;
  }
}
