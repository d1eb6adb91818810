import { namedMembers } from '../../compute/series/calculate-index.ts';
import type { TickerProblem } from '../../model/definitions/definition-fields.ts';
import { definedMembers, indicesAmong, isMadeOf } from '../../model/definitions/definition-links.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { Reader } from '../../store/store.ts';

/**
 * The problems of indices that would contain an index which still contains them, because its own change is refused or
 * not calculated yet. Neither of the two could be calculated first.
 */
export function circleProblems(reader: Reader, indices: readonly IndexDefinition[]): TickerProblem[] {
  const byTicker = new Map(indices.map((each) => [each.ticker, each]));
  const named = (ticker: string) => [...definedMembers(byTicker, ticker), ...namedMembers(reader, ticker)];
  return indices.flatMap(({ ticker }) => {
    const circle = indicesAmong(definedMembers(byTicker, ticker)).find((held) =>
      isMadeOf(held, ticker, named),
    );
    if (circle === undefined) return [];
    const message = `must not be made of ${circle} while that is made of ${ticker}`;
    return [{ ticker, path: ['constituents'], message }];
  });
}
