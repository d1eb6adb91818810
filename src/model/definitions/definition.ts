import { definedInstant } from '../time.ts';
import type { Instant } from '../units.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { RateDefinition } from './rate-definition.ts';
import type { TeamMember } from './team-index-definition.ts';

export type Definition = IndexDefinition | RateDefinition;

/** Whether a definition is that of a rate. */
export function isRate(definition: Definition): definition is RateDefinition {
  return 'sources' in definition;
}

/** The ids of what an index or a rate is made of: its constituents, or its source markets. */
export function membersOf(definition: Definition): string[] {
  const members = isRate(definition) ? definition.sources : definition.constituents;
  return members.map((each) => each.market_id);
}

/** The priced constituents of an index, that is, all that are not staged. */
export function pricedConstituents<Index extends IndexDefinition>(
  definition: Index,
): Index['constituents'][number][] {
  return definition.constituents.filter((each) => each.status === 'included');
}

/** A constituent of a team index, by its id; undefined for any other index or rate. */
export function findTeamMember(definition: Definition | undefined, id: string): TeamMember | undefined {
  if (definition?.methodology !== 'nti') return undefined;
  return definition.constituents.find((each) => each.market_id === id);
}

/** The earliest instant at which an index or a rate can print. */
export function firstInstant(definition: Definition): Instant {
  return definedInstant(isRate(definition) ? definition.start_at : definition.base_at);
}
