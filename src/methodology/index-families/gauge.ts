import type { GaugeDefinition } from '../../model/definitions/index-definition.ts';
import { isFinal } from '../../model/mark.ts';
import type { DivisorStep, IndexStanding, ReceiptLine } from '../../model/print.ts';
import { definedInstant } from '../../model/time.ts';
import { isNewer } from '../newer.ts';
import { sum } from '../sum.ts';
import { inConvention, markGauge, weightOfLine } from './gauge-lines.ts';
import { gaugeStretch } from './gauge-stretch.ts';
import type { IndexCalculation, IndexFamily } from './index-family.ts';
import { type IndexInput, pricedConstituents, readMember } from './index-input.ts';
import { hasIncluded, printOf, publishedLines } from './published-lines.ts';
import { targetShares, weighedNames, weighedShares } from './shares.ts';

const VERSION = 'gauge-1.5';

/**
 * A gauge is the weighted mean of its constituents' marks: sum of weight × mark over sum of weight, over all
 * constituents that ever had a good mark, held ones at their last. As a probability it ranges from 0 to 100, centred
 * from 50 to 150. A settled constituent stays in at its payoff and a deleted one at its stated price, because removing
 * it would move the gauge.
 */
export const gauge: IndexFamily<GaugeDefinition> = {
  version: VERSION,
  calculate,
  stretch: (input, from) => gaugeStretch(input, from, VERSION),
  definedShares: weighedShares,
  priced: weighedNames,
  // The weights are the definition's own.
  setsWeights: false,
};

function calculate(input: IndexInput<GaugeDefinition>): IndexCalculation {
  const { definition, at, before } = input;
  if (!before && at < definedInstant(definition.base_at)) return { steps: [] };
  const constituents = pricedConstituents(definition);
  const shares = targetShares(definition, constituents);
  const earlier = new Map(before?.lines.map((line) => [line.market_id, line]));
  const marked = (market_id: string, quantity: number) =>
    markGauge(market_id, quantity, readMember(input, market_id), earlier.get(market_id));
  const named = constituents.map((each, i) => marked(each.market_id, shares[i] as number));
  // The previous constituents and weights at present marks; a constituent that had no mark still has none.
  const stood = (lines: readonly ReceiptLine[]) =>
    lines.map((line) => (line.price === undefined ? line : marked(line.market_id, line.quantity)));
  const reconstitute = input.reconstitute && hasIncluded(named);
  // A reconstitution waits until one of the new constituents is included; until then the previous ones remain.
  const lines = before && input.reconstitute && !reconstitute ? stood(before.lines) : named;
  const level = levelOf(definition, lines);
  if (level === undefined) return { steps: [] };
  const entered = lines.filter(
    (line) => line.price !== undefined && earlier.get(line.market_id)?.price === undefined,
  );
  const steps: DivisorStep[] = [];
  if (reconstitute || entered.length > 0) {
    // A constituent that enters moves a gauge, and so do new weights: the ledger records by how much.
    const level_before = levelOf(definition, stood(before?.lines ?? [])) ?? level;
    steps.push({
      at,
      reason: !before ? 'base' : reconstitute ? 'reconstitution' : 'admission',
      market_ids: (reconstitute ? lines : entered).map((line) => line.market_id),
      level_before,
      level_after: level,
      divisor_before: 1,
      divisor_after: 1,
    });
  }
  const settled = lines.some(
    (line) => isFinal(line.basis) && earlier.get(line.market_id)?.basis !== line.basis,
  );
  const moved =
    settled || (hasIncluded(lines) && (!before || steps.length > 0 || isNewer(before.lines, lines)));
  const standing: IndexStanding = {
    level: moved ? level : (before?.level ?? level),
    divisor: 1,
    cash: 0,
    lines: publishedLines(lines, weightOfLine),
  };
  return moved || (before && input.keepsPrint)
    ? { standing, steps, print: printOf(standing, at, [], weightOfLine, VERSION) }
    : { standing, steps };
}

/** The level of a gauge in its quote convention; undefined if no line has a price. */
function levelOf(definition: GaugeDefinition, lines: readonly ReceiptLine[]): number | undefined {
  const total = sum(lines.map(weightOfLine));
  if (total === 0) return undefined;
  const mean = sum(lines.map((line) => weightOfLine(line) * (line.price ?? 0))) / total;
  return inConvention(definition, mean);
}
