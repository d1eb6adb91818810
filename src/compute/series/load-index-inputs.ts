import { findDeletion, readMember } from '../../methodology/index-families/member-readings.ts';
import { type ReadingColumns, readingColumns } from '../../methodology/index-families/reading-columns.ts';
import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { memoized } from '../../model/memoized.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import type { ConstituentInputs } from './calculate-instants.ts';
import type { IndexFacts } from './index-calculator.ts';
import { loadOtherPrints } from './load-other-prints.ts';
import { loadPrinted } from './load-printed.ts';
import { loadSizes } from './load-sizes.ts';
import type { ViewsOfWindow } from './load-views.ts';
import type { WindowInputs } from './window-inputs.ts';

/**
 * Loads what an index is calculated from at some instants: views of its markets, prints of the rates and indices that
 * it holds, and the sizes that its definition weights by.
 *
 * @param ids of the present and former constituents
 * @param instants ascending
 */
export function loadIndexInputs(
  reader: Reader,
  ids: readonly string[],
  instants: readonly Instant[],
  inputs: WindowInputs,
): (definition: IndexDefinition, at: Instant) => IndexFacts {
  const { views, knownAt } = inputs;
  const printed = loadPrinted(reader, ids, instants, inputs);
  const sizesOf = memoized((definition: IndexDefinition) => loadSizes(reader, definition, instants, inputs));
  const ofOthers = loadOtherPrints(reader, instants, knownAt);
  return (definition, at) => ({
    view: views.at(at),
    printed: printed(at),
    ...ofOthers,
    sizeOf: (id) => sizesOf(definition)(id, at),
  });
}

/**
 * The inputs of the constituents of an index, by instant and as columns of readings. The columns of a constituent are
 * made for all instants at once and cached.
 */
export function constituentInputs(
  views: Pick<ViewsOfWindow, 'readings'>,
  factsOf: ConstituentInputs['factsOf'],
): ConstituentInputs {
  return {
    factsOf,
    readingsOf(definition, instants) {
      const ofMarket =
        'book_check' in definition ? views.readings(definition.book_check, instants) : undefined;
      return memoized((id: string): ReadingColumns => {
        const alike = !parsePrintedId(id) && findDeletion(definition, id) === undefined;
        if (ofMarket && alike) return ofMarket(id);
        const facts = (i: number) => factsOf(definition, instants[i] as Instant);
        const columns = readingColumns(instants.length, (i) =>
          readMember({ ...facts(i), definition, at: instants[i] as Instant }, id),
        );
        const printed = (i: number) => facts(i).printed(id);
        return printed(instants.length - 1)?.linkedSince
          ? { ...columns, isLinked: (since, i) => printed(i)?.linkedSince?.(since) !== undefined }
          : columns;
      });
    },
  };
}
