import { parsePrintedId, printedId, type SeriesKind } from '../constituent-id.ts';
import { type Definition, membersOf } from './definition.ts';
import type { TickerProblem } from './definition-fields.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { RateDefinition } from './rate-definition.ts';
import { OPENING_LEVEL, startsAnew } from './team-index-definition.ts';

/**
 * Checks the references between definitions. Problems are: a rate or index that is not defined, or that some readers of
 * the index may not read; a total return of anything but a basket or composite; a composite of an index whose level
 * starts anew at reconstitutions; and indices that contain themselves, directly or through others.
 */
export function linkProblems(
  indices: readonly IndexDefinition[],
  rates: readonly RateDefinition[],
): TickerProblem[] {
  const byTicker = new Map(indices.map((each) => [each.ticker, each]));
  const rateByTicker = new Map(rates.map((each) => [each.ticker, each]));
  return indices.flatMap((definition): TickerProblem[] => {
    const { ticker } = definition;
    const closed = referenceProblems(definition, byTicker, rateByTicker);
    if (closed.length > 0) return closed;
    if (isMadeOf(ticker, ticker, (each) => definedMembers(byTicker, each)))
      return [{ ticker, path: ['constituents'], message: `must not be made of ${ticker} itself` }];
    return [...baseProblems(definition, byTicker), ...restartProblems(definition, byTicker)];
  });
}

type Indices = ReadonlyMap<string, IndexDefinition>;

/** Problems of references to what is not defined, or what some readers of the index may not read. */
function referenceProblems(
  definition: IndexDefinition,
  byTicker: Indices,
  rateByTicker: ReadonlyMap<string, RateDefinition>,
): TickerProblem[] {
  const { ticker, methodology } = definition;
  return definition.constituents.flatMap((each, i): TickerProblem[] => {
    const printed = parsePrintedId(each.market_id);
    if (!printed) return [];
    const { kind } = printed;
    const path = methodology === 'total_return' ? ['base_index_id'] : ['constituents', i, kind];
    const refuse = (why: string) => [
      { ticker, path, message: `names the ${kind} ${printed.ticker}, ${why}` },
    ];
    const named = (kind === 'rate' ? rateByTicker : byTicker).get(printed.ticker);
    if (!named) return refuse('which is not defined');
    // Readers of the index also see its ticker and marks.
    return isForReadersOf(definition, named) ? [] : refuse(`which only ${named.organization} may read`);
  });
}

/** A problem if a total return is that of anything but a basket or composite. */
function baseProblems(definition: IndexDefinition, byTicker: Indices): TickerProblem[] {
  if (definition.methodology !== 'total_return') return [];
  const base = byTicker.get(definition.base_index_id);
  if (!base || base.methodology === 'basket' || base.methodology === 'composite') return [];
  const message = `must be a basket or composite, ${base.ticker} is ${base.methodology}`;
  return [{ ticker: definition.ticker, path: ['base_index_id'], message }];
}

/** Problems of indices in a composite whose level starts anew at reconstitutions. */
function restartProblems({ ticker, methodology, constituents }: IndexDefinition, byTicker: Indices) {
  if (methodology !== 'composite') return [];
  return constituents.flatMap((each, i): TickerProblem[] => {
    const held = byTicker.get(parsePrintedId(each.market_id)?.ticker ?? '');
    if (held?.methodology !== 'nti' || !startsAnew(held)) return [];
    const message = `must not be a live team index with reconstitutes_at: ${held.ticker} starts anew at ${OPENING_LEVEL}, which is no return`;
    return [{ ticker, path: ['constituents', i, 'index'], message }];
  });
}

/** An index with a version of it that is still calculated, and its newest version, which determines who may read it. */
export interface HeldIndex {
  version: IndexDefinition;
  newest: IndexDefinition;
}

/**
 * Problems of rates or indices that would become readable by fewer than an index that still contains them: until a
 * change of that index takes effect, its rows show their tickers and marks.
 */
export function closingProblems(
  kind: SeriesKind,
  changed: readonly Definition[],
  held: readonly HeldIndex[],
): TickerProblem[] {
  return changed.flatMap((definition): TickerProblem[] => {
    const { ticker } = definition;
    const id = printedId({ kind, ticker });
    const holder = held.find(
      ({ version, newest }) => !isForReadersOf(newest, definition) && membersOf(version).includes(id),
    );
    if (!holder) return [];
    const message = `must stay for all who may read the index ${holder.newest.ticker} while that is made of it`;
    return [{ ticker, path: ['visibility'], message }];
  });
}

/** Whether everybody who may read an index may also read another definition that it refers to. */
export function isForReadersOf(index: IndexDefinition, named: Definition): boolean {
  return named.visibility === 'public' || named.organization === index.organization;
}

/** The tickers of the indices among some constituents. */
export function indicesAmong(members: Iterable<string>): string[] {
  return [...members].flatMap((id) => {
    const printed = parsePrintedId(id);
    return printed?.kind === 'index' ? printed.ticker : [];
  });
}

/**
 * Whether an index contains another, directly or through others.
 *
 * @param membersOf returns the ids of the constituents of an index by its ticker
 */
export function isMadeOf(
  ticker: string,
  wanted: string,
  membersOf: (ticker: string) => Iterable<string>,
): boolean {
  // The set grows while it is iterated.
  const seen = new Set(indicesAmong(membersOf(ticker)));
  for (const held of seen) for (const each of indicesAmong(membersOf(held))) seen.add(each);
  return seen.has(wanted);
}

/** The ids of the constituents of an index by its ticker; none if it is not defined. */
export function definedMembers(byTicker: Indices, ticker: string): string[] {
  const definition = byTicker.get(ticker);
  return definition ? membersOf(definition) : [];
}
