import type { ContractView } from '../../src/methodology/contract-views.ts';
import { calculateIndex } from '../../src/methodology/index-families/index-families.ts';
import type { IndexCalculation } from '../../src/methodology/index-families/index-family.ts';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { IndexStanding, ReceiptLine } from '../../src/model/print.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import type { Instant, Probability } from '../../src/model/units.ts';
import { index } from '../helpers/hand-definitions.ts';

/** What an index is calculated from besides markets, where it has no rates and other indices and no sizes count. */
export const NO_OTHERS = {
  printed: () => undefined,
  lastPositiveLevel: () => undefined,
  printsOf: () => [],
  sizeOf: () => undefined,
};

/** Contracts as they look at one instant, by name; a name that is left out was never seen. */
export type Board = Record<string, ContractView>;

/** The instant of the first board; each next one is an hour later. */
export const START = Date.parse('2026-01-05T12:00:00Z');

/** The instant of the i-th board. */
export const hour = (i: number): Instant => START + i * HOUR_MS;

/** An active contract with a book. */
export function book(
  sides: { bid?: Probability; ask?: Probability; last?: Probability },
  at: Instant,
): ContractView {
  const { last, ...quote } = sides;
  const view: ContractView = { status: 'active', book: { ...quote, observed_at: at }, observed_at: at };
  return last === undefined ? view : { ...view, last: { price: last, observed_at: at } };
}

/** An active contract whose mid is a price. */
export function mid(price: Probability, at: Instant): ContractView {
  return book({ bid: price, ask: price }, at);
}

/** A contract that has settled. */
export function paid(payout: Probability, at: Instant): ContractView {
  return { status: 'settled', paid: { payout, at }, observed_at: at };
}

export const idOf = (name: string): string => `venue_a:${name}`;

/** A definition with fixed weights by name, or equal ones for a list of names. */
export function define(
  weights: Record<string, number> | readonly string[],
  options: {
    family?: 'basket' | 'probability' | 'centred';
    by?: 'value' | 'quantity';
    staged?: readonly string[];
    ticker?: string;
    base_level?: number;
    book_check?: { max_spread_cents?: number; max_quote_age_hours?: number };
  } = {},
): IndexDefinition {
  const {
    family = 'basket',
    by = 'value',
    staged = [],
    ticker = 'TEST',
    base_level,
    book_check = {},
  } = options;
  const fixed = !Array.isArray(weights);
  const named = fixed ? Object.entries(weights as Record<string, number>) : weights.map((name) => [name, 1]);
  const scheme = fixed ? 'fixed' : 'equal';
  const common = {
    base_at: new Date(START).toISOString(),
    book_check,
    constituents: named.map(([name, weight]) => ({
      market_id: idOf(String(name)),
      ...(fixed ? { weight } : {}),
      status: staged.includes(String(name)) ? 'staged' : 'included',
    })),
  };
  return indexDefinition.parse(
    family === 'basket'
      ? index(ticker, 'basket', { ...common, base_level, weighting: { scheme, by } })
      : index(ticker, 'gauge', { ...common, quote_convention: family, weighting: { scheme } }),
  );
}

/** One calculation, with the lines of its standing by name. */
export interface Worked extends IndexCalculation {
  line(name: string): ReceiptLine | undefined;
  level: number;
}

/**
 * Calculates an index at each board, going on from one to the next.
 *
 * @param changes definitions that come into force at the i-th board, by i
 */
export function work(
  definition: IndexDefinition,
  boards: readonly Board[],
  changes: Record<number, IndexDefinition> = {},
): Worked[] {
  let before: IndexStanding | undefined;
  let inForce = definition;
  let due = false;
  return boards.map((board, i) => {
    const changed = changes[i];
    inForce = changed ?? inForce;
    due ||= changed !== undefined && before !== undefined;
    const calculation = calculateIndex({
      definition: inForce,
      at: hour(i),
      view: (id) => board[id.slice('venue_a:'.length)],
      reconstitute: due,
      ...NO_OTHERS,
      ...(before ? { before } : {}),
    });
    before = calculation.standing ?? before;
    if (calculation.steps.some((step) => step.reason === 'reconstitution')) due = false;
    const standing = before;
    return {
      ...calculation,
      level: standing?.level ?? Number.NaN,
      line: (name) => standing?.lines.find((each) => each.market_id === idOf(name)),
    };
  });
}
