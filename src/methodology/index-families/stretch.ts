import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { MARK_BASES } from '../../model/mark.ts';
import {
  codeOf,
  type IndexPrint,
  type IndexStanding,
  type LineColumns,
  lineColumns,
} from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { ReadingColumns } from './reading-columns.ts';
import { EXCLUDED, INCLUDED, movedInstants, type StretchLine, stateOf, UNPRICED } from './stretch-lines.ts';

/** A print of a stretch without its lines. */
export type StretchPrint = Omit<IndexPrint, 'lines' | 'constituted_at'>;

export interface StretchInput<Definition extends IndexDefinition = IndexDefinition> {
  definition: Definition;
  before: IndexStanding;
  /** Ascending. */
  instants: readonly Instant[];
  /** The readings of a constituent, one per instant. */
  readings: (marketId: string) => ReadingColumns;
}

/** A family's valuation of constituents whose marks alone change, at the i-th instant. */
export interface Valued {
  level(i: number): number;
  /** The value of one constituent. */
  partOf(line: StretchLine, i: number): number;
  /** The value of all included constituents. */
  included(i: number): number;
  /** The value of all constituents, with idle cash. */
  whole(i: number): number;
  /** The standing after the last instant. @param level of its last print */
  standing(level: number): IndexStanding;
}

/**
 * The position of the first instant at which something other than marks may change.
 *
 * @param from,until positions of instants
 * @param calmOf at which instants the n-th of `count` constituents changes nothing but its mark
 */
export function calmUntil(
  count: number,
  from: number,
  until: number,
  calmOf: (n: number) => 'throughout' | ((i: number) => boolean),
): number {
  let end = until;
  for (let n = 0; n < count; n++) {
    const isCalm = calmOf(n);
    if (isCalm === 'throughout') continue;
    for (let i = from; i < end; i++) if (!isCalm(i)) end = i;
  }
  return end;
}

const HELD = codeOf(MARK_BASES, 'held');

/**
 * Consecutive instants at which no step of an index is due: quantities stay and only marks change. Its prints and its
 * standing equal those of calculating instant by instant, to the last digit.
 */
export class Stretch {
  readonly instants: readonly Instant[];
  /** The standing that it continues from, with the constituents and quantities of every print. */
  readonly before: IndexStanding;
  readonly #lines: readonly StretchLine[];
  readonly #valued: Valued;
  /** 1 where something changed since the instant before, so that there is a print. */
  readonly #moved: Uint8Array;
  readonly #columns: LineColumns;

  /** @param lines in the order of those of `before` */
  constructor(
    before: IndexStanding,
    instants: readonly Instant[],
    lines: readonly StretchLine[],
    valued: Valued,
  ) {
    this.before = before;
    this.instants = instants;
    this.#lines = lines;
    this.#valued = valued;
    this.#moved = movedInstants(before.lines, lines, instants.length);
    this.#columns = lineColumns(before.lines.length);
  }

  /** Passes on each print in order. Its lines are created on request, and valid until the next request. */
  forEachPrint(
    methodology_version: string,
    tell: (print: StretchPrint, linesOf: () => LineColumns) => void,
  ): void {
    const { divisor, cash } = this.before;
    // A loop with a position: an iterator makes an object for each instant.
    for (let i = 0; i < this.instants.length; i++) {
      if (this.#moved[i] === 0) continue;
      const at = this.instants[i] as Instant;
      const whole = this.#valued.whole(i);
      const coverage = whole > 0 ? this.#valued.included(i) / whole : 0;
      const print = { at, level: this.#valued.level(i), divisor, cash, coverage, methodology_version };
      tell(print, () => this.#linesAt(i));
    }
  }

  standing(): IndexStanding {
    const moved = this.#moved.lastIndexOf(1);
    return this.#valued.standing(moved < 0 ? this.before.level : this.#valued.level(moved));
  }

  #linesAt(i: number): LineColumns {
    const columns = this.#columns;
    const included = this.#valued.included(i);
    const at = this.instants[i] as Instant;
    for (let n = 0; n < this.#lines.length; n++) {
      const line = this.#lines[n] as StretchLine;
      const { readings } = line;
      const state = stateOf(line, i);
      columns.state[n] = state;
      columns.basis[n] = state === EXCLUDED ? HELD : (readings.basis[i] as number);
      columns.exclude_reason[n] = state === EXCLUDED ? (readings.reason[i] as number) : 0;
      columns.price[n] = state === UNPRICED ? Number.NaN : (line.price[i] as number);
      columns.age[n] = at - (line.observed_at[i] as Instant);
      columns.spread[n] = readings.spread[i] as number;
      columns.weight[n] = state === INCLUDED && included > 0 ? this.#valued.partOf(line, i) / included : 0;
    }
    return columns;
  }
}
