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

/**
 * Whether the asker may see a definition: a public one everybody may, an organization's own only its keys.
 */
function isVisible({ visibility, organization }: IndexDefinition | RateDefinition, asker: Asker): boolean {
  if (visibility === 'public') return true;
  return asker.tier === 'authenticated' && organization !== undefined && organization === asker.organization;
}

/**
 * The indices that the asker may see, in presentation order, by the definitions that say what is priced now. Whether
 * the asker may see one, and the visibility that is shown, go by the definition that was adopted last.
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

/** A definition as of who may read it now. */
function asVisible(
  each: Adopted<IndexDefinition>,
  { visibility }: IndexDefinition,
): Adopted<IndexDefinition> {
  const { definition } = each;
  return definition.visibility === visibility ? each : { ...each, definition: { ...definition, visibility } };
}

/** The definitions adopted last of the indices that who asks may see. */
function newestVisible(reader: Reader, asker: Asker): Adopted<IndexDefinition>[] {
  return listIndexDefinitions(reader).filter((each) => isVisible(each.definition, asker));
}

/** The rates that the asker may see, in presentation order. */
export function visibleRates(reader: Reader, asker: Asker): Adopted<RateDefinition>[] {
  return listRateDefinitions(reader).filter((each) => isVisible(each.definition, asker));
}

/** The index that a request names, or undefined when the asker may not see it or there is none. */
export function requestedIndex({ reader, id, ...asker }: RouteRequest): IndexDefinition | undefined {
  return visibleIndices(reader, asker).find((each) => each.definition.ticker === id)?.definition;
}

/** The rate that a request names, or undefined when the asker may not see it or there is none. */
export function requestedRate({ reader, id, ...asker }: RouteRequest): RateDefinition | undefined {
  return visibleRates(reader, asker).find((each) => each.definition.ticker === id)?.definition;
}

/** Whether the asker may read about an index, even a withdrawn one. */
export function mayRead(reader: Reader, ticker: string, asker: Asker): boolean {
  const definition = findNewestDefinition(reader, 'index', ticker);
  return definition !== undefined && isVisible(definition, asker);
}

/** The distinct methodology tokens of some definitions, in order. */
export function methodologiesOf(
  adopted: readonly { definition: Pick<IndexDefinition | RateDefinition, 'methodology'> }[],
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

/** The constituents of public indices as they stand: what scope=constituents keeps. */
export function publicConstituents(reader: Reader, now: Instant): string[] {
  const indices = visibleIndices(reader, { tier: 'public', now });
  const members = indices.flatMap(({ definition }) => standingConstituents(reader, definition));
  return [...new Set(members.map((member) => member.market_id))];
}
