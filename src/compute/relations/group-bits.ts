import {
  GROUPS_OF_SORT,
  NEIGHBOUR_GROUPS,
  type RelationSort,
  TEXT_GROUPS,
  type TextGroup,
} from '../../model/relations.ts';

/** The groups in which a sort of record keeps neighbours, as bits. */
export function ownGroups(sort: RelationSort): number {
  return bitsOf(NEIGHBOUR_GROUPS[sort]);
}

/** Whether a sort of record keeps neighbours of a group. */
export function keepsGroup(sort: RelationSort, group: number): boolean {
  return (ownGroups(sort) & (1 << group)) !== 0;
}

/** The groups whose texts may have neighbours of this group, as bits. */
export function takers(group: number): number {
  const sorts = (Object.keys(GROUPS_OF_SORT) as RelationSort[]).filter((sort) => keepsGroup(sort, group));
  return bitsOf(sorts.flatMap((sort) => GROUPS_OF_SORT[sort]));
}

function bitsOf(groups: readonly TextGroup[]): number {
  return groups.reduce((bits, group) => bits | (1 << TEXT_GROUPS[group]), 0);
}
