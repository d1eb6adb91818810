import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { MARK_BASES } from '../../model/mark.ts';
import {
  CONSTITUENT_STATES,
  codeOf,
  type LineColumns,
  lineColumns,
  type RatePrint,
} from '../../model/print.ts';
import { QUIET_AFTER_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { ContractHistory } from '../contract-views.ts';
import { isLadderBasis, type LadderBasis, ladderBasis, priceBy } from '../marks.ts';
import { differs } from '../rounding.ts';
import { meanOfSources } from './mean-of-sources.ts';
import { flagOutliers, NO_OUTLIERS, type OutlierGate } from './outlier-gate.ts';
import type { MeanFamily } from './rate-family.ts';
import type { RateHistory } from './rate-history.ts';

/** A print without its lines. */
export interface ColumnPrint extends Omit<RatePrint, 'lines'> {
  /** Whether it is based on the half-cent floor alone. */
  onFloor: boolean;
}

const INCLUDED = codeOf(CONSTITUENT_STATES, 'included');
const UNPRICED = codeOf(CONSTITUENT_STATES, 'unpriced');
const CONSULTED = codeOf(CONSTITUENT_STATES, 'consulted');
const FLOOR = codeOf(MARK_BASES, 'floor');
const LADDER_CODES: Record<LadderBasis, number> = {
  mid: codeOf(MARK_BASES, 'mid'),
  last: codeOf(MARK_BASES, 'last'),
  bid: codeOf(MARK_BASES, 'bid'),
  ask: codeOf(MARK_BASES, 'ask'),
  floor: FLOOR,
};

/**
 * Calculates a rate from instant to instant with its sources in columns instead of objects. The prints equal those of
 * `calculateRate` to the last digit.
 */
export class RateColumns {
  /** The lines at the last requested instant. */
  readonly lines: LineColumns;
  readonly #definition: RateDefinition;
  readonly #family: MeanFamily;
  readonly #gate: OutlierGate | undefined;
  readonly #contracts: readonly (ContractHistory | undefined)[];
  readonly #history: RateHistory;
  /** 0 for a source without a mark. */
  readonly #observedAt: Float64Array;
  readonly #volumes: Float64Array;
  readonly #outlier: Uint8Array;
  /** The part of each source that enters, NaN for the others; then replaced by its share. */
  readonly #shares: Float64Array;
  /** From the print before: states (0 for a source that was not in it), observations and marks. */
  readonly #stateBefore: Uint8Array;
  readonly #observedBefore: Float64Array;
  readonly #priceBefore: Float64Array;

  /**
   * @param contracts of the sources in their order, undefined if the catalog has never seen the market
   * @param before the print before; if nothing has changed since, there is no print
   */
  constructor(
    definition: RateDefinition,
    family: MeanFamily,
    contracts: readonly (ContractHistory | undefined)[],
    history: RateHistory,
    before: RatePrint | undefined,
  ) {
    const count = definition.sources.length;
    this.#definition = definition;
    this.#family = family;
    this.#gate = 'outlier_gate' in definition ? definition.outlier_gate : undefined;
    this.#contracts = contracts;
    this.#history = history;
    this.lines = lineColumns(count);
    this.#observedAt = new Float64Array(count);
    this.#volumes = new Float64Array(count);
    this.#outlier = new Uint8Array(count);
    this.#shares = new Float64Array(count);
    const then = definition.sources.map(({ market_id }) =>
      before?.lines.find((line) => line.market_id === market_id),
    );
    this.#stateBefore = Uint8Array.from(then, (line) => codeOf(CONSTITUENT_STATES, line?.state));
    this.#observedBefore = Float64Array.from(then, (line) => line?.observed_at ?? 0);
    this.#priceBefore = Float64Array.from(then, (line) => line?.price ?? Number.NaN);
  }

  /** The print at an instant, which must be later than those requested before; undefined if there is none. */
  printAt(at: Instant): ColumnPrint | undefined {
    this.#mark(at);
    const { count, dropped } = this.#gate
      ? flagOutliers(this.lines.price, this.#gate, this.#outlier)
      : NO_OUTLIERS;
    this.lines.outlier = count > 0 ? this.#outlier : undefined;
    const prices = this.lines.price;
    const enters = (n: number) => !Number.isNaN(prices[n]) && !(dropped && this.#outlier[n] === 1);
    const price = meanOfSources(this.#family, at, { prices, volumes: this.#volumes, enters }, this.#shares);
    if (Number.isNaN(price)) return undefined;
    const { spread, onFloor } = this.#enter(at);
    if (!this.#isNewer()) return undefined;
    this.#remember();
    return { at, price, spread, methodology_version: this.#family.version, onFloor };
  }

  /** Marks every source to which `readSource` gives a mark, and reads its volume if the family weights by it. */
  #mark(at: Instant): void {
    const { state, basis, price, spread, age } = this.lines;
    for (let n = 0; n < state.length; n++) {
      const seen = this.#contracts[n]?.seenAt(at);
      const isRead = seen?.life.status === 'active' && at - seen.observed_at <= QUIET_AFTER_MS;
      const found = isRead ? ladderBasis(seen, 'active') : 'never_observed';
      if (!seen || !isLadderBasis(found)) {
        state[n] = UNPRICED;
        basis[n] = this.#observedAt[n] = 0;
        price[n] = spread[n] = age[n] = Number.NaN;
        continue;
      }
      const observed_at = found === 'last' ? seen.last_at : seen.book_at;
      state[n] = CONSULTED;
      basis[n] = LADDER_CODES[found];
      price[n] = priceBy(found, seen);
      spread[n] = found === 'mid' ? seen.ask - seen.bid : Number.NaN;
      age[n] = at - observed_at;
      this.#observedAt[n] = observed_at;
    }
    if (this.#family.needs === 'volume') this.#readVolumes(at);
  }

  #readVolumes(at: Instant): void {
    const { price } = this.lines;
    let known = false;
    for (const [n, { market_id }] of this.#definition.sources.entries()) {
      const volume = Number.isNaN(price[n]) ? undefined : this.#history.volume(market_id, at);
      this.#volumes[n] = volume ?? Number.NaN;
      known ||= volume !== undefined;
    }
    this.lines.volume = known ? this.#volumes : undefined;
  }

  /**
   * Sets the weights of the sources and which are included. @returns the spread of those included, and whether all are
   * on the floor
   */
  #enter(at: Instant): { spread: number; onFloor: boolean } {
    const { state, basis, price, weight } = this.lines;
    const catalog = this.#family.catalogShares(at);
    let [least, most, onFloor] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
    for (let n = 0; n < state.length; n++) {
      const share = this.#shares[n] as number;
      weight[n] = Number.isNaN(share) ? (catalog[n] as number) : share;
      if (Number.isNaN(share)) continue;
      state[n] = INCLUDED;
      least = Math.min(least, price[n] as number);
      most = Math.max(most, price[n] as number);
      if (basis[n] !== FLOOR) onFloor = false;
    }
    return { spread: most - least, onFloor };
  }

  /** Stores what the next print is compared with. For a few sources this takes half the time of `set`. */
  #remember(): void {
    const { state, price } = this.lines;
    for (let n = 0; n < state.length; n++) {
      this.#stateBefore[n] = state[n] as number;
      this.#observedBefore[n] = this.#observedAt[n] as number;
      this.#priceBefore[n] = price[n] as number;
    }
  }

  /** Whether anything changed since the print before, by the rule of `isNewer`. */
  #isNewer(): boolean {
    const { state, price } = this.lines;
    for (let n = 0; n < state.length; n++) {
      if (state[n] !== this.#stateBefore[n]) return true;
      if (state[n] !== INCLUDED) continue;
      if ((this.#observedAt[n] as number) > (this.#observedBefore[n] as number)) return true;
      if (differs(price[n] as number, this.#priceBefore[n] as number)) return true;
    }
    return false;
  }
}
