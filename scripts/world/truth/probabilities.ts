import { HOUR } from '../calendar.ts';
import { type ContestLaw, countOutcomes, type Loading, type ScalarLaw, type TruthEvent } from './events.ts';
import { BLOCK_HOURS, createFactors } from './factors.ts';
import { hashText, mix, normal, normalBelow, unit } from './random.ts';

const KEPT_BLOCKS = 8_000;
const GUMBEL_SCALE = Math.sqrt(6) / Math.PI;
const VOID_CHANCE = 0.02;

/** The hidden state of the world: what is probable at an instant and what came true. */
export interface Truth {
  seed: number;
  epoch: number;
  /** Probability of an outcome, 0 to 1, as the best-informed would state it at an instant before it is known. */
  probability(event: TruthEvent, outcome: number, at: number): number;
  /** What each outcome pays, 0 to 1: one wins, or every one pays a half when the question is void. */
  payouts(event: TruthEvent): number[];
  /** Whether the question is void. */
  isVoid(event: TruthEvent): boolean;
}

/** The truth of a seed. */
export function createTruth(seed: number, epoch: number): Truth {
  return new HiddenTruth(seed, epoch);
}

/** Paths are made when they are first asked for, and a bounded number is kept. */
class HiddenTruth implements Truth {
  readonly seed: number;
  readonly epoch: number;
  readonly #factors: ReturnType<typeof createFactors>;
  readonly #kept = new Map<string, Float64Array>();
  /** The block asked for last, since a history asks for the same one a hundred times over. */
  #last: { event: TruthEvent; number: number; rows: Float64Array } | undefined;

  constructor(seed: number, epoch: number) {
    this.seed = seed;
    this.epoch = epoch;
    this.#factors = createFactors(seed);
  }

  #block(event: TruthEvent, number: number): Float64Array {
    if (this.#last?.event === event && this.#last.number === number) return this.#last.rows;
    const rows = this.#keptBlock(event, number);
    this.#last = { event, number, rows };
    return rows;
  }

  #keptBlock(event: TruthEvent, number: number): Float64Array {
    const key = `${event.key}|${number}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= KEPT_BLOCKS) this.#kept.clear();
    const made = this.#fillProbabilities(event, number);
    this.#kept.set(key, made);
    return made;
  }

  // Hidden value at the hours of a block; it stands still once the outcome is known.
  #hidden(mean: number, loadings: Loading[], number: number, lastHour: number): Float64Array {
    const values = new Float64Array(BLOCK_HOURS + 1).fill(mean);
    for (const loading of loadings) {
      const path = this.#factors.block(loading.factor, number);
      for (let i = 0; i <= BLOCK_HOURS; i++) {
        const hour = Math.max(0, Math.min(i, lastHour - number * BLOCK_HOURS));
        values[i] = (values[i] ?? 0) + loading.daily_sd * (path[hour] ?? 0);
      }
    }
    return values;
  }

  #fillProbabilities(event: TruthEvent, number: number): Float64Array {
    const lastHour = Math.max(0, Math.floor((event.known_at - this.epoch) / HOUR));
    const count = countOutcomes(event);
    const rows = new Float64Array((BLOCK_HOURS + 1) * count);
    if (event.law.kind === 'scalar') this.#fillScalar(event.law, rows, number, lastHour);
    else this.#fillContest(event.law, rows, number, lastHour);
    return rows;
  }

  #fillScalar(law: ScalarLaw, rows: Float64Array, number: number, lastHour: number): void {
    const values = this.#hidden(law.mean, law.loadings, number, lastHour);
    const variance = dailyVariance(law.loadings);
    const count = law.bands.length;
    for (let i = 0; i <= BLOCK_HOURS; i++) {
      const left = Math.max(0, lastHour - number * BLOCK_HOURS - i) / 24;
      const sd = Math.sqrt(variance * left + law.residual_sd ** 2);
      for (let k = 0; k < count; k++) {
        const { low, high } = law.bands[k] ?? {};
        const value = values[i] ?? 0;
        const below = high === undefined ? 1 : normalBelow((high - value) / sd);
        const under = low === undefined ? 0 : normalBelow((low - value) / sd);
        rows[i * count + k] = Math.max(0, below - under);
      }
    }
  }

  #fillContest(law: ContestLaw, rows: Float64Array, number: number, lastHour: number): void {
    const count = law.rivals.length;
    const paths = law.rivals.map((rival) => this.#hidden(rival.mean, rival.loadings, number, lastHour));
    const variance = dailyVariance(law.rivals[0]?.loadings ?? []);
    for (let i = 0; i <= BLOCK_HOURS; i++) {
      const left = Math.max(0, lastHour - number * BLOCK_HOURS - i) / 24;
      const scale = Math.sqrt(variance * left + law.residual_sd ** 2) * GUMBEL_SCALE;
      let best = -Infinity;
      for (const path of paths) best = Math.max(best, path[i] ?? 0);
      let sum = 0;
      for (let k = 0; k < count; k++) {
        const share = Math.exp(((paths[k]?.[i] ?? 0) - best) / scale);
        rows[i * count + k] = share;
        sum += share;
      }
      for (let k = 0; k < count; k++) rows[i * count + k] = (rows[i * count + k] ?? 0) / sum;
    }
  }

  probability(event: TruthEvent, outcome: number, at: number): number {
    const count = countOutcomes(event);
    const position = Math.max(0, (Math.min(at, event.known_at) - this.epoch) / HOUR);
    const hour = Math.floor(position);
    const rows = this.#block(event, Math.floor(hour / BLOCK_HOURS));
    const row = hour % BLOCK_HOURS;
    const before = rows[row * count + outcome] ?? 0;
    const after = rows[(row + 1) * count + outcome] ?? before;
    return before + (after - before) * (position - hour);
  }

  isVoid(event: TruthEvent): boolean {
    return event.voidable && unit(hashText(this.seed, `void|${event.key}`)) < VOID_CHANCE;
  }

  payouts(event: TruthEvent): number[] {
    const count = countOutcomes(event);
    if (this.isVoid(event)) return new Array<number>(count).fill(0.5);
    const draw = hashText(this.seed, `outcome|${event.key}`);
    if (event.law.kind === 'scalar') {
      const value = this.#finalValue(event.law, event, draw);
      return event.law.bands.map(({ low, high }) =>
        (low === undefined || value >= low) && (high === undefined || value < high) ? 1 : 0,
      );
    }
    let rest = unit(draw);
    let winner = count - 1;
    for (let k = 0; k < count - 1; k++) {
      rest -= this.probability(event, k, event.known_at);
      if (rest < 0) {
        winner = k;
        break;
      }
    }
    return Array.from({ length: count }, (_, k) => (k === winner ? 1 : 0));
  }

  // The last hidden value plus the uncertainty that only the outcome removes.
  #finalValue(law: ScalarLaw, event: TruthEvent, draw: number): number {
    const lastHour = Math.max(0, Math.floor((event.known_at - this.epoch) / HOUR));
    const values = this.#hidden(law.mean, law.loadings, Math.floor(lastHour / BLOCK_HOURS), lastHour);
    return (values[lastHour % BLOCK_HOURS] ?? 0) + normal(mix(draw, 1)) * law.residual_sd;
  }
}

function dailyVariance(loadings: Loading[]): number {
  return loadings.reduce((sum, { daily_sd }) => sum + daily_sd ** 2, 0);
}
