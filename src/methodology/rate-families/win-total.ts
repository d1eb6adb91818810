import { mean } from 'simple-statistics';
import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import { fallingBlocks } from '../isotonic.ts';
import { meanByParts } from './mean-of-sources.ts';
import type { OfSources, Pricing, RateFamily, SourceReading } from './rate-family.ts';
import { sharesOf } from './shares.ts';

type Definition = RateDefinitionOf<'win_total'>;

/**
 * The chance that a team reaches a line of wins. Each line has its own chance, the mean of its Yes marks or,
 * where the No side has a book of its own, yes / (yes + no); a higher line cannot be likelier, so the ladder
 * of the team's lines is made to fall by isotonic regression. Lines that were pooled with the rate's own
 * share in it; the others are consulted only.
 */
export const winTotal = (definition: Definition): RateFamily => ({
  version: 'win_total-1.3',
  price(readings) {
    const rungs = listRungs(definition, readings);
    const own = rungs.findIndex((rung) => rung.line === definition.line);
    if (own < 0) return undefined;
    const blocks = fallingBlocks(rungs.map((rung) => rung.chance));
    const pooled = rungs.filter((_rung, i) => blocks[i] === blocks[own]);
    return weightedMean(
      readings,
      definition.sources.map((_source, i) => pooled.find((rung) => rung.parts[i] !== undefined)?.parts[i]),
    );
  },
  catalogShares() {
    const ofLine = definition.sources.filter((source) => source.line === definition.line);
    return definition.sources.map((source) => (source.line === definition.line ? 1 / ofLine.length : 0));
  },
  formula: () => 'its line in the ladder of all marks, made monotone',
});

/** The mean of the marks by parts that need not sum to 1; undefined when none is above 0. */
function weightedMean(readings: OfSources<SourceReading>, parts: OfSources<number>): Pricing | undefined {
  const prices = Float64Array.from(readings, (reading) => reading?.mark.price ?? Number.NaN);
  const shares = Float64Array.from(parts, (part, i) => (readings[i] && part) ?? Number.NaN);
  const price = meanByParts(prices, shares);
  return Number.isNaN(price) ? undefined : { price, shares: sharesOf(shares) };
}

/** A line of the ladder with its chance, and what part of it each source is; the parts of a rung sum to 1. */
interface Rung {
  line: number;
  chance: number;
  parts: OfSources<number>;
}

/** The lines that have a price, lowest first. */
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
 * The chance of one line and the part that the Yes side has in it: yes / (yes + no) is the mean of the Yes
 * mark and of what the No mark says of Yes, by (1 - chance) and chance.
 *
 * @param no what the No marks say of Yes: 1 - no
 */
function chanceOf(yes: readonly number[], no: readonly number[]): { chance: number; ofYes: number } {
  if (no.length === 0) return { chance: mean([...yes]), ofYes: 1 };
  if (yes.length === 0) return { chance: mean([...no]), ofYes: 0 };
  const y = mean([...yes]);
  const chance = y / (y + 1 - mean([...no]));
  return { chance, ofYes: 1 - chance };
}
