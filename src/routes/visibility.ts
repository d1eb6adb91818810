import type { Definition } from '../model/definitions/definition.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { Instant } from '../model/units.ts';
import {
  type Adopted,
  byTicker,
  findNewestDefinition,
  listIndexDefinitions,
  listIndexDefinitionsAt,
  listRateDefinitions,
} from '../store/definitions/definitions.ts';
import type { Reader } from '../store/store.ts';
import type { RouteRequest, Tier } from './route.ts';
import { standingConstituents } from './standing-constituents.ts';

type Asker = { tier: Tier; organization?: string };
type DatedAsker = Asker & { now: Instant };

/** Whether the asker may see a definition: anybody a public one, only an organization's keys its own. */
function isVisible({ visibility, organization }: Definition, asker: Asker): boolean {
  if (visibility === 'public') return true;
  return asker.tier === 'authenticated' && organization !== undefined && organization === asker.organization;
}

/**
 * The indices that the asker may see, in presentation order, by the definitions in effect now. Who may see an index, and the
 * visibility shown, depend on the definition adopted last.
 */
export function visibleIndices(reader: Reader, asker: DatedAsker): readonly Adopted<IndexDefinition>[] {
  const { tier, now, organization = '' } = asker;
  return reader.once(`indices ${tier} ${now} ${organization}`, () => {
    const visible = byTicker(newestVisible(reader, asker));
    return listIndexDefinitionsAt(reader, now).flatMap((each) => {
      const newest = visible.get(each.definition.ticker);
      return newest ? asVisible(each, newest) : [];
    });
  });
}

/** A definition with the visibility of the newest one. */
function asVisible(
  each: Adopted<IndexDefinition>,
  { visibility }: IndexDefinition,
): Adopted<IndexDefinition> {
  const { definition } = each;
  return definition.visibility === visibility ? each : { ...each, definition: { ...definition, visibility } };
}

/** The newest definitions of the indices that the asker may see. */
function newestVisible(reader: Reader, asker: Asker): Adopted<IndexDefinition>[] {
  return listIndexDefinitions(reader).filter((each) => isVisible(each.definition, asker));
}

/** The rates that the asker may see, in presentation order. */
export function visibleRates(reader: Reader, asker: Asker): Adopted<RateDefinition>[] {
  return listRateDefinitions(reader).filter((each) => isVisible(each.definition, asker));
}

/** The requested index; undefined if there is none or the asker may not see it. */
export function requestedIndex({ reader, id, ...asker }: RouteRequest): IndexDefinition | undefined {
  return visibleIndices(reader, asker).find((each) => each.definition.ticker === id)?.definition;
}

/** The requested rate; undefined if there is none or the asker may not see it. */
export function requestedRate({ reader, id, ...asker }: RouteRequest): RateDefinition | undefined {
  return visibleRates(reader, asker).find((each) => each.definition.ticker === id)?.definition;
}

/** Whether the asker may read about an index, even if it is withdrawn. */
export function mayRead(reader: Reader, ticker: string, asker: Asker): boolean {
  const definition = findNewestDefinition(reader, { kind: 'index', ticker });
  return definition !== undefined && isVisible(definition, asker);
}

/** The distinct methodology tokens of some definitions, in order. */
export function methodologiesOf(
  adopted: readonly { definition: Pick<Definition, 'methodology'> }[],
): string[] {
  return [...new Set(adopted.map((each) => each.definition.methodology))].sort();
}

/** Tickers of the public indices: the ids of their documents. */
export function publicIndexTickers(reader: Reader): string[] {
  return newestVisible(reader, { tier: 'public' }).map((each) => each.definition.ticker);
}

/** Tickers of the public rates: the ids of their documents. */
export function publicRateTickers(reader: Reader): string[] {
  return visibleRates(reader, { tier: 'public' }).map((each) => each.definition.ticker);
}

/** The current constituents of public indices, for scope=constituents. */
export function publicConstituents(reader: Reader, now: Instant): string[] {
  const indices = visibleIndices(reader, { tier: 'public', now });
  const members = indices.flatMap(({ definition }) => standingConstituents(reader, definition));
  return [...new Set(members.map((member) => member.market_id))];
}
