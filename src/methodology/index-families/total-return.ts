import type { TotalReturnDefinition } from '../../model/definitions/index-definition.ts';
import { hasLeft, type IndexPrint, type IndexStanding, type ReceiptLine } from '../../model/print.ts';
import { sum } from '../sum.ts';
import { openCalculation } from './held-calculation.ts';
import type { FamilyCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { pointsByQuantity, takesProceeds, valueOfLine } from './line-marks.ts';
import { printOf } from './published-lines.ts';

/**
 * A total-return index follows the constituents of its base index but leaves out its idle cash: payoffs that the base
 * could not reinvest are reinvested here pro rata, from the first print on in which a constituent can take them.
 */
export const totalReturn: IndexFamily<TotalReturnDefinition> = {
  version: 'total_return-1.2',
  open,
  advance,
  definedShares: () => [1],
  follows: ({ base_index_id }) => base_index_id,
  pointsPerMark: pointsByQuantity,
};

type Input = IndexInput<TotalReturnDefinition>;

/** The level, and how much of it is cash that waits. */
type Holding = Pick<IndexStanding, 'level' | 'cash'>;

function open({ definition, at, printsOf }: Input): FamilyCalculation {
  const print = printsOf(definition.base_index_id, at, at).at(-1);
  if (!print || print.level === 0) return { steps: [] };
  const level = definition.base_level;
  const cash = reinvests(print) ? 0 : (level * print.cash) / print.divisor / print.level;
  return openCalculation(at, stand(definition, print, { level, cash }));
}

function advance({ definition, at, printsOf, keepsPrint }: Input, before: IndexStanding): FamilyCalculation {
  const from = before.lines[0]?.observed_at ?? at;
  const prints = printsOf(definition.base_index_id, from, at);
  const latest = prints.at(-1);
  if (!latest || (latest.at <= from && !keepsPrint)) return { standing: before, steps: [] };
  const standing = stand(definition, latest, followBase(before, prints));
  return { standing, steps: [], print: printOf(standing, at, [], valueOfLine) };
}

/** A standing with one line: as much of the base index as is worth what does not wait as cash. */
function stand(definition: TotalReturnDefinition, base: IndexPrint, { level, cash }: Holding): IndexStanding {
  const line: ReceiptLine = {
    market_id: definition.constituents[0]?.market_id ?? '',
    state: 'included',
    weight: 1,
    quantity: base.level === 0 ? 0 : (level - cash) / base.level,
    price: base.level,
    basis: 'print',
    observed_at: base.at,
  };
  return { level, divisor: 1, cash, lines: [line] };
}

/**
 * Follows an index from print to print. What does not wait as cash changes with the constituents held at the print
 * before, including payoffs, without the idle cash of the index. A payoff waits until a constituent can take it.
 *
 * @param prints in time order, the first being the last that was followed
 * @example constituents worth 40 beside 60 of idle cash that rise to 42 take 100 to 105, the index itself to 102
 */
export function followBase({ level, cash }: Holding, prints: readonly IndexPrint[]): Holding {
  let [invested, waiting] = [level - cash, cash];
  for (let i = 1; i < prints.length; i++) {
    const [before, after] = [prints[i - 1] as IndexPrint, prints[i] as IndexPrint];
    const held = before.lines.filter((line) => line.quantity > 0 && !hasLeft(line));
    // Of two lines of one constituent the last is as it was held before it was linked, and it has not left.
    const now = new Map(after.lines.map((line) => [line.market_id, line]));
    const staying = new Set(after.lines.filter((line) => !hasLeft(line)).map((line) => line.market_id));
    const then = sum(held.map(valueOfLine));
    let [stays, leaves] = [0, 0];
    for (const line of held) {
      const later = now.get(line.market_id) ?? line;
      const value = line.quantity * (later.price ?? 0);
      if (hasLeft(later) && !staying.has(line.market_id)) leaves += value;
      else stays += value;
    }
    if (then > 0) {
      waiting += (invested * leaves) / then;
      invested *= stays / then;
    }
    if (reinvests(after)) [invested, waiting] = [invested + waiting, 0];
  }
  return { level: invested + waiting, cash: waiting };
}

/** Whether a constituent of an index can take cash at a print, or the index itself has none that is idle. */
function reinvests({ cash, lines }: IndexPrint): boolean {
  return cash === 0 || lines.some(takesProceeds);
}
