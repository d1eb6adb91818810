import { parsePrintedId } from '../../model/constituent-id.ts';
import type { GaugeDefinition } from '../../model/definitions/index-definition.ts';
import { isFinal } from '../../model/mark.ts';
import type { DivisorStep, IndexStanding, ReceiptLine } from '../../model/print.ts';
import { definedInstant } from '../../model/time.ts';
import type { Probability } from '../../model/units.ts';
import { isNewer } from '../newer.ts';
import { sum } from '../sum.ts';
import {
  type IndexCalculation,
  type IndexFamily,
  type IndexInput,
  pricedConstituents,
  type Reading,
  readMember,
} from './index-family.ts';
import { hasIncluded, printOf, publishedLines } from './published-lines.ts';
import { catalogShares } from './shares.ts';

const VERSION = 'gauge-1.2';

/**
 * A gauge is the weighted mean of its names' marks: sum of weight × mark over sum of weight, over all names
 * that ever had a good mark, held ones at their last. As a probability it runs from 0 to 100, centred from 50
 * to 150. A settled name stays in at its payoff, a deleted one at its stated price, because taking
 * it out would move the gauge.
 */
export const gauge: IndexFamily<GaugeDefinition> = { version: VERSION, calculate };

/** The weight of a name that has a price. */
export const weightOfLine = (line: ReceiptLine) => (line.price === undefined ? 0 : line.quantity);

function calculate(input: IndexInput<GaugeDefinition>): IndexCalculation {
  const { definition, at, before } = input;
  if (!before && at < definedInstant(definition.base_at)) return { steps: [] };
  const constituents = pricedConstituents(definition);
  const shares = catalogShares(definition, constituents);
  const earlier = new Map(before?.lines.map((line) => [line.market_id, line]));
  const marked = (market_id: string, quantity: number) =>
    markGauge(market_id, quantity, readMember(input, market_id), earlier.get(market_id));
  const named = constituents.map((each, i) => marked(each.market_id, shares[i] as number));
  // The names and weights of before at the marks of now; what had no mark by then has none.
  const stood = (lines: readonly ReceiptLine[]) =>
    lines.map((line) => (line.price === undefined ? line : marked(line.market_id, line.quantity)));
  const reconstitute = input.reconstitute && hasIncluded(named);
  // A changed definition waits for one of its names; meanwhile those of before go on.
  const lines = before && input.reconstitute && !reconstitute ? stood(before.lines) : named;
  const level = levelOf(definition, lines);
  if (level === undefined) return { steps: [] };
  const entered = lines.filter(
    (line) => line.price !== undefined && earlier.get(line.market_id)?.price === undefined,
  );
  const steps: DivisorStep[] = [];
  if (reconstitute || entered.length > 0) {
    // A name that enters a gauge moves it, and so do other weights: the ledger says by how much.
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

/** The gauge of some lines in its convention; undefined when none has a price. */
function levelOf(definition: GaugeDefinition, lines: readonly ReceiptLine[]): number | undefined {
  const total = sum(lines.map(weightOfLine));
  if (total === 0) return undefined;
  const mean = sum(lines.map((line) => weightOfLine(line) * (line.price ?? 0))) / total;
  return inConvention(definition, mean);
}

/** A mean of marks as the gauge is quoted. */
export function inConvention({ quote_convention }: GaugeDefinition, mean: Probability): number {
  return quote_convention === 'centred' ? 50 + 100 * mean : 100 * mean;
}

/**
 * A name with the mark of an instant; one that fails a check keeps its last good mark, and a rate what it has paid,
 * whatever it is made of later.
 */
export function markGauge(
  market_id: string,
  quantity: number,
  reading: Reading,
  before: ReceiptLine | undefined,
): ReceiptLine {
  const line = { market_id, weight: 0, quantity };
  if (before?.basis === 'settlement' && parsePrintedId(market_id)) return { ...before, ...line };
  if (reading.kind === 'good') {
    const { price, basis, observed_at, spread } = reading;
    const marked: ReceiptLine = { ...line, price, basis, observed_at, state: 'included' };
    return spread === undefined ? marked : { ...marked, spread };
  }
  if (reading.kind === 'settled') {
    const { price, basis, observed_at } = reading;
    return { ...line, state: 'included', price, basis, observed_at };
  }
  if (before?.price === undefined || before.observed_at === undefined) return { ...line, state: 'unpriced' };
  const { price, observed_at } = before;
  return { ...line, state: 'excluded', price, basis: 'held', observed_at, exclude_reason: reading.reason };
}
