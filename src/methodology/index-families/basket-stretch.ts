import type {
  BasketDefinition,
  CompositeDefinition,
  IndexDefinition,
} from '../../model/definitions/index-definition.ts';
import { nextRebalance } from '../../model/definitions/rebalance-calendar.ts';
import { MARK_BASES } from '../../model/mark.ts';
import { type IndexStanding, type LineColumns, lineColumns, type ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { basketValues } from './basket-values.ts';
import {
  EXCLUDED,
  type HeldLine,
  holdThrough,
  INCLUDED,
  includedPrices,
  isEverExcluded,
  movedInstants,
  stateOf,
  UNPRICED,
} from './held-lines.ts';
import { mark, valueOfLine } from './line-marks.ts';
import { publishedLines } from './published-lines.ts';
import { cutReadings, isGoodAt, type ReadingColumns, readingAt } from './reading-columns.ts';

/** What a print of a stretch says beside its lines. */
export interface StretchPrint {
  at: Instant;
  level: number;
  divisor: number;
  cash: number;
  coverage: number;
  methodology_version: string;
}

const HELD = MARK_BASES.indexOf('held') + 1;

/**
 * Instants one after the other at which no step of a basket is due: quantities stand and marks alone change. What
 * it prints, and how the basket stands after it, is what calculating instant by instant gives, to the last digit.
 */
export class BasketStretch {
  readonly instants: readonly Instant[];
  /** What it goes on from: the names and quantities of every print. */
  readonly before: IndexStanding;
  readonly #version: string;
  readonly #lines: HeldLine[];
  readonly #values: Float64Array;
  readonly #included: Float64Array;
  /** 1 where something is newer than at the instant before: there it prints. */
  readonly #moved: Uint8Array;
  readonly #columns: LineColumns;

  constructor(
    before: IndexStanding,
    instants: readonly Instant[],
    readings: readonly ReadingColumns[],
    version: string,
  ) {
    this.before = before;
    this.instants = instants;
    this.#version = version;
    this.#lines = before.lines.map((line, i) => holdThrough(line, readings[i] as ReadingColumns));
    const quantities = this.#lines.map((line) => line.quantity);
    const sumOf = (pricesOf: (line: HeldLine) => Float64Array) =>
      basketValues(quantities, this.#lines.map(pricesOf), instants.length);
    this.#values = sumOf((line) => line.price);
    this.#included = this.#lines.some(isEverExcluded) ? sumOf(includedPrices) : this.#values;
    this.#moved = movedInstants(before.lines, this.#lines, instants.length);
    this.#columns = lineColumns(before.lines.length);
  }

  /** Tells of each print in order. Its lines are made when they are asked for, and hold until others are. */
  forEachPrint(tell: (print: StretchPrint, linesOf: () => LineColumns) => void): void {
    const { divisor, cash } = this.before;
    for (const [i, at] of this.instants.entries()) {
      if (this.#moved[i] === 0) continue;
      const whole = (this.#values[i] as number) + cash;
      const coverage = whole > 0 ? (this.#included[i] as number) / whole : 0;
      const methodology_version = this.#version;
      const print = { at, level: this.#levelAt(i), divisor, cash, coverage, methodology_version };
      tell(print, () => this.#linesAt(i));
    }
  }

  /** How the basket stands after the stretch. */
  standing(): IndexStanding {
    const last = this.instants.length - 1;
    const moved = this.#moved.lastIndexOf(1);
    const lines = this.before.lines.map((line, i) => {
      const { readings, price, observed_at } = this.#lines[i] as HeldLine;
      const held = { ...line, price: price[last] as number, observed_at: observed_at[last] as Instant };
      return mark(line.quantity > 0 ? held : line, readingAt(readings, last));
    });
    return {
      ...this.before,
      level: moved < 0 ? this.before.level : this.#levelAt(moved),
      lines: publishedLines(lines, valueOfLine),
    };
  }

  #levelAt(i: number): number {
    return ((this.#values[i] as number) + this.before.cash) / this.before.divisor;
  }

  #linesAt(i: number): LineColumns {
    const columns = this.#columns;
    const included = this.#included[i] as number;
    const at = this.instants[i] as Instant;
    for (let n = 0; n < this.#lines.length; n++) {
      const line = this.#lines[n] as HeldLine;
      const { quantity, readings } = line;
      const state = stateOf(line, i);
      const price = line.price[i] as number;
      columns.state[n] = state;
      columns.basis[n] = state === EXCLUDED ? HELD : (readings.basis[i] as number);
      columns.exclude_reason[n] = state === EXCLUDED ? (readings.reason[i] as number) : 0;
      columns.price[n] = state === UNPRICED ? Number.NaN : price;
      columns.age[n] = at - (line.observed_at[i] as Instant);
      columns.spread[n] = readings.spread[i] as number;
      columns.weight[n] = state === INCLUDED && included > 0 ? (quantity * price) / included : 0;
    }
    return columns;
  }
}

/**
 * The longest stretch of a basket from the i-th of some instants on: up to where one of its names has settled, one
 * that waits for its first good mark has it, or its calendar weighs anew.
 *
 * @param readings of a name, with one place an instant
 * @returns undefined when a step may be due at once
 */
export function basketStretch(
  { definition, before, instants, readings }: StretchInput,
  from: number,
  version: string,
): BasketStretch | undefined {
  const columns = before.lines.map((line) => readings(line.market_id));
  const until = calmUntil(before.lines, columns, from, rebalancedUntil(definition, before, instants));
  if (until <= from) return undefined;
  const cut = columns.map((each) => cutReadings(each, from, until));
  return new BasketStretch(before, instants.slice(from, until), cut, version);
}

/** What a stretch of a basket is made from. */
export interface StretchInput<Definition extends IndexDefinition = BasketDefinition | CompositeDefinition> {
  definition: Definition;
  before: IndexStanding;
  /** Ascending. */
  instants: readonly Instant[];
  readings: (marketId: string) => ReadingColumns;
}

function rebalancedUntil(
  { weighting }: StretchInput['definition'],
  { constituted_at }: IndexStanding,
  instants: readonly Instant[],
): number {
  if (!weighting.rebalances) return instants.length;
  const next = nextRebalance(weighting.rebalances, constituted_at ?? 0);
  const due = instants.findIndex((at) => next <= at);
  return due < 0 ? instants.length : due;
}

function calmUntil(
  lines: readonly ReceiptLine[],
  readings: readonly ReadingColumns[],
  from: number,
  until: number,
): number {
  let end = until;
  for (const [n, { quantity, price }] of lines.entries()) {
    const columns = readings[n] as ReadingColumns;
    if (quantity > 0 && price === undefined) return from;
    if (quantity > 0 && columns.allGood) continue;
    for (let i = from; i < end; i++) {
      const isCalm = columns.reason[i] !== 0 || (quantity > 0 && isGoodAt(columns, i));
      if (!isCalm) end = i;
    }
  }
  return end;
}
