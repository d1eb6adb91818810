import { namedMembers } from '../compute/series/calculate-index.ts';
import { parsePrintedId } from '../model/constituent-id.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { DefinitionFiles, DefinitionProblem } from '../store/definitions/definition-files.ts';
import type { Reader } from '../store/store.ts';

/**
 * The problems of indices that take in one that is still made of them, until its own change was calculated or because that
 * is refused: neither of the two could be calculated before the other.
 */
export function circleProblems(
  reader: Reader,
  indices: readonly IndexDefinition[],
  files: DefinitionFiles['indexFiles'],
): (DefinitionProblem & { ticker: string })[] {
  const byTicker = new Map(indices.map((each) => [each.ticker, each]));
  const madeOf = (ticker: string) => [
    ...indicesAmong(membersOf(byTicker.get(ticker))),
    ...indicesAmong(namedMembers(reader, ticker)),
  ];
  return indices.flatMap((definition) => {
    const { ticker } = definition;
    const circle = indicesAmong(membersOf(definition)).find((named) => leadsTo(ticker, named, madeOf));
    if (circle === undefined) return [];
    const message = `${ticker} must not be made of ${circle} while that is made of ${ticker}`;
    return [{ ticker, file: files.get(ticker) ?? '', path: 'constituents', message }];
  });
}

/** Whether an index is made of another, directly or through others. */
function leadsTo(wanted: string, from: string, madeOf: (ticker: string) => string[]): boolean {
  // A set that grows while it is walked.
  const seen = new Set([from]);
  for (const ticker of seen) for (const each of madeOf(ticker)) seen.add(each);
  return seen.has(wanted);
}

function membersOf(definition: IndexDefinition | undefined): string[] {
  return definition?.constituents.map((each) => each.market_id) ?? [];
}

function indicesAmong(ids: readonly string[]): string[] {
  return ids.flatMap((id) => {
    const printed = parsePrintedId(id);
    return printed?.kind === 'index' ? printed.ticker : [];
  });
}
