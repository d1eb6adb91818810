import { closingProblems, type HeldIndex, type LinkProblem } from '../model/definitions/definition-links.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { Instant } from '../model/units.ts';
import type { DefinitionFiles, DefinitionProblem } from '../store/definitions/definition-files.ts';
import { listIndexDefinitions, listIndexDefinitionsAt } from '../store/definitions/definitions.ts';
import type { Reader } from '../store/store.ts';

/**
 * The definitions without those that would be closed to readers of an index that is still made of them; the problems of
 * these are added. What is left out goes on by its earlier version, which may be made of others in its turn.
 */
export function withoutClosed(
  reader: Reader,
  { problems, indexFiles, rateFiles, ...files }: DefinitionFiles,
  now: Instant,
): Pick<DefinitionFiles, 'indices' | 'rates'> {
  let { indices, rates } = files;
  for (;;) {
    const held = heldIndices(reader, indices, { now, keepMissing: problems.length > 0 });
    const closedIndices = closingProblems('index', indices, held);
    const closedRates = closingProblems('rate', rates, held);
    if (closedIndices.length + closedRates.length === 0) return { indices, rates };
    problems.push(...closedIndices.map((each) => inFile(each, indexFiles)));
    problems.push(...closedRates.map((each) => inFile(each, rateFiles)));
    indices = without(closedIndices, indices);
    rates = without(closedRates, rates);
  }
}

/** The indices that go on by a version that the files do not say: until a change counts, or as long as it is left out. */
function heldIndices(
  reader: Reader,
  files: readonly IndexDefinition[],
  { now, keepMissing }: { now: Instant; keepMissing: boolean },
): HeldIndex[] {
  const after = new Map(files.map((each) => [each.ticker, each]));
  const inForce = new Map(listIndexDefinitionsAt(reader, now).map((each) => [each.definition.ticker, each]));
  return listIndexDefinitions(reader).flatMap(({ definition }): HeldIndex[] => {
    const { ticker } = definition;
    const newest = after.get(ticker) ?? definition;
    if (newest === definition && !keepMissing) return [];
    const version = inForce.get(ticker)?.definition ?? definition;
    return [{ version, newest }, ...(newest === definition ? [{ version: definition, newest }] : [])];
  });
}

function inFile(
  { ticker, path, message }: LinkProblem,
  files: DefinitionFiles['indexFiles'],
): DefinitionProblem {
  return { file: files.get(ticker) ?? '', path: path.join('.'), message: `${ticker} ${message}` };
}

/** The definitions that are not refused. */
export function without<Definition extends { ticker: string }>(
  refused: readonly { ticker: string }[],
  definitions: readonly Definition[],
): Definition[] {
  return definitions.filter(({ ticker }) => refused.every((each) => each.ticker !== ticker));
}
