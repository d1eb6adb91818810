import { parsePrintedId, type SeriesKind } from '../constituent-id.ts';
import type { Problem } from './definition-fields.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { RateDefinition } from './rate-definition.ts';

/** A reference from one definition to another that cannot be followed. */
export interface LinkProblem extends Problem {
  ticker: string;
}

type Definition = IndexDefinition | RateDefinition;

/**
 * Problems between definitions: a rate or index that is not defined, or that is not for all who may read what is
 * made of it, the total return of an index that has none, a composite of a level that starts anew, and indices that
 * contain each other in a circle.
 */
export function linkProblems(
  indices: readonly IndexDefinition[],
  rates: readonly RateDefinition[],
): LinkProblem[] {
  const byTicker = new Map(indices.map((each) => [each.ticker, each]));
  const rateByTicker = new Map(rates.map((each) => [each.ticker, each]));
  return indices.flatMap((definition): LinkProblem[] => {
    const { ticker } = definition;
    const closed = definition.constituents.flatMap((each, i): LinkProblem[] => {
      const printed = parsePrintedId(each.market_id);
      if (!printed) return [];
      const path =
        definition.methodology === 'total_return' ? ['base_index_id'] : ['constituents', i, printed.kind];
      const { kind } = printed;
      const named = (kind === 'rate' ? rateByTicker : byTicker).get(printed.ticker);
      const refuse = (why: string) => [
        { ticker, path, message: `names the ${kind} ${printed.ticker}, ${why}` },
      ];
      if (!named) return refuse('which is not defined');
      // Its ticker and its marks are shown to everybody who reads the index.
      return isForReadersOf(definition, named) ? [] : refuse(`which only ${named.organization} may read`);
    });
    if (closed.length > 0) return closed;
    if (isMadeOf(ticker, ticker, (each) => membersOf(byTicker.get(each))))
      return [{ ticker, path: ['constituents'], message: `must not be made of ${ticker} itself` }];
    const base = definition.methodology === 'total_return' && byTicker.get(definition.base_index_id);
    if (base && base.methodology !== 'basket' && base.methodology !== 'composite')
      return [
        {
          ticker,
          path: ['base_index_id'],
          message: `must be a basket or composite, ${base.ticker} is ${base.methodology}`,
        },
      ];
    return definition.constituents.flatMap((each, i): LinkProblem[] => {
      const held = byTicker.get(parsePrintedId(each.market_id)?.ticker ?? '');
      if (definition.methodology !== 'composite' || !held || !startsAnew(held)) return [];
      const message = `must not be a live team index with reconstitutes_at: ${held.ticker} starts anew at 1000, which is no return`;
      return [{ ticker, path: ['constituents', i, 'index'], message }];
    });
  });
}

/** An index as it goes on: by a version that its file says no more, for the readers of the newest. */
export interface HeldIndex {
  version: IndexDefinition;
  newest: IndexDefinition;
}

/**
 * Problems of rates or indices that would be for fewer readers than an index that is still made of them: its rows tell
 * their ticker and marks until its own change counts.
 */
export function closingProblems(
  kind: SeriesKind,
  changed: readonly Definition[],
  held: readonly HeldIndex[],
): LinkProblem[] {
  return changed.flatMap((definition): LinkProblem[] => {
    const { ticker } = definition;
    const holds = ({ version }: HeldIndex) =>
      version.constituents.some((each) => {
        const printed = parsePrintedId(each.market_id);
        return printed?.kind === kind && printed.ticker === ticker;
      });
    const holder = held.find((each) => !isForReadersOf(each.newest, definition) && holds(each));
    if (!holder) return [];
    const message = `must stay for all who may read the index ${holder.newest.ticker} while that is made of it`;
    return [{ ticker, path: ['visibility'], message }];
  });
}

/** Whether all who may read an index may read something that it is made of. */
export function isForReadersOf(index: IndexDefinition, named: Definition): boolean {
  return named.visibility === 'public' || named.organization === index.organization;
}

function startsAnew(definition: IndexDefinition): boolean {
  const { methodology } = definition;
  return methodology === 'nti' && definition.series === 'live' && definition.reconstitutes_at.length > 0;
}

/** The tickers of the indices among some constituents. */
export function indicesAmong(members: Iterable<string>): string[] {
  return [...members].flatMap((id) => {
    const printed = parsePrintedId(id);
    return printed?.kind === 'index' ? printed.ticker : [];
  });
}

/**
 * Whether an index is made of another, directly or through others.
 *
 * @param membersOf the constituents of an index by its ticker
 */
export function isMadeOf(
  ticker: string,
  wanted: string,
  membersOf: (ticker: string) => Iterable<string>,
): boolean {
  // A set that grows while it is walked.
  const seen = new Set(indicesAmong(membersOf(ticker)));
  for (const held of seen) for (const each of indicesAmong(membersOf(held))) seen.add(each);
  return seen.has(wanted);
}

/** The constituents of a definition; none where there is none. */
export function membersOf(definition: IndexDefinition | undefined): string[] {
  return definition?.constituents.map((each) => each.market_id) ?? [];
}
