import { refusedChanges } from '../../methodology/index-changes.ts';
import { asWrittenBefore } from '../../model/definitions/as-written-before.ts';
import { isRate } from '../../model/definitions/definition.ts';
import type { TickerProblem } from '../../model/definitions/definition-fields.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { Instant } from '../../model/units.ts';
import { type DefinitionFiles, inFile } from '../../store/definitions/definition-files.ts';
import { findNewestDefinition } from '../../store/definitions/definitions.ts';
import { findStanding } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { circleProblems } from './circle-problems.ts';
import { without, withoutLeaks } from './visibility-leaks.ts';

/**
 * The definitions of files without those that cannot be adopted, because they would change what is fixed once an index
 * has printed, make indices contain each other, or show readers what they may not read. Their problems are added to
 * `files.problems`. What says the same as before is as it was written before.
 */
export function withoutRefused(
  reader: Reader,
  files: DefinitionFiles,
  now: Instant,
): Pick<DefinitionFiles, 'indices' | 'rates'> {
  const { indexFiles, problems } = files;
  const indices = files.indices.map((index) => {
    const before = findNewestIndex(reader, index.ticker);
    return before ? asWrittenBefore(before, index) : index;
  });
  const refused = indices.flatMap((index) => problemsOfChange(reader, index));
  const kept = without(refused, indices);
  const circles = circleProblems(reader, kept);
  problems.push(...[...refused, ...circles].map((each) => inFile(each, indexFiles)));
  return withoutLeaks(reader, { ...files, indices: without(circles, kept) }, now);
}

/** The problems of a definition that would change what is fixed once its index has printed. */
function problemsOfChange(reader: Reader, after: IndexDefinition): TickerProblem[] {
  const { ticker } = after;
  const before = findNewestIndex(reader, ticker);
  if (!before || !findStanding(reader, { kind: 'index', ticker })?.body) return [];
  return refusedChanges(before, after).map(({ field, kept }) => ({
    ticker,
    path: [field],
    message: `has printed, so this must stay ${JSON.stringify(kept)}`,
  }));
}

function findNewestIndex(reader: Reader, ticker: string): IndexDefinition | undefined {
  const newest = findNewestDefinition(reader, { kind: 'index', ticker });
  return newest && !isRate(newest) ? newest : undefined;
}
