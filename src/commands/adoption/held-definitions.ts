import { namedMembers } from '../../compute/series/calculate-index.ts';
import { parsePrintedId, printedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { byTicker, listIndexDefinitions, listRateDefinitions } from '../../store/definitions/definitions.ts';
import type { Reader } from '../../store/store.ts';

interface Definitions {
  indices: readonly IndexDefinition[];
  rates: readonly RateDefinition[];
}

/**
 * The rates and indices whose files were removed but that a remaining index still contains, until its own change is
 * calculated: without them it would be calculated from their last prints. They stay in force unchanged, in presentation
 * order.
 */
export function heldDefinitions(reader: Reader, files: Definitions): Definitions {
  const index = byTicker(listIndexDefinitions(reader));
  const rate = byTicker(listRateDefinitions(reader));
  const inFiles = new Set([
    ...files.indices.map(({ ticker }) => printedId({ kind: 'index', ticker })),
    ...files.rates.map(({ ticker }) => printedId({ kind: 'rate', ticker })),
  ]);
  const held = { index: new Set<string>(), rate: new Set<string>() };
  // The set grows while it is iterated, because a held index may contain others.
  const staying = new Set(files.indices.map((each) => each.ticker));
  for (const ticker of staying)
    for (const id of namedMembers(reader, ticker)) {
      const named = inFiles.has(id) ? undefined : parsePrintedId(id);
      if (!named) continue;
      held[named.kind].add(named.ticker);
      if (named.kind === 'index') staying.add(named.ticker);
    }
  return {
    indices: [...index.values()].filter((each) => held.index.has(each.ticker)),
    rates: [...rate.values()].filter((each) => held.rate.has(each.ticker)),
  };
}
