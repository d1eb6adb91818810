import { mean } from 'simple-statistics';
import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import { fallingBlocks } from '../isotonic.ts';
import { meanByParts } from './mean-of-sources.ts';
import type { OfSources, Pricing, RateFamily, SourceReading } from './rate-family.ts';
import { pricingOf } from './shares.ts';

type Definition = RateDefinitionOf<'win_total'>;

/**
 * The chance that a team reaches a line of wins. The chance of each line is the mean of its Yes marks or, if the No
 * side has a book of its own, yes / (yes + no). Since a higher line cannot be likelier, the ladder of the team's lines
 * is made non-increasing by isotonic regression. The lines pooled with the rate's own line share in its price; the
 * others are only consulted. While any of the contracts has a price, one at the half-cent floor has none.
 */
export const winTotal = (definition: Definition): RateFamily => {
  const { line, sources } = definition;
  const ofLine = sources.filter((source) => source.line === line);
  return {
    version: 'win_total-1.5',
    represents: ofLine.map(({ market_id, side }) => ({ market_id, side, weight: 1 })),
    price(all) {
      const readings = withoutFloors(all);
      const rungs = listRungs(definition, readings);
      const own = rungs.findIndex((rung) => rung.line === line);
      if (own < 0) return undefined;
      const blocks = fallingBlocks(rungs.map((rung) => rung.chance));
      const pooled = rungs.filter((_rung, i) => blocks[i] === blocks[own]);
      return weightedMean(
        readings,
        sources.map((_source, i) => pooled.find((rung) => rung.parts[i] !== undefined)?.parts[i]),
      );
    },
    catalogShares: () => sources.map((source) => (source.line === line ? 1 / ofLine.length : 0)),
    formula: () => 'its line in the ladder of all marks, made monotone',
  };
};

/** The readings without those at the half-cent floor, unless there are no others: a line nobody quotes moves no other. */
function withoutFloors(readings: OfSources<SourceReading>): OfSources<SourceReading> {
  const priced = readings.map((reading) => (reading?.mark.basis === 'floor' ? undefined : reading));
  return priced.some(Boolean) ? priced : readings;
}

/** The weighted mean of the marks; the parts need not sum to 1. Undefined if none is above 0. */
function weightedMean(readings: OfSources<SourceReading>, parts: OfSources<number>): Pricing | undefined {
  const prices = Float64Array.from(readings, (reading) => reading?.mark.price ?? Number.NaN);
  const shares = Float64Array.from(parts, (part, i) => (readings[i] && part) ?? Number.NaN);
  return pricingOf(meanByParts(prices, shares), shares);
}

/** A line of the ladder with its chance, and the part of each source in it; the parts sum to 1. */
interface Rung {
  line: number;
  chance: number;
  parts: OfSources<number>;
}

/** The rungs of the lines that have a price, lowest first. */
function listRungs({ sources }: Definition, readings: OfSources<SourceReading>): Rung[] {
  const lines = [...new Set(sources.map((source) => source.line))].sort((a, b) => a - b);
  return lines.flatMap((line) => {
    const onLine = sources.map((source, i) => (source.line === line ? readings[i]?.mark.price : undefined));
    const yes = onLine.filter((price, i) => price !== undefined && sources[i]?.side === 'yes');
    const no = onLine.filter((price, i) => price !== undefined && sources[i]?.side === 'no');
    if (yes.length + no.length === 0) return [];
    const { chance, ofYes } = chanceOf(yes as number[], no as number[]);
    const parts = onLine.map((price, i) => {
      if (price === undefined) return undefined;
      return sources[i]?.side === 'yes' ? ofYes / yes.length : (1 - ofYes) / no.length;
    });
    return [{ line, chance, parts }];
  });
}

/**
 * The chance of one line and the part of the Yes side in it: yes / (yes + no) is the mean of the Yes mark and the Yes
 * price implied by the No mark, weighted by (1 - chance) and chance.
 *
 * @param no Yes prices implied by the No marks: 1 - no
 */
function chanceOf(yes: readonly number[], no: readonly number[]): { chance: number; ofYes: number } {
  if (no.length === 0) return { chance: mean([...yes]), ofYes: 1 };
  if (yes.length === 0) return { chance: mean([...no]), ofYes: 0 };
  const y = mean([...yes]);
  const chance = y / (y + 1 - mean([...no]));
  return { chance, ofYes: 1 - chance };
}
