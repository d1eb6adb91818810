import { parsePrintedId } from '../../model/constituent-id.ts';
import { membersOf } from '../../model/definitions/definition.ts';
import type { TickerProblem } from '../../model/definitions/definition-fields.ts';
import { closingProblems, type HeldIndex, isForReadersOf } from '../../model/definitions/definition-links.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { Instant } from '../../model/units.ts';
import { type DefinitionFiles, inFile } from '../../store/definitions/definition-files.ts';
import {
  findNewestDefinition,
  listIndexDefinitions,
  listIndexDefinitionsAt,
  listVersions,
} from '../../store/definitions/definitions.ts';
import type { Reader } from '../../store/store.ts';

/**
 * The definitions without those that would show readers of an index what they may not read: a rate or index that is
 * closed while an index still contains it, and an index that is opened although it once contained something closed.
 * Their problems are added to `problems`. The earlier version of each stays in force; since that may contain others,
 * the check is repeated.
 */
export function withoutLeaks(
  reader: Reader,
  { problems, indexFiles, rateFiles, ...files }: DefinitionFiles,
  now: Instant,
): Pick<DefinitionFiles, 'indices' | 'rates'> {
  let { indices, rates } = files;
  for (;;) {
    const held = heldIndices(reader, indices, { now, keepMissing: problems.length > 0 });
    const opened = openingProblems(reader, { indices, rates });
    const wrongIndices = opened.length > 0 ? opened : closingProblems('index', indices, held);
    const wrongRates = opened.length > 0 ? [] : closingProblems('rate', rates, held);
    if (wrongIndices.length + wrongRates.length === 0) return { indices, rates };
    problems.push(...wrongIndices.map((each) => inFile(each, indexFiles)));
    problems.push(...wrongRates.map((each) => inFile(each, rateFiles)));
    indices = without(wrongIndices, indices);
    rates = without(wrongRates, rates);
  }
}

/** Problems of indices whose new readers may not read everything that the indices ever contained: histories show its marks. */
function openingProblems(
  reader: Reader,
  { indices, rates }: Pick<DefinitionFiles, 'indices' | 'rates'>,
): TickerProblem[] {
  const after = {
    index: new Map(indices.map((each) => [each.ticker, each])),
    rate: new Map(rates.map((each) => [each.ticker, each])),
  };
  return indices.flatMap((index): TickerProblem[] => {
    const { ticker } = index;
    const before = findNewestDefinition(reader, { kind: 'index', ticker });
    if (!before || isForReadersOf(index, before)) return [];
    const madeOf = listVersions(reader, ticker).flatMap(({ definition }) => membersOf(definition));
    const closed = madeOf
      .flatMap((id) => parsePrintedId(id) ?? [])
      .map((each) => after[each.kind].get(each.ticker) ?? findNewestDefinition(reader, each))
      .find((named) => named && !isForReadersOf(index, named));
    if (!closed) return [];
    const message = `must stay as it is: its history tells of ${closed.ticker}, which only ${closed.organization} may read`;
    return [{ ticker, path: ['visibility'], message }];
  });
}

/** The indices in force by another version than that of the files: until a change takes effect, or while it is refused. */
function heldIndices(
  reader: Reader,
  files: readonly IndexDefinition[],
  { now, keepMissing }: { now: Instant; keepMissing: boolean },
): HeldIndex[] {
  const after = new Map(files.map((each) => [each.ticker, each]));
  const inForce = new Map(listIndexDefinitionsAt(reader, now).map((each) => [each.definition.ticker, each]));
  return listIndexDefinitions(reader).flatMap(({ definition }): HeldIndex[] => {
    const { ticker } = definition;
    const found = after.get(ticker);
    if (!found && !keepMissing) return [];
    const newest = found ?? definition;
    const version = inForce.get(ticker)?.definition ?? definition;
    return [{ version, newest }, ...(found ? [] : [{ version: definition, newest }])];
  });
}

/** The definitions that are not refused. */
export function without<Definition extends { ticker: string }>(
  refused: readonly { ticker: string }[],
  definitions: readonly Definition[],
): Definition[] {
  return definitions.filter(({ ticker }) => refused.every((each) => each.ticker !== ticker));
}
