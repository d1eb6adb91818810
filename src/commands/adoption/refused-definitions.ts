import { refusedChanges } from '../../methodology/index-changes.ts';
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
 * `files.problems`.
 */
export function withoutRefused(
  reader: Reader,
  files: DefinitionFiles,
  now: Instant,
): Pick<DefinitionFiles, 'indices' | 'rates'> {
  const { indices, indexFiles, problems } = files;
  const refused = indices.flatMap((index) => problemsOfChange(reader, index));
  const kept = without(refused, indices);
  const circles = circleProblems(reader, kept);
  problems.push(...[...refused, ...circles].map((each) => inFile(each, indexFiles)));
  return withoutLeaks(reader, { ...files, indices: without(circles, kept) }, now);
}

/** The problems of a definition that would change what is fixed once its index has printed. */
function problemsOfChange(reader: Reader, after: IndexDefinition): TickerProblem[] {
  const { ticker } = after;
  const series = { kind: 'index', ticker } as const;
  const before = findNewestDefinition(reader, series);
  if (!before || isRate(before) || !findStanding(reader, series)?.body) return [];
  return refusedChanges(before, after).map(({ field, kept }) => ({
    ticker,
    path: [field],
    message: `has printed, so this must stay ${JSON.stringify(kept)}`,
  }));
}
