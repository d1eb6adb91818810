import type { TotalReturnDefinition } from '../../model/definitions/index-definition.ts';
import { hasLeft, type IndexPrint, type IndexStanding, type ReceiptLine } from '../../model/print.ts';
import { definedInstant } from '../../model/time.ts';
import { openCalculation } from './held-calculation.ts';
import type { IndexCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { valueOfLine } from './line-marks.ts';
import { printOf } from './published-lines.ts';

const VERSION = 'total_return-1.0';

/**
 * A total-return index follows the constituents of its base index but leaves out its idle cash: payoffs that the base
 * could not reinvest are reinvested here pro rata from the next calculation on.
 */
export const totalReturn: IndexFamily<TotalReturnDefinition> = {
  version: VERSION,
  calculate: (input) => (input.before ? advance(input, input.before) : open(input)),
  definedShares: () => [1],
  setsWeights: false,
};

type Input = IndexInput<TotalReturnDefinition>;

function open({ definition, at, printsOf }: Input): IndexCalculation {
  if (at < definedInstant(definition.base_at)) return { steps: [] };
  const print = printsOf?.(definition.base_index_id, at, at).at(-1);
  if (!print || print.level === 0) return { steps: [] };
  return openCalculation(at, stand(definition, print, definition.base_level), VERSION);
}

function advance({ definition, at, printsOf, keepsPrint }: Input, before: IndexStanding): IndexCalculation {
  const from = before.lines[0]?.observed_at ?? at;
  const prints = printsOf?.(definition.base_index_id, from, at) ?? [];
  const latest = prints.at(-1);
  if (!latest || (latest.at <= from && !keepsPrint)) return { standing: before, steps: [] };
  const standing = stand(definition, latest, before.level * reinvestedGrowth(prints));
  return { standing, steps: [], print: printOf(standing, at, [], valueOfLine, VERSION) };
}

/** A standing with one line: as much of the base index as the level is worth. */
function stand(definition: TotalReturnDefinition, base: IndexPrint, level: number): IndexStanding {
  const line: ReceiptLine = {
    market_id: definition.constituents[0]?.market_id ?? '',
    state: 'included',
    weight: 1,
    quantity: base.level === 0 ? 0 : level / base.level,
    price: base.level,
    basis: 'print',
    observed_at: base.at,
  };
  return { level, divisor: 1, cash: 0, lines: [line] };
}

/**
 * The growth of what an index held from print to print. Each change is that of the constituents held at the print
 * before, including payoffs, without idle cash.
 *
 * @param prints in time order
 * @example constituents worth 40 beside 60 of idle cash that rise to 42 give 1.05, the index itself 1.02
 */
export function reinvestedGrowth(prints: readonly IndexPrint[]): number {
  let growth = 1;
  for (let i = 1; i < prints.length; i++) {
    const held = (prints[i - 1] as IndexPrint).lines.filter((line) => line.quantity > 0 && !hasLeft(line));
    const after = new Map((prints[i] as IndexPrint).lines.map((line) => [line.market_id, line.price]));
    let [then, now] = [0, 0];
    for (const line of held) {
      then += valueOfLine(line);
      now += line.quantity * (after.get(line.market_id) ?? line.price ?? 0);
    }
    if (then > 0) growth *= now / then;
  }
  return growth;
}
