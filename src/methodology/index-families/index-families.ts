import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { IndexPrint, ReceiptLine } from '../../model/print.ts';
import { definedInstant } from '../../model/time.ts';
import { basket, composite } from './basket.ts';
import { gauge } from './gauge.ts';
import type { IndexCalculation, IndexFamily, Schedule } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { nti } from './nti.ts';
import type { Stretch, StretchInput } from './stretch.ts';
import { totalReturn } from './total-return.ts';

const FAMILIES = { basket, composite, gauge, nti, total_return: totalReturn } as const satisfies {
  [Methodology in IndexDefinition['methodology']]: IndexFamily<
    Extract<IndexDefinition, { methodology: Methodology }>
  >;
};

function familyOf({ methodology }: Pick<IndexDefinition, 'methodology'>): IndexFamily {
  return FAMILIES[methodology];
}

/** The version of the methodology that an index is calculated by. */
export function indexVersion(definition: IndexDefinition): string {
  return familyOf(definition).version;
}

/** Calculates an index at one instant by the family that its definition names. Before its base there is nothing. */
export function calculateIndex(input: IndexInput): IndexCalculation {
  const { definition, at, before } = input;
  if (!before && at < definedInstant(definition.base_at)) return { steps: [] };
  const family = familyOf(definition);
  const { print, ...rest } = before ? family.advance(input, before) : family.open(input);
  return print ? { ...rest, print: { ...print, methodology_version: family.version } } : rest;
}

/**
 * The stretch of an index from one of some instants on, during which nothing but marks changes; undefined if a step may
 * be due at once, or the family has no stretches.
 *
 * @param from position of the first instant
 */
export function calmStretch(input: StretchInput, from: number): Stretch | undefined {
  return familyOf(input.definition).stretch?.(input, from);
}

/** Whether a change of members moves the level of an index: no move of its prices, and so no return of those that hold it. */
export function movesByStep(definition: IndexDefinition): boolean {
  return familyOf(definition).movesByStep === true;
}

/** Whether an index may schedule events: its standing then records when its weights or seats were last set. */
export function maySchedule(definition: IndexDefinition): boolean {
  return familyOf(definition).schedule !== undefined;
}

/** What an index schedules; undefined if nothing. */
export function scheduleOf(definition: IndexDefinition): Schedule | undefined {
  return familyOf(definition).schedule?.(definition);
}

/** The ticker of the index at whose level an index may open, besides its constituents; undefined if there is none. */
export function opensFrom(definition: IndexDefinition): string | undefined {
  return familyOf(definition).opensFrom?.(definition);
}

/** The ticker of the index whose prints in force an index follows; undefined if it follows none. */
export function followedIndex(definition: IndexDefinition): string | undefined {
  return familyOf(definition).follows?.(definition);
}

/** Points of an index level for each unit of a line's mark, at a print. */
export function pointsPerMark(
  methodology: IndexDefinition['methodology'],
  print: IndexPrint,
): (line: ReceiptLine) => number {
  return familyOf({ methodology }).pointsPerMark(print);
}

/**
 * Whether a changed definition has other constituents or weights, so that the index must be reconstituted. In a team
 * index constituents come and go by steps of their own, and only its calendar reconstitutes it.
 */
export function pricesOtherwise(earlier: IndexDefinition | undefined, definition: IndexDefinition): boolean {
  if (earlier === undefined || earlier === definition) return false;
  const priced = (each: IndexDefinition) => JSON.stringify(familyOf(each).priced?.(each));
  return priced(earlier) !== priced(definition);
}

/**
 * The shares that a definition gives its constituents before the first print, by their ids. In a team index all seats
 * have equal shares, and so have the members of a seat; sizes are not known yet.
 */
export function definedShares(definition: IndexDefinition): Map<string, number> {
  const shares = familyOf(definition).definedShares(definition);
  return new Map(pricedConstituents(definition).map((each, i) => [each.market_id, shares[i] as number]));
}
