import type { SeriesId } from '../../model/constituent-id.ts';
import { type Definition, firstInstant, membersOf } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { getOrInsert } from '../../model/memoized.ts';
import type { Instant } from '../../model/units.ts';
import {
  type Adopted,
  byTicker,
  listDefinitionHistory,
  listRateDefinitions,
} from '../../store/definitions/definitions.ts';
import { findCalculatedTo } from '../../store/prints/standings.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { calculateIndexAt, namedMembers } from './calculate-index.ts';
import { calculateRateAt } from './calculate-rate.ts';
import { definitionsOf, dueInstants } from './calculated-instants.ts';
import { indicesBehind, listInCalculationOrder } from './calculation-order.ts';
import { marketsBehind } from './markets-behind.ts';
import type { GroupedSeries } from './series-groups.ts';
import type { MarketInputs } from './window-inputs.ts';

/** A series with the markets to load for it and the instants that are due, ascending. */
export interface DueSeries extends GroupedSeries {
  /** Calculates and records the series at some of these instants. @returns those that printed */
  calculate(writer: Writer, instants: readonly Instant[], inputs: MarketInputs): Instant[];
}

/** What is due, in the order of calculation: rates first, then each index after the indices that it contains. */
export function listDue(reader: Reader, now: Instant): DueSeries[] {
  const used = definitionsOf(now, listDefinitionHistory(reader));
  const rates = new Map(used.filter((each) => each.kind === 'rate').map((each) => [each.ticker, each]));
  const priced = byTicker([...rates.values()]);
  const indices = byTicker(used.filter((each) => each.kind === 'index'));
  const instantsOf = sharedInstants(reader, now);
  return [
    ...listRateDefinitions(reader).map((each) =>
      dueRate(rates.get(each.definition.ticker) ?? each, instantsOf, now),
    ),
    ...listInCalculationOrder(reader).map((each) => {
      const definition = indices.get(each.definition.ticker) ?? each.definition;
      return dueIndex(reader, definition, priced, instantsOf, now);
    }),
  ];
}

type DueInstants = (series: SeriesId, definition: Definition) => readonly Instant[];

/** The instants due, in one list for all series that have the same: for a long history, each takes much memory. */
function sharedInstants(reader: Reader, now: Instant): DueInstants {
  const lists = new Map<string, readonly Instant[]>();
  return (series, definition) => {
    const after = findCalculatedTo(reader, series);
    const grid = `${definition.interval_minutes} ${firstInstant(definition)} ${after}`;
    return getOrInsert(lists, grid, () => dueInstants(definition, after, now));
  };
}

function dueIndex(
  reader: Reader,
  definition: IndexDefinition,
  rates: ReadonlyMap<string, RateDefinition>,
  instantsOf: DueInstants,
  now: Instant,
): DueSeries {
  const { ticker } = definition;
  const series = { kind: 'index', ticker } as const;
  // Constituents that a new definition drops are marked once more, at the reconstitution.
  const members = namedMembers(reader, ticker);
  return {
    ...series,
    markets: members.flatMap((id) => marketsBehind(id, rates)),
    uses: indicesBehind(definition, members),
    instants: instantsOf(series, definition),
    calculate: (writer, instants, inputs) =>
      calculateIndexAt(writer, ticker, instants, { ...inputs, rates }, now),
  };
}

function dueRate(adopted: Adopted<RateDefinition>, instantsOf: DueInstants, now: Instant): DueSeries {
  const { definition } = adopted;
  const series = { kind: 'rate', ticker: definition.ticker } as const;
  return {
    ...series,
    markets: membersOf(definition),
    uses: [],
    instants: instantsOf(series, definition),
    calculate: (writer, instants, inputs) => calculateRateAt(writer, adopted, instants, inputs, now),
  };
}
