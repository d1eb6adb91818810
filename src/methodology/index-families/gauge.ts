import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { GaugeDefinition } from '../../model/definitions/index-definition.ts';
import { isFinal } from '../../model/mark.ts';
import type { DivisorStep, IndexStanding, ReceiptLine } from '../../model/print.ts';
import { isNewer } from '../newer.ts';
import { sum } from '../sum.ts';
import { inConvention, markGauge, weightOfLine } from './gauge-lines.ts';
import { gaugeStretch } from './gauge-stretch.ts';
import type { FamilyCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { ledgerStep } from './ledger.ts';
import { readMember } from './member-readings.ts';
import { hasIncluded, printOf, publishedLines } from './published-lines.ts';
import { targetShares, weighedNames, weighedShares } from './shares.ts';

/**
 * A gauge is the weighted mean of its constituents' marks: sum of weight × mark over sum of weight, over all
 * constituents that ever had a good mark, held ones at their last. As a probability it ranges from 0 to 100, centred
 * from 50 to 150. A settled constituent stays in at its payoff and a deleted one at its stated price, because removing
 * it would move the gauge.
 */
export const gauge: IndexFamily<GaugeDefinition> = {
  version: 'gauge-1.5',
  movesByStep: true,
  open,
  advance,
  stretch: gaugeStretch,
  definedShares: weighedShares,
  priced: weighedNames,
  pointsPerMark({ lines }) {
    const total = sum(lines.map(weightOfLine));
    return (line) => (100 * line.quantity) / total;
  },
};

type Input = IndexInput<GaugeDefinition>;

/** The first print: once a constituent has a mark. */
function open(input: Input): FamilyCalculation {
  const { definition, at } = input;
  const lines = namedLines(input, new Map());
  if (!hasIncluded(lines)) return { steps: [] };
  const standing = standingOf(lines, levelOf(definition, lines));
  const base = ledgerStep(at, 'base', lines.filter(hasMark), standing, standing);
  return { standing, steps: [base], print: printOf(standing, at, [], weightOfLine) };
}

/** A later calculation: its step, if new weights or a constituent that enters move the gauge, and its level. */
function advance(input: Input, before: IndexStanding): FamilyCalculation {
  const { definition, at } = input;
  const earlier = new Map(before.lines.map((line) => [line.market_id, line]));
  // The previous constituents and weights at present marks; a constituent that had no mark still has none.
  const stood = () =>
    before.lines.map((line) =>
      hasMark(line) ? markMember(input, line.market_id, line.quantity, line) : line,
    );
  const named = namedLines(input, earlier);
  const reconstitutes = input.reconstitute && hasIncluded(named);
  // A reconstitution waits until one of the new constituents is included; until then the previous ones remain.
  const lines = input.reconstitute && !reconstitutes ? stood() : named;
  const level = levelOf(definition, lines);

  const entered = lines.filter((line) => hasMark(line) && !hasMark(earlier.get(line.market_id)));
  const moving = reconstitutes ? lines : entered;
  const steps: DivisorStep[] = [];
  if (moving.length > 0) {
    const reason = reconstitutes ? 'reconstitution' : 'admission';
    // A gauge has no divisor: its ledger records by how much a step moves it.
    const divisor = 1;
    const stoodAt = levelOf(definition, stood());
    steps.push(ledgerStep(at, reason, moving, { level: stoodAt, divisor }, { level, divisor }));
  }

  const isSettled = lines.some(
    ({ market_id, basis }) => isFinal(basis) && earlier.get(market_id)?.basis !== basis,
  );
  const moved = isSettled || (hasIncluded(lines) && (steps.length > 0 || isNewer(before.lines, lines)));
  const standing = standingOf(lines, moved ? level : before.level);
  return moved || input.keepsPrint
    ? { standing, steps, print: printOf(standing, at, [], weightOfLine) }
    : { standing, steps };
}

/** The constituents that the definition prices, with its weights. @param earlier lines, by their ids */
function namedLines(input: Input, earlier: ReadonlyMap<string, ReceiptLine>): ReceiptLine[] {
  const constituents = pricedConstituents(input.definition);
  const shares = targetShares(input.definition, constituents);
  return constituents.map(({ market_id }, i) =>
    markMember(input, market_id, shares[i] as number, earlier.get(market_id)),
  );
}

function markMember(input: Input, market_id: string, quantity: number, before?: ReceiptLine): ReceiptLine {
  return markGauge(market_id, quantity, readMember(input, market_id), before);
}

function hasMark(line: ReceiptLine | undefined): boolean {
  return line?.price !== undefined;
}

/** The level of a gauge in its quote convention. @param lines at least one of them with a mark */
function levelOf(definition: GaugeDefinition, lines: readonly ReceiptLine[]): number {
  const total = sum(lines.map((line) => weightOfLine(line) * (line.price ?? 0)));
  return inConvention(definition, total / sum(lines.map(weightOfLine)));
}

function standingOf(lines: readonly ReceiptLine[], level: number): IndexStanding {
  return { level, divisor: 1, cash: 0, lines: publishedLines(lines, weightOfLine) };
}
