import { readMember } from '../methodology/index-families/index-family.ts';
import { type ReadingColumns, readingColumns } from '../methodology/index-families/reading-columns.ts';
import { parsePrintedId } from '../model/constituent-id.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import type { Instant } from '../model/units.ts';
import type { IndexFacts } from './index-run.ts';
import type { ViewsOfWindow } from './load-views.ts';

/** What an index reads of its constituents at some instants of a window, by their ids; each is worked out once. */
export function readingsOf(
  definition: IndexDefinition,
  instants: readonly Instant[],
  views: ViewsOfWindow,
  factsOf: (definition: IndexDefinition, at: Instant) => IndexFacts,
): (marketId: string) => ReadingColumns {
  const known = new Map<string, ReadingColumns>();
  const load = (id: string) => {
    if ('book_check' in definition && !parsePrintedId(id))
      return views.readings(definition.book_check, id, instants);
    return readingColumns(instants.length, (i) => {
      const at = instants[i] as Instant;
      return readMember({ ...factsOf(definition, at), definition, at, reconstitute: false }, id);
    });
  };
  return (id) => {
    const columns = known.get(id) ?? load(id);
    known.set(id, columns);
    return columns;
  };
}
