import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import type { ReadingColumns } from '../../methodology/index-families/reading-columns.ts';
import type { StretchPrint } from '../../methodology/index-families/stretch.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { DivisorStep, IndexPrint, LineColumns, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { type IndexCalculator, type IndexFacts, type IndexVersion, versionAt } from './index-calculator.ts';
import { groupConsecutive } from './instants.ts';

/** The inputs of the constituents of an index. */
export interface ConstituentInputs {
  factsOf(definition: IndexDefinition, at: Instant): IndexFacts;
  /** The readings of a constituent, by its id, at each of some instants. */
  readingsOf(definition: IndexDefinition, instants: readonly Instant[]): (marketId: string) => ReadingColumns;
}

/** Records the results in order: the steps of an instant before its print. */
interface Recorder<Version> {
  step(step: DivisorStep): void;
  print(version: Version, print: IndexPrint): void;
  /**
   * A print of a stretch: the names and quantities of its lines, and columns that are valid until the next ones are
   * requested.
   */
  columns(
    version: Version,
    print: StretchPrint,
    held: readonly ReceiptLine[],
    linesOf: () => LineColumns,
  ): void;
}

/**
 * Calculates an index at some instants, continuing from its standing: as a stretch while nothing but marks changes,
 * otherwise instant by instant.
 *
 * @param versions at least one, the oldest first
 * @param instants ascending
 */
export function calculateInstants<Version extends IndexVersion>(
  calculator: IndexCalculator,
  versions: readonly Version[],
  instants: readonly Instant[],
  inputs: ConstituentInputs,
  record: Recorder<Version>,
): void {
  for (const { key: version, instants: part } of groupConsecutive(instants, (at) =>
    versionAt(versions, at),
  )) {
    const { definition } = version;
    const readings = inputs.readingsOf(definition, part);
    for (let i = 0; i < part.length; ) {
      const stretch = calculator.calculateStretch(version, { instants: part, readings }, i);
      stretch?.forEachPrint(indexFamilyOf(definition).version, (print, linesOf) =>
        record.columns(version, print, stretch.before.lines, linesOf),
      );
      i += stretch?.instants.length ?? 0;
      const at = part[i];
      if (at === undefined) break;
      const { print, steps } = calculator.calculate(version, at, inputs.factsOf(definition, at));
      for (const step of steps) record.step(step);
      if (print) record.print(version, print);
      i++;
    }
  }
}
